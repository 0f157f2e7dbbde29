import { afterEach, describe, expect, it } from 'vitest';
import { calculatePath, calculation, codeLists, codesPath } from '../facts/tax.js';
import { testService } from './service.js';

const service = testService();
const [item] = calculation.items;

const calculate = (body: unknown) => service.send('POST', calculatePath(service.ready().tenantId), { body });
const withItem = (more: object) => ({ ...calculation, items: [{ ...item, ...more }] });

afterEach(() => service.control('POST', 'reset'));

describe('POST /tax-rules/{tenantId}/engine/calculate (§1; public)', () => {
  it('returns every amount as text with two decimals', async () => {
    const { status, json } = await calculate(calculation);
    expect([status, json]).toEqual([
      200,
      {
        items: [
          {
            id: '1',
            cfop: 5102,
            icms: { orig: '0', cst: '00', modBC: '3', pICMS: '18.00', vBC: '259.00', vICMS: '46.62' },
            pis: { cst: '01', pPIS: '1.65', vBC: '212.38', vPIS: '3.50' },
            cofins: { cst: '01', pCOFINS: '7.60', vBC: '212.38', vCOFINS: '16.14' },
            ibs: { cst: '000', cClassTrib: '000001', pIBS: '0.10', vBC: '192.74', vIBS: '0.19' },
            cbs: { cst: '000', cClassTrib: '000001', pCBS: '0.90', vBC: '192.74', vCBS: '1.73' },
            lastModified: '2026-01-01T00:00:00.000Z',
          },
        ],
      },
    ]);
  });

  it('returns the same result for any zeros of a decimal and for any letter case', async () => {
    const written = {
      issuer: { state: 'sp', taxRegime: 'realprofit' },
      recipient: { state: 'Sp' },
      operationType: 'outgoing',
      items: [{ ...item, origin: 'national', quantity: 'TEN', unitAmount: 25.9 }],
    };
    const raw = JSON.stringify(written).replace('"TEN"', '10.0000').replace('25.9', '25.9000000000');
    const path = calculatePath(service.ready().tenantId);
    expect((await service.send('POST', path, { raw })).text).toBe((await calculate(calculation)).text);
  });

  it('answers 400 that names a decimal which is not a number', async () => {
    const { status, json } = await calculate(withItem({ quantity: '10.00' }));
    expect([status, json.error.details]).toEqual([400, [{ field: 'items[0].quantity', message: 'Must be a number.' }]]);
  });

  it('bills the engine once per calculation, and nothing for a refused one', async () => {
    await calculate(calculation);
    await calculate(withItem({ quantity: -1 }));
    await calculate(calculation);
    const usage = await service.control('GET', 'usage');
    expect(usage.byOperation).toEqual({ 'tax.calculate': 2 });
    const { entries } = await service.control('GET', 'ledger');
    expect(entries.map(({ billed }: { billed: string | null }) => billed)).toEqual(['engine', null, 'engine']);
  });

  it.each([
    ['issuer', { ...calculation, issuer: undefined }],
    ['issuer.state', { ...calculation, issuer: { state: 'XX', taxRegime: 'RealProfit' } }],
    ['issuer.taxRegime', { ...calculation, issuer: { state: 'SP' } }],
    ['recipient.state', { ...calculation, recipient: {} }],
    ['operationType', { ...calculation, operationType: 'Sideways' }],
    ['items', { ...calculation, items: [] }],
    ['items[0].id', withItem({ id: undefined })],
    ['items[0].operationCode', withItem({ operationCode: 0 })],
    ['items[0].operationCode', withItem({ operationCode: '121' })],
    ['items[0].origin', withItem({ origin: 'Lunar' })],
    ['items[0].quantity', withItem({ quantity: 0 })],
    ['items[0].quantity', withItem({ quantity: -1 })],
    ['items[0].quantity', withItem({ quantity: '1.00001' })],
    ['items[0].unitAmount', withItem({ unitAmount: '1,50' })],
    ['items[0].freightAmount', withItem({ freightAmount: '1.505' })],
    ['items[0].ncm', withItem({ ncm: 'abc' })],
  ])('answers 400 that names %s', async (field, body) => {
    const { status, json } = await calculate(body);
    expect([status, json.error.details[0].field]).toEqual([400, field]);
  });

  it.each([
    ['items[0].operationCode', withItem({ operationCode: 9999 })],
    ['items[0].operationCode', withItem({ operationCode: 221 })],
    ['items[0].acquisitionPurpose', withItem({ acquisitionPurpose: '1' })],
    ['items[0].issuerTaxProfile', withItem({ issuerTaxProfile: 'baker' })],
    ['items[0].recipientTaxProfile', withItem({ recipientTaxProfile: 'baker' })],
    ['items[0].discountAmount', withItem({ discountAmount: 259.01 })],
  ])('answers 422 that names %s', async (field, body) => {
    const { status, json } = await calculate(body);
    expect([status, json.error.code, json.error.details[0].field]).toEqual([422, 'semantic_error', field]);
  });

  it('requires the tenant and the kind of the key', async () => {
    const { status } = await service.send('POST', calculatePath('another'), { body: calculation });
    expect(status).toBe(403);
    const wrong = await service.send('POST', calculatePath(service.ready().tenantId), {
      body: calculation,
      key: service.ready().dataKey,
    });
    expect(wrong.status).toBe(401);
  });
});

describe('GET /tax-codes/{list} (public)', () => {
  it.each(codeLists)('%s has codes with descriptions', async (list) => {
    const { status, json } = await service.send('GET', codesPath(list));
    expect([status, json.currentPage, json.totalPages, json.totalCount]).toEqual([200, 1, 1, json.items.length]);
    for (const each of json.items) expect(Object.keys(each)).toEqual(['code', 'description']);
  });

  it('is read page by page', async () => {
    const whole = (await service.send('GET', codesPath('recipient-tax-profile'))).json;
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) =>
        service.send('GET', `${codesPath('recipient-tax-profile')}?pageIndex=${page}&pageCount=6`),
      ),
    );
    expect(pages.map(({ json }) => [json.currentPage, json.totalPages, json.items.length])).toEqual([
      [1, 3, 6],
      [2, 3, 6],
      [3, 3, 5],
      [4, 3, 0],
    ]);
    expect(pages.flatMap(({ json }) => json.items)).toEqual(whole.items);
  });

  it.each(['?pageIndex=0', '?pageCount=0', '?pageCount=101', '?pageIndex=x'])('refuses %s', async (query) => {
    expect((await service.send('GET', codesPath('operation-code') + query)).status).toBe(400);
  });

  it('answers 404 for an unknown list', async () => {
    expect((await service.send('GET', codesPath('products'))).status).toBe(404);
  });
});
