import { beforeEach, describe, expect, it } from 'vitest';
import { badRequest, conflict, notFound, unprocessable, validationCode } from '../facts/errors.js';
import {
  acceptedStatus,
  cnpj,
  consumerInvoicesPath,
  merchandise,
  productInvoicesPath,
  queuedStatus,
} from '../facts/invoice.js';
import { testService } from './service.js';

const service = testService();
const products = (tail = '') => productInvoicesPath(service.ready().companyId) + tail;
const consumers = (tail = '') => consumerInvoicesPath(service.ready().companyId) + tail;
const advance = (time = '2m') => service.control('POST', 'clock', { advance: time });
const outcome = (rule: object) => service.control('POST', 'outcomes', rule);

async function issue(more: object = {}, path = products()): Promise<string> {
  const answer = await service.send('POST', path, { body: { ...merchandise, ...more } });
  expect([acceptedStatus, queuedStatus]).toContain(answer.status);
  return answer.json.id;
}

async function issued(more: object = {}, path = products()): Promise<string> {
  const id = await issue(more, path);
  await advance();
  return id;
}

const read = async (id: string, path = products()) => (await service.send('GET', `${path}/${id}`)).json;
const fieldsOf = (json: { error: { details: { field: string }[] } }) => json.error.details.map(({ field }) => field);

beforeEach(async () => {
  await service.control('POST', 'reset');
  // Some of the bodies have fields and types that the published ones do not have.
  await service.control('POST', 'mode', { lenient: true });
});

describe('issue of an NF-e', () => {
  it('is accepted with 202, and goes from Created through Processing to Issued', async () => {
    const answer = await service.send('POST', products(), { body: { ...merchandise, externalId: 'v-1' } });
    const { id } = answer.json;
    expect([answer.status, answer.json.status, answer.json.externalId]).toEqual([acceptedStatus, 'Created', 'v-1']);
    expect(answer.headers.get('location')).toContain(products(`/${id}`));
    await advance('30s');
    expect((await read(id)).status).toBe('Processing');
    await advance('30s');
    const { authorization, ...invoice } = await read(id);
    expect(invoice).toMatchObject({ ...merchandise, status: 'Issued', serie: 1, number: 1 });
    expect(invoice.totals).toEqual({ icms: { invoiceAmount: 21 } });
    expect(authorization.accessKey).toMatch(/^\d{20}55001000000001\d{10}$/);
  });

  it.each([
    ['productinvoices', 202],
    ['consumerinvoices', 200],
  ])('of %s answers %i with its Location and the whole invoice', async (name, status) => {
    const path = `/v2/companies/${service.ready().companyId}/${name}`;
    const answer = await service.send('POST', path, { body: merchandise });
    const { id } = answer.json;
    expect([answer.status, answer.json]).toEqual([
      status,
      expect.objectContaining({ ...merchandise, id: expect.any(String), status: 'Created' }),
    ]);
    const { pathname } = new URL(answer.headers.get('location') ?? '');
    expect(pathname).toBe(`${path}/${id}`);
    expect((await service.send('GET', pathname)).json.id).toBe(id);
  });

  it('creates a second invoice for the same externalId, and for the same Idempotency-Key', async () => {
    const body = { ...merchandise, externalId: 'v-2' };
    const headers = { 'Idempotency-Key': 'same' };
    const one = await service.send('POST', products(), { body, headers });
    const other = await service.send('POST', products(), { body, headers });
    expect(one.json.id).not.toBe(other.json.id);
    const { entries } = await service.control('GET', 'ledger?effects=true');
    expect(entries.map(({ effect }: { effect: object }) => effect)).toEqual([
      { issued: 'nfe', id: one.json.id, externalId: 'v-2' },
      { issued: 'nfe', id: other.json.id, externalId: 'v-2' },
    ]);
  });

  it('numbers each serie and environment separately', async () => {
    const ids = [
      await issued(),
      await issued(),
      await issued({ serie: 7 }),
      await issued({ environment: 'Test' }),
      await issued({ number: 90 }),
      await issued(),
    ];
    const invoices = await Promise.all(ids.map((id) => read(id)));
    expect(invoices.map(({ serie, number }) => [serie, number])).toEqual([
      [1, 1],
      [1, 2],
      [7, 1],
      [1, 1],
      [1, 90],
      [1, 91],
    ]);
  });

  it('ignores fields of the body that only the service sets', async () => {
    const id = await issue({ id: 'mine', status: 'Issued', authorization: { accessKey: '1' } });
    const invoice = await read(id);
    expect([invoice.id, invoice.status, invoice.authorization]).toEqual([id, 'Created', undefined]);
  });

  it('bills the engine once if an item uses taxDetermination (§1)', async () => {
    const [item] = merchandise.items;
    await issue();
    const id = await issue({ items: [item, { ...item, taxDetermination: { operationCode: 121 } }] });
    expect(await service.control('GET', 'usage')).toMatchObject({ total: 1, byOperation: { 'nfe.issue': 1 } });
    const { entries } = await service.control('GET', 'ledger?effects=true');
    expect(
      entries.map(({ billed, effect }: { billed: string; effect: { id: string } }) => [billed, effect.id]),
    ).toEqual([
      [null, expect.any(String)],
      ['engine', id],
    ]);
  });
});

