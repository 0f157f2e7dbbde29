import { describe, expect, test } from 'vitest';
import type { Client } from '../../../src/client/client.js';
import { findByContent, rememberAlike } from '../../../src/jobs/kinds/invoice-by-content.js';
import { findBefore } from '../../../src/jobs/kinds/invoice-first-look.js';
import { NumberLiteral } from '../../../src/domain/json-numbers.js';
import { issueKinds } from '../../../src/jobs/kinds/invoice-issue.js';
import type { MerchandiseItem } from '../../../src/jobs/kinds/invoice-items.js';
import type { ItemRow, KnownRow, Store } from '../../../src/store/store.js';
import { noClient } from '../no-client.js';

type Row = Readonly<Record<string, unknown>>;

const SENT_AT = Date.UTC(2026, 10, 21, 12);
const item: MerchandiseItem = {
  model: 'nfe',
  companyId: 'c1',
  externalId: 'P-1',
  invoice: {
    buyer: { name: 'Comércio', federalTaxNumber: '01222333000181' },
    items: [{ description: 'X', quantity: 2, unitAmount: '18.90', totalAmount: '37.80' }],
  },
};

function at(minutes: number): string {
  return new Date(SENT_AT + minutes * 60_000).toISOString();
}

/** A row as the list publishes it; the buyer's number has lost its zero. */
function row(id: string, change: Row = {}): Row {
  return {
    ...{ id, status: 'Issued', createdOn: at(0), environmentType: 'Test' },
    buyer: { name: 'Comércio', federalTaxNumber: 1222333000181 },
    totals: { icms: { invoiceAmount: 37.8 } },
    ...change,
  };
}

/** A service with these invoices, and a store with these other items. */
function world(
  rows: readonly Row[],
  {
    others = [],
    listed = rows,
  }: { readonly others?: readonly Partial<ItemRow>[]; readonly listed?: readonly Row[] } = {},
) {
  const asked: string[] = [];
  const known = new Map<string, KnownRow>();
  const call = async (operation: string, input: { path: Row; query?: Row }) => {
    asked.push([operation, input.query?.['environment'], input.path['invoiceId']].filter(Boolean).join(' '));
    const isTest = input.query?.['environment'] === 'Test';
    const body =
      operation === 'nfe.list'
        ? { productInvoices: isTest ? listed : [], hasMore: false }
        : rows.find(({ id }) => id === input.path['invoiceId']);
    return Promise.resolve({ status: 200, body, attempts: 1 });
  };
  const client = { ...noClient, call: call as unknown as Client['call'] };
  const store = {
    items: { claimants: async () => Promise.resolve(others) },
    known: {
      get: async ({ id }: KnownRow) => Promise.resolve(known.get(id)),
      put: async (put: KnownRow) => Promise.resolve(void known.set(put.id, put)),
    },
  } as unknown as Store;
  const shared = { store, profile: 'p', signal: new AbortController().signal };
  return {
    asked,
    ...{ client, memory: { ...shared, now: SENT_AT } },
    find: async (wanted = item) => await findByContent(client, wanted, { ...shared, itemId: 'i1', sentAt: SENT_AT }),
    lookBefore: async (wanted = item) =>
      await findBefore({ ...shared, client, now: SENT_AT, lists: new Map() }, wanted),
  };
}

function changed(change: Row): MerchandiseItem {
  return { ...item, invoice: { ...item.invoice, ...change } };
}

