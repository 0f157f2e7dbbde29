import { describe, expect, test } from 'vitest';
import type { Client } from '../../../src/client/client.js';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import type { AdmitContext } from '../../../src/jobs/kind.js';
import { findBefore } from '../../../src/jobs/kinds/invoice-first-look.js';
import type { MerchandiseItem, ServiceItem } from '../../../src/jobs/kinds/invoice-items.js';
import { noClient } from '../no-client.js';

type Row = Readonly<Record<string, unknown>>;
interface Asked {
  readonly path: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

const NOW = Date.UTC(2026, 10, 21, 12);
const line = { description: 'X', quantity: 1, unitAmount: 10, totalAmount: '10.00' };
const item: MerchandiseItem = {
  model: 'nfe',
  companyId: 'c1',
  externalId: 'P-1',
  invoice: { externalId: 'P-1', environment: 'Test', items: [line] },
};
const other: MerchandiseItem = { ...item, externalId: 'P-2', invoice: { ...item.invoice, externalId: 'P-2' } };
const notFound = new FiscalError('service.not_found', { message: 'x' }, { httpStatus: 404, sent: 'yes' });

function at(seconds: number): string {
  return new Date(NOW + seconds * 1000).toISOString();
}

function row(id: string, externalId: string | undefined, seconds: number): Row {
  const named = externalId === undefined ? {} : { externalId };
  return { id, ...named, status: 'Processing', createdOn: at(seconds), items: [{ ...line, totalAmount: 10 }] };
}

/** One run against a service with these rows, newest first; every question is kept. */
function run(answer: (operation: string, asked: Asked) => unknown) {
  const asked: string[] = [];
  const call = async (operation: string, input: Asked) => {
    const { startingAfter } = input.query ?? {};
    const words = [operation, startingAfter, input.path['invoiceId']];
    asked.push(words.filter((word) => word !== undefined).join(' '));
    return Promise.resolve({ status: 200, body: answer(operation, input), attempts: 1 });
  };
  const client = { ...noClient, call: call as unknown as Client['call'] };
  const lists: AdmitContext['lists'] = new Map();
  const parts = { client, lists, signal: new AbortController().signal } as unknown as AdmitContext;
  return {
    asked,
    look: async (wanted: MerchandiseItem | ServiceItem, seconds = 0) =>
      await findBefore({ ...parts, now: NOW + seconds * 1000 }, wanted),
  };
}

function listOf(rows: Row[]) {
  return run((operation, { query, path }) => {
    if (operation === 'nfe.get') return rows.find(({ id }) => id === path['invoiceId']);
    const from = rows.findIndex(({ id }) => id === query?.['startingAfter']) + 1;
    return { productInvoices: rows.slice(from, from + 2), hasMore: rows.length > from + 2 };
  });
}

describe('the list of issued invoices', () => {
  test('shows the order of another machine with its status, not as a success', async () => {
    const { look } = listOf([row('i1', 'P-1', -5)]);
    expect(await look(item)).toEqual({ state: 'pending', remoteStatus: 'Processing', resourceId: 'i1' });
  });

  test('is read once per minute for all items, and then only its new rows', async () => {
    const rows = [row('o1', 'X-1', -1), row('o2', 'X-2', -2), row('o3', 'X-3', -3_000), row('o4', 'X-4', -3_100)];
    const { look, asked } = listOf(rows);
    expect([await look(item), await look(other, 50)]).toEqual(['absent', 'absent']);
    expect(asked).toEqual(['nfe.list', 'nfe.list o2']);
    rows.unshift(row('i1', 'P-2', 60));
    rows.push(...Array.from({ length: 50 }, (_, n) => row(`old${n}`, `Y-${n}`, -4_000 - n)));
    expect(await look(other, 70)).toMatchObject({ state: 'pending', resourceId: 'i1' });
    expect(asked.slice(2)).toEqual(['nfe.list', 'nfe.list o1', 'nfe.get i1']);
  });

  test('is read beyond a page of equal times, which has no order', async () => {
    const old = -40 * 86_400;
    const { look } = listOf([row('o1', 'X-1', old), row('o2', 'X-2', old), row('i1', 'P-1', -5)]);
    expect(await look(item)).toMatchObject({ state: 'pending', resourceId: 'i1' });
  });

  test('proves nothing if no row has an externalId, or if it never ends', async () => {
    expect(await listOf([row('o1', undefined, -1)]).look(item)).toMatchObject({
      unknown: { en: expect.stringContaining('no externalId') },
    });
    let page = 0;
    const endless = run(() => {
      page += 1;
      return { productInvoices: [row(`o${page}`, `X-${page}`, 0)], hasMore: true };
    });
    expect(await endless.look(item)).toMatchObject({ unknown: { en: expect.stringContaining('10000') } });
    expect(endless.asked).toHaveLength(200);
  });

  test('without hasMore is read to an empty page', async () => {
    const rows = [row('o1', 'X-1', -1), row('o2', 'X-2', -2), row('i1', 'P-1', -3)];
    const { look, asked } = run((operation, { query }) => {
      if (operation === 'nfe.get') return rows[2];
      const from = rows.findIndex(({ id }) => id === query?.['startingAfter']) + 1;
      return { productInvoices: rows.slice(from, from + 2) };
    });
    expect(await look(item)).toMatchObject({ state: 'pending', resourceId: 'i1' });
    expect(asked).toEqual(['nfe.list', 'nfe.list o2', 'nfe.list i1', 'nfe.get i1']);
  });

  test('prevents a send even if the read by id does not find the order yet', async () => {
    const { look } = run((operation) => {
      if (operation === 'nfe.get') throw notFound;
      return { productInvoices: [row('i1', 'P-1', -1)], hasMore: false };
    });
    expect(await look(item)).toMatchObject({ state: 'failed', errorCode: 'invoice.external_id_taken' });
  });

  test('answered with 404 does not prove that nothing was issued', async () => {
    const { look } = run(() => {
      throw notFound;
    });
    await expect(look(item)).rejects.toBe(notFound);
  });
});

describe('an NFS-e', () => {
  const service: ServiceItem = {
    model: 'nfse',
    companyId: 'c1',
    externalId: 'P-1',
    invoice: { description: 'X', servicesAmount: 1 },
  };

  test.each([
    ['that names no externalId is the one that was asked for', {}, { state: 'succeeded', resourceId: 's1' }],
    ['that names another one tells nothing', { externalId: 'P-9' }, { unknown: expect.anything() }],
  ])('%s', async (_name, named, expected) => {
    const body = { id: 's1', ...named, flowStatus: 'Issued', description: 'X', servicesAmount: 1 };
    expect(await run(() => body).look(service)).toMatchObject(expected);
  });

  test.each([
    ['that shows it is the invoice', [{ externalId: 'P-1' }], { state: 'succeeded', resourceId: 's0' }],
    [
      'that shows it beside others is the invoice',
      [{ externalId: 'P-9' }, { externalId: 'P-1' }],
      { state: 'succeeded', resourceId: 's1' },
    ],
    ['without rows has none', [], 'absent'],
    ['of others tells nothing', [{ externalId: 'P-9' }], { unknown: expect.anything() }],
    [
      'of two of the same is never sent beside them',
      [{}, {}],
      { state: 'failed', errorCode: 'invoice.external_id_taken' },
    ],
  ])('in a list %s', async (_name, rows, expected) => {
    const invoice = { flowStatus: 'Issued', description: 'X', servicesAmount: 1 };
    const body = { serviceInvoices: rows.map((row, n) => ({ id: `s${n}`, ...invoice, ...row })), page: 1 };
    const seen = await run(() => body).look(service);
    if (typeof expected === 'string') expect(seen).toBe(expected);
    else expect(seen).toMatchObject(expected);
  });

  test.each([
    ['a tax number that lost its zero as a number', '01234567000195', 1234567000195, 'succeeded'],
    ['a tax number that lost its zero as a text', '01234567000195', '1234567000195', 'succeeded'],
    ['a tax number with its punctuation', '01234567000195', '01.234.567/0001-95', 'succeeded'],
    ['another tax number', '01234567000195', 1234567000196, 'failed'],
  ])('with %s', async (_name, ours, theirs, state) => {
    const invoice = { id: 's1', flowStatus: 'Issued', description: 'X', servicesAmount: 1 };
    const wanted = { ...service, invoice: { ...service.invoice, borrower: { federalTaxNumber: ours } } };
    const { look } = run(() => ({ ...invoice, borrower: { federalTaxNumber: theirs } }));
    expect(await look(wanted)).toMatchObject({ state });
  });

  test('shown without leading zeros is the same only if the number is equal', async () => {
    const invoice = { id: 's1', flowStatus: 'Issued', servicesAmount: 1 };
    const wanted = { ...service, invoice: { description: '007', servicesAmount: 1 } };
    const states = [7, '7'].map(async (description) => await run(() => ({ ...invoice, description })).look(wanted));
    expect(await Promise.all(states)).toMatchObject([{ state: 'succeeded' }, { state: 'failed' }]);
  });

  test('is absent on 404', async () => {
    const { look } = run(() => {
      throw notFound;
    });
    expect(await look(service)).toBe('absent');
  });
});