describe('issue of an NFC-e', () => {
  it('answers 200 when queued, needs no buyer and gets a key of model 65', async () => {
    const answer = await service.send('POST', consumers(), { body: { items: merchandise.items } });
    expect(answer.status).toBe(queuedStatus);
    await advance();
    const invoice = await read(answer.json.id, consumers());
    expect([invoice.status, invoice.authorization.accessKey.slice(20, 22)]).toEqual(['Issued', '65']);
    expect((await service.send('GET', products(`/${answer.json.id}`))).status).toBe(notFound);
  });
});

describe('checks before an issue', () => {
  const [item] = merchandise.items;
  it.each([
    ['buyer', { buyer: undefined }],
    ['buyer.federalTaxNumber', { buyer: { name: 'Maria' } }],
    ['buyer.federalTaxNumber', { buyer: { name: 'Maria', federalTaxNumber: '52998224726' } }],
    ['buyer.federalTaxNumber', { buyer: { name: 'Loja', federalTaxNumber: 11222333000182 } }],
    ['items', { items: [] }],
    ['items', { items: 'none' }],
    ['items[0].description', { items: [{ ...item, description: ' ' }] }],
    ['items[0].quantity', { items: [{ ...item, quantity: -2 }] }],
    ['items[0].quantity', { items: [{ ...item, quantity: '0.0000' }] }],
    ['items[0].quantity', { items: [{ ...item, quantity: '1.00001' }] }],
    ['items[0].unitAmount', { items: [{ ...item, unitAmount: '1.00000000001' }] }],
    ['items[0].unitAmount', { items: [{ ...item, unitAmount: '-1' }] }],
    ['items[0].totalAmount', { items: [{ ...item, totalAmount: 21.001 }] }],
    ['items[1].ncm', { items: [item, { ...item, ncm: '123' }] }],
    ['items[0].cfop', { items: [{ ...item, cfop: 8102 }] }],
    ['serie', { serie: 970 }],
    ['environment', { environment: 'test' }],
    ['externalId', { externalId: 'a\nb' }],
    ['payment[0].paymentDetail[0].amount', { payment: [{ paymentDetail: [{ amount: '1.001' }] }] }],
  ])('answer 400 that names %s', async (field, change) => {
    const answer = await service.send('POST', products(), { body: { ...merchandise, ...change } });
    expect([answer.status, answer.json.error.code]).toEqual([badRequest, validationCode]);
    expect(fieldsOf(answer.json)).toEqual([field]);
  });

  it('report all problems at once', async () => {
    const body = { items: [{ quantity: -1, unitAmount: 'x' }] };
    const answer = await service.send('POST', consumers(), { body });
    expect(fieldsOf(answer.json)).toEqual(['items[0].description', 'items[0].quantity', 'items[0].unitAmount']);
  });

  it.each([
    ['a total that is not quantity times price', { ...item, totalAmount: '21.02' }, 'items[0].totalAmount'],
    ['discounts above the goods', { ...item, discountAmount: '21.01' }, 'items'],
  ])('answer 422 for %s', async (_what, change, field) => {
    const answer = await service.send('POST', products(), { body: { ...merchandise, items: [change] } });
    expect([answer.status, fieldsOf(answer.json)]).toEqual([unprocessable, [field]]);
  });

  it.each([
    ['a cent of rounding', { ...item, totalAmount: '20.99' }, 20.99],
    ['ten decimals of price', { ...item, quantity: 3, unitAmount: '0.3333333333' }, 1],
    ['a price as a small number', { ...item, quantity: 1000, unitAmount: 1e-7 }, 0],
    ['a discount and freight', { ...item, discountAmount: '1.00', freightAmount: 2 }, 22],
  ])('accept %s', async (_what, change, total) => {
    const id = await issue({ items: [change] });
    expect((await read(id)).totals.icms.invoiceAmount).toBe(total);
  });

  it('accept a buyer with a numeric CNPJ, and one abroad without a tax number', async () => {
    await issue({ buyer: { name: 'Loja', federalTaxNumber: Number(cnpj) } });
    await issue({ buyer: { name: 'Maria', address: { country: 'ARG' } } });
  });

  it('answer 404 for an unknown company', async () => {
    const path = productInvoicesPath('00000000-0000-4000-8000-000000000000');
    expect((await service.send('POST', path, { body: merchandise })).status).toBe(notFound);
  });
});