describe('an NF-e that was sent without an externalId, of unknown outcome', () => {
  test('is the one row with its buyer and total, in either environment', async () => {
    const { find, asked } = world([row('r1'), row('r2', { buyer: { federalTaxNumber: 99888777000166 } })]);
    expect(await find()).toEqual({ state: 'succeeded', remoteStatus: 'Issued', resourceId: 'r1' });
    expect(asked).toEqual(['nfe.list Production', 'nfe.list Test', 'nfe.get r1']);
  });

  test('is not the invoice of somebody else for other goods, with the same buyer and total', async () => {
    const items = [{ code: 'Y', quantity: 1, totalAmount: 37.8 }];
    const detail = row('r1', { items });
    const wanted = changed({ items: [{ code: 'X', quantity: 2, unitAmount: '18.90', totalAmount: '37.80' }] });
    expect(await world([detail], { listed: [row('r1')] }).find(wanted)).toBe('absent');
    expect(await world([row('r1', { items: [items[0], items[0]] })]).find()).toBe('absent');
  });

  test('is not known to have failed because one with its buyer and total has', async () => {
    expect(await world([row('r1', { status: 'IssueFailed' })]).find()).toEqual({ mayBe: ['r1'] });
  });

  test.each([
    ['the order number', { additionalInformation: { order: 'P-1' } }],
    ['serie and number', { serie: 1, number: 77 }],
  ])('may be one that shows %s and another total', async (_name, shown) => {
    const other = row('r1', { ...shown, totals: { icms: { invoiceAmount: 99 } } });
    expect(await world([other]).find(changed(shown))).toEqual({ mayBe: ['r1'] });
  });

  test('may be one whose buyer is masked', async () => {
    const masked = row('r1', { buyer: { federalTaxNumber: '**.222.333/0001-**' } });
    expect(await world([masked]).find()).toEqual({ mayBe: ['r1'] });
  });

  test('has a total without the items that do not make it up', async () => {
    const gift = { description: 'Brinde', totalAmount: '5.00', totalIndicator: false };
    const items = [...(item.invoice['items'] as readonly Row[]), gift];
    expect(await world([row('r1')]).find(changed({ items }))).toMatchObject({ resourceId: 'r1' });
  });

  test('is absent where every row has another buyer, total or order, or is older', async () => {
    const rows = [
      row('r1', { buyer: { federalTaxNumber: 99888777000166 } }),
      row('r2', { totals: { icms: { invoiceAmount: 37.85 } } }),
      row('r3', { createdOn: at(-73 * 60) }),
      row('r4', { externalId: 'P-9' }),
    ];
    expect(await world(rows).find()).toBe('absent');
    expect(await world([]).find()).toBe('absent');
  });

  test('may be one of several alike', async () => {
    expect(await world([row('r1'), row('r2')]).find()).toEqual({ mayBe: ['r1', 'r2'] });
  });

  test('may be one that a service with a wrong clock shows as older, where no other is it', async () => {
    const behind = row('r1', { createdOn: at(-26 * 60) });
    expect(await world([behind]).find()).toEqual({ mayBe: ['r1'] });
    expect(await world([behind, row('r2')]).find()).toMatchObject({ resourceId: 'r2' });
  });

  test.each([
    ['long before the send', at(-60)],
    ['long after it', at(60)],
    ['at an unknown time', undefined],
  ])('is not taken for one that was created %s', async (_name, createdOn) => {
    expect(await world([row('r1', { createdOn })]).find()).toEqual({ mayBe: ['r1'] });
  });

  test('is never taken for one of a consumer without a tax number', async () => {
    const anonymous = changed({ buyer: { name: 'Maria' } });
    expect(await world([row('r1', { buyer: { name: 'Maria' } })]).find(anonymous)).toEqual({ mayBe: ['r1'] });
    expect(await world([row('r1')]).find(anonymous)).toBe('absent');
  });

  test('is not taken for one of another item of this store', async () => {
    const other = { id: 'i2', input: item, sentAt: SENT_AT };
    expect(await world([row('r1')], { others: [{ ...other, resourceId: 'r1' }] }).find()).toBe('absent');
    expect(await world([row('r1')], { others: [other] }).find()).toEqual({ mayBe: ['r1'] });
    const two = world([row('r1'), row('r2')], { others: [{ ...other, resourceId: 'r2' }] });
    expect(await two.find()).toMatchObject({ resourceId: 'r1' });
    // Itself, one of another company, and one that was sent at another time are no rivals.
    const harmless = [
      { ...other, id: 'i1' },
      { ...other, input: { ...item, companyId: 'c2' } },
      { ...other, sentAt: SENT_AT - 3 * 3_600_000 },
    ];
    expect(await world([row('r1')], { others: harmless }).find()).toMatchObject({ resourceId: 'r1' });
  });

  test('is not taken for one that was there before the send', async () => {
    const { find, lookBefore } = world([row('r1')]);
    expect(await lookBefore()).toMatchObject({ unknown: { en: expect.stringContaining('no externalId') } });
    expect(await find()).toBe('absent');
  });

  test('is not distinguished if the list was not read before the send', async () => {
    const { find, memory } = world([row('r1')]);
    await rememberAlike(memory, item, undefined);
    expect(await find()).toEqual({ mayBe: ['r1'] });
    await rememberAlike(memory, item, []);
    expect(await find()).toMatchObject({ resourceId: 'r1' });
  });

  test('is read where the list leaves the buyer or the total out', async () => {
    const listed = [{ id: 'r1', status: 'Processing', createdOn: at(0) }];
    const { find, asked } = world([row('r1')], { listed });
    expect(await find()).toMatchObject({ state: 'succeeded', resourceId: 'r1' });
    expect(asked.at(-1)).toBe('nfe.get r1');
    const silent = world([{ id: 'r1', createdOn: at(0), totals: { icms: { invoiceAmount: 0 } } }]);
    expect(await silent.find()).toEqual({ mayBe: ['r1'] });
  });

  test('is known by its order number among others of the same content', async () => {
    const ordered = changed({ additionalInformation: { order: 'P-1' } });
    const rows = ['P-1', 'P-2'].map((order) => row(`r-${order}`, { additionalInformation: { order } }));
    expect(await world([...rows, row('r3')]).find(ordered)).toMatchObject({ resourceId: 'r-P-1' });
    expect(await world(rows.slice(1)).find(ordered)).toBe('absent');
    expect(await world([row('r3')]).find(ordered)).toEqual({ mayBe: ['r3'] });
  });

  test('is known by its serie and number, and one of another number may be it', async () => {
    const numbered = changed({ serie: 1, number: 7 });
    const rows = [row('r1', { serie: 1, number: 7 }), row('r2', { serie: 1, number: 8 })];
    expect(await world(rows).find(numbered)).toMatchObject({ resourceId: 'r1' });
    expect(await world(rows.slice(1)).find(numbered)).toEqual({ mayBe: ['r2'] });
  });

  test.each([
    ['that the tax engine calculates', { taxDetermination: { operationCode: 1 } }],
    ['with IPI', { tax: { ipi: { amount: 3 } } }],
    ['with ICMS of substitution', { tax: { icms: { stAmount: 3 } } }],
  ])('of an item %s is known by the total of its payments only', async (_name, more) => {
    const taxed = changed({ items: [{ ...item.invoice.items[0], ...more }] });
    const paid = changed({ ...taxed.invoice, payment: [{ paymentDetail: [{ method: 'Cash', amount: '40.80' }] }] });
    const { find } = world([row('r1', { totals: { icms: { invoiceAmount: new NumberLiteral('40.80') } } })]);
    expect(await find(taxed)).toEqual({ mayBe: ['r1'] });
    expect(await find(paid)).toMatchObject({ resourceId: 'r1' });
  });

  test('may be one whose total differs by the rounding of a cent', async () => {
    expect(await world([row('r1', { totals: { icms: { invoiceAmount: 37.79 } } })]).find()).toEqual({ mayBe: ['r1'] });
  });

  test('stays unknown if a row has no id, or too many must be read', async () => {
    expect(await world([{ ...row('r1'), id: undefined }]).find()).toBe('cannot tell');
    const many = Array.from({ length: 26 }, (_, index) => ({ id: `r${index}`, createdOn: at(0) }));
    expect(await world(many).find()).toBe('cannot tell');
  });
});

