import { beforeEach, describe, expect, it } from 'vitest';
import { testService } from '../../conformance/service.js';
import { badRequest, unprocessable } from '../../facts/errors.js';
import { acceptedStatus, merchandise, productInvoicesPath } from '../../facts/invoice.js';

const service = testService();
const products = (tail = '') => productInvoicesPath(service.ready().companyId) + tail;
const advance = (time = '2m') => service.control('POST', 'clock', { advance: time });
const fieldsOf = (json: { error: { details: { field: string }[] } }) => json.error.details.map(({ field }) => field);

async function issue(more: object): Promise<string> {
  const answer = await service.send('POST', products(), { body: { ...merchandise, ...more } });
  expect(answer.status).toBe(acceptedStatus);
  return answer.json.id;
}

const read = async (id: string) => (await service.send('GET', products(`/${id}`))).json;

beforeEach(() => service.control('POST', 'reset'));

describe('taxDetermination (§1)', () => {
  const [item] = merchandise.items;
  const determined = { ...item, code: 'SKU-1', taxDetermination: { operationCode: 121 } };

  it('fills in the taxes of its item from the engine, and keeps those that the item has', async () => {
    const id = await issue({ items: [item, { ...determined, tax: { pis: { cst: '99' } } }] });
    const [plain, filled] = (await read(id)).items;
    expect(plain).toEqual(item);
    expect([filled.tax.pis, typeof filled.tax.icms, typeof filled.cfop]).toEqual([{ cst: '99' }, 'object', 'number']);
  });

  it.each([
    ['SimplesNacional', { csosn: '102' }],
    ['MicroempreendedorIndividual', { csosn: '102' }],
    ['LucroReal', { cst: '00' }],
    ['LucroPresumido', { cst: '00' }],
  ])('follows the tax regime of the company: %s', async (taxRegime, icms) => {
    const path = `/v2/companies/${service.ready().companyId}`;
    const { name, federalTaxNumber, address } = (await service.send('GET', path)).json.company;
    const company = { name, federalTaxNumber, address, taxRegime };
    expect((await service.send('PUT', path, { body: { company } })).status).toBe(200);
    const [filled] = (await read(await issue({ items: [determined] }))).items;
    expect(filled.tax.icms).toMatchObject(icms);
  });

  it('prefers the rules of an active product with the SKU', async () => {
    const customTax = [{ operationCode: 121, intraState: { cfop: '5403', icms: { cst: '00', pICMS: '7.77' } } }];
    const { tenantId } = service.ready();
    await service.send('POST', `/${tenantId}/products`, { body: { sku: 'SKU-1', customTax } });
    await advance();
    const [filled] = (await read(await issue({ items: [determined] }))).items;
    expect([filled.cfop, filled.tax.icms.pICMS]).toEqual([5403, '7.77']);
  });

  it.each([
    ['items[1].taxDetermination.operationCode', badRequest, {}],
    ['items[1].taxDetermination.operationCode', unprocessable, { operationCode: 9_998 }],
    ['items[1].taxDetermination.buyerTaxProfile', unprocessable, { operationCode: 121, buyerTaxProfile: 'x' }],
  ])('names %s when the engine refuses it (%i), and bills nothing', async (field, status, taxDetermination) => {
    const body = { ...merchandise, items: [item, { ...item, taxDetermination }] };
    const answer = await service.send('POST', products(), { body });
    expect([answer.status, fieldsOf(answer.json)]).toEqual([status, [field]]);
    expect((await service.control('GET', 'usage')).total).toBe(0);
  });
});