describe('outcomes chosen by a test', () => {
  it.each([
    ['failed', { status: 'Error', errorCode: '204', errorMessage: 'Duplicidade' }],
    ['denied', { status: 'IssueDenied', errorCode: '204', errorMessage: 'Duplicidade' }],
  ])('%s ends the issue with the code and text of the refusal', async (kind, ending) => {
    await outcome({ outcome: kind, code: '204', message: 'Duplicidade', externalId: 'o-1' });
    const [struck, other] = [await issued({ externalId: 'o-1' }), await issued({ externalId: 'o-2' })];
    expect(await read(struck)).toMatchObject(ending);
    expect((await read(other)).status).toBe('Issued');
  });

  it.each([
    ['pending', 'Processing'],
    ['unlisted', 'Quarantined'],
  ])('%s leaves the invoice in %s', async (kind, status) => {
    const id = await issue();
    await outcome({ outcome: kind, id });
    await advance('10d');
    expect((await read(id)).status).toBe(status);
  });

  it('can delay the end', async () => {
    await outcome({ delayMs: 3_600_000, family: 'nfe' });
    const id = await issued();
    expect((await read(id)).status).toBe('Processing');
    await advance('1h');
    expect((await read(id)).status).toBe('Issued');
  });

  it('apply at the configured rate, determined by the seed', async () => {
    await outcome({ outcome: 'failed', rate: 0.5, family: 'nfe' });
    const ids: string[] = [];
    for (let made = 0; made < 20; made += 1) ids.push(await issue());
    await advance();
    const { rules, invoices } = await service.control('GET', 'outcomes');
    expect([rules[0].seen, invoices.Error]).toEqual([20, rules[0].applied]);
    expect(rules[0].applied).toBeGreaterThan(4);
    expect(rules[0].applied).toBeLessThan(16);
  });

  it.each([
    ['a number that is issued', '539', 5],
    ['a number that is disabled', '206', 8],
  ])('include the refusal of %s by rule %s of the authority', async (_what, code, number) => {
    await issued({ number: 5 });
    await disable({ beginNumber: 8, lastNumber: 8 });
    expect(await read(await issued({ number }))).toMatchObject({ status: 'Error', errorCode: code });
  });
});

function disable(change: object, path = products()) {
  const body = {
    environment: 'Production',
    serie: 1,
    state: 'SP',
    beginNumber: 10,
    lastNumber: 20,
    reason: 'Falha na numeração do sistema',
    ...change,
  };
  return service.send('POST', `${path}/disablement`, { body });
}

describe('disabling a range of numbers', () => {
  it('returns the range with a protocol, and the numbers are never issued', async () => {
    const answer = await disable({ beginNumber: 1, lastNumber: 20 });
    expect([answer.status, answer.json]).toMatchObject([
      200,
      { serie: 1, beginNumber: 1, lastNumber: 20, status: 'Disabled', protocol: expect.stringMatching(/^\d{15}$/) },
    ]);
    expect((await read(await issued())).number).toBe(21);
  });

  it('works for numbers of NFC-e too', async () => {
    const answer = await disable({ beginNumber: 1, lastNumber: 20 }, consumers());
    expect([answer.status, answer.json.status]).toEqual([200, 'Disabled']);
    expect((await read(await issued({}, consumers()), consumers())).number).toBe(21);
    expect((await read(await issued())).number).toBe(1);
  });

  it('answers 409 for a range with an issued number or with disabled numbers', async () => {
    await issued({ number: 15 });
    const answers = [await disable({}), await disable({ lastNumber: 14 })];
    answers.push(await disable({ lastNumber: 14 }), await disable({ beginNumber: 14, lastNumber: 14 }));
    expect(answers.map(({ status }) => status)).toEqual([conflict, 200, conflict, conflict]);
  });

  it.each([
    ['lastNumber', { beginNumber: 2, lastNumber: 1 }],
    ['lastNumber', { beginNumber: 1, lastNumber: 10_001 }],
    ['state', { state: 'XX' }],
    ['reason', { reason: 'curto' }],
    ['environment', { environment: 'Sandbox' }],
    ['serie', { serie: '1' }],
  ])('answers 400 that names %s', async (field, change) => {
    const answer = await disable(change);
    expect([answer.status, fieldsOf(answer.json)]).toEqual([badRequest, [field]]);
  });
});