test('an order number that the list shows is looked for before the send', async () => {
  const ordered = changed({ additionalInformation: { order: 'P-1' } });
  const there = { ...ordered.invoice, ...row('r1', { additionalInformation: { order: 'P-1' } }) };
  expect(await world([there]).lookBefore(ordered)).toMatchObject({ state: 'succeeded', resourceId: 'r1' });
  const other = row('r1', { additionalInformation: { order: 'P-2' } });
  expect(await world([other]).lookBefore(ordered)).toBe('absent');
  expect(await world([row('r1')]).lookBefore(ordered)).toMatchObject({
    unknown: { en: expect.stringContaining('no order number') },
  });
});

test('an invoice that stands in another environment than the one that was asked for is no success', async () => {
  const kind = issueKinds.find(({ name }) => name === 'nfe-issue');
  const read = async (environmentType: string) => {
    const { client } = world([row('r1', { environmentType })]);
    // A read looks at no more of the row than this.
    const issued = { input: { ...item, environment: 'Production' }, resourceId: 'r1' } as unknown as ItemRow;
    return await kind?.read(client, issued, {});
  };
  expect([await read('Production'), await read('Test')]).toMatchObject([
    { state: 'succeeded' },
    { state: 'uncertain', reason: { is: 'other-environment' } },
  ]);
});
