import { describe, expect, test } from 'vitest';
import type { Client } from '../../../src/client/client.js';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import type { MerchandiseItem, ServiceItem } from '../../../src/jobs/kinds/invoice-items.js';
import { findByExternalId, findInList } from '../../../src/jobs/kinds/invoice-lookup.js';
import { noClient } from '../no-client.js';
import { said } from '../../../src/errors/reasons.js';

type Row = Readonly<Record<string, unknown>>;
interface Asked {
  readonly path: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

const SENT_AT = Date.UTC(2026, 10, 21, 12);
const look = { signal: new AbortController().signal, sentAt: SENT_AT };
const item: MerchandiseItem = {
  model: 'nfe',
  companyId: 'c1',
  externalId: 'P-1',
  invoice: { externalId: 'P-1', environment: 'Test', items: [] },
};

/** A client whose reads are answered by a function; every question is kept. */
function clientOf(answer: (operation: string, asked: Asked) => unknown): { client: Client; asked: string[] } {
  const asked: string[] = [];
  const call = async (operation: string, input: Asked) => {
    const { environment, startingAfter } = input.query ?? {};
    const words = [operation, environment, startingAfter, input.path['invoiceId']];
    asked.push(words.filter((word) => word !== undefined).join(' '));
    return Promise.resolve({ status: 200, body: answer(operation, input), attempts: 1 });
  };
  return { client: { ...noClient, call: call as unknown as Client['call'] }, asked };
}

function at(hours: number): string {
  return new Date(SENT_AT + hours * 3_600_000).toISOString();
}

/** A list of these rows, two a page. */
function listOf(rows: readonly Row[]) {
  return (operation: string, { query, path }: Asked): unknown => {
    if (operation === 'nfe.get') return rows.find(({ id }) => id === path['invoiceId']);
    const from = rows.findIndex(({ id }) => id === query?.['startingAfter']) + 1;
    return { productInvoices: rows.slice(from, from + 2), hasMore: rows.length > from + 2 };
  };
}

describe('an NF-e whose outcome is unknown', () => {
  test('is found on a later page, with its status', async () => {
    const others = [1, 2, 3].map((n) => ({ id: `o${n}`, externalId: `X-${n}`, createdOn: at(-n) }));
    const mine = { id: 'i1', externalId: 'P-1', status: 'Issued', createdOn: at(-4) };
    const { client, asked } = clientOf(listOf([...others, mine]));
    expect(await findInList(client, item, look)).toEqual({
      state: 'succeeded',
      remoteStatus: 'Issued',
      resourceId: 'i1',
    });
    expect(asked).toEqual(['nfe.list Test', 'nfe.list Test o2']);
  });

  test('is absent if a list that shows externalIds does not contain it', async () => {
    const { client } = clientOf(
      listOf([
        { id: 'o1', externalId: 'X', createdOn: at(0) },
        { id: 'o2', createdOn: at(0) },
      ]),
    );
    expect(await findInList(client, item, look)).toBe('absent');
  });

  test('is searched for to an empty page in a list without hasMore', async () => {
    const rows = [1, 2, 3].map((n) => ({ id: `o${n}`, externalId: `X-${n}`, createdOn: at(0) }));
    const silent = (operation: string, asked: Asked): unknown => {
      const { productInvoices } = listOf(rows)(operation, asked) as { productInvoices: readonly Row[] };
      return { productInvoices };
    };
    const { client, asked } = clientOf(silent);
    expect(await findInList(client, item, look)).toBe('absent');
    expect(asked).toEqual(['nfe.list Test', 'nfe.list Test o2', 'nfe.list Test o3']);
    const full = Array.from({ length: 50 }, (_, n) => ({ id: `o${n}`, externalId: 'X', createdOn: at(0) }));
    const same = clientOf(() => ({ productInvoices: full }));
    expect(await findInList(same.client, item, look)).toBe('cannot tell');
  });

  test('is absent in an empty list, in both environments if the invoice names none', async () => {
    const { client, asked } = clientOf(listOf([]));
    const unnamed = { ...item, invoice: { externalId: 'P-1', items: [] } };
    expect(await findInList(client, unnamed, look)).toBe('absent');
    expect(asked).toEqual(['nfe.list Production', 'nfe.list Test']);
  });

  test('is searched for in the details if the list shows no externalIds', async () => {
    const row = { id: 'o1', createdOn: at(0) };
    const { client } = clientOf((operation) =>
      operation === 'nfe.get'
        ? { ...row, externalId: 'P-1', status: 'Processing' }
        : { productInvoices: [row], hasMore: false },
    );
    expect(await findInList(client, item, look)).toEqual({
      state: 'pending',
      remoteStatus: 'Processing',
      resourceId: 'o1',
    });
  });

  test('stays unknown if nothing shows externalIds', async () => {
    const { client } = clientOf(listOf([{ id: 'o1', createdOn: at(0) }]));
    expect(await findInList(client, item, look)).toBe('cannot tell');
  });

  test('is not confused with an older invoice with the same externalId', async () => {
    const { client } = clientOf(listOf([{ id: 'o1', externalId: 'P-1', createdOn: at(-48) }]));
    expect(await findInList(client, item, look)).toBe('cannot tell');
  });

  test('is not searched for beyond three days before its send in a list that is newest first', async () => {
    const rows = [-1, -80, -120, -160].map((hours) => ({ id: `o${hours}`, externalId: 'X', createdOn: at(hours) }));
    const { client, asked } = clientOf(listOf(rows));
    expect(await findInList(client, item, look)).toBe('absent');
    expect(asked).toEqual(['nfe.list Test']);
  });

  test('stays unknown where a service with a wrong clock shows it without an externalId', async () => {
    const { client } = clientOf(listOf([{ id: 'o1', createdOn: at(-26) }]));
    expect(await findInList(client, item, look)).toBe('cannot tell');
  });

  test('is found beyond a page of equal times, which has no order', async () => {
    const old = [1, 2].map((n) => ({ id: `o${n}`, externalId: 'X', createdOn: at(-60) }));
    const mine = { id: 'i1', externalId: 'P-1', status: 'Issued', createdOn: at(0) };
    const { client } = clientOf(listOf([...old, mine]));
    expect(await findInList(client, item, look)).toMatchObject({ resourceId: 'i1' });
  });

  test('stays unknown if the answer is not a list, or the list never ends', async () => {
    const broken = clientOf(() => ({ rows: [] }));
    let page = 0;
    const endless = clientOf(() => {
      page += 1;
      return { productInvoices: [{ id: `o${page}`, externalId: 'X', createdOn: at(0) }], hasMore: true };
    });
    expect(await findInList(broken.client, item, look)).toBe('cannot tell');
    expect(await findInList(endless.client, item, look)).toBe('cannot tell');
    expect(endless.asked.length).toBe(200);
  });
});

describe('an NFS-e whose outcome is unknown', () => {
  const service: ServiceItem = {
    model: 'nfse',
    companyId: 'c1',
    externalId: 'P-1',
    invoice: { description: 'X', servicesAmount: 1 },
  };

  test('is found by its externalId', async () => {
    const { client } = clientOf(() => ({ id: 's1', flowStatus: 'IssueFailed', flowMessage: 'E10: RPS já informado' }));
    expect(await findByExternalId(client, service, look)).toEqual({
      state: 'rejected',
      remoteStatus: 'IssueFailed',
      errorCode: 'outcome.ended_badly',
      reason: said('E10: RPS já informado'),
      resourceId: 's1',
    });
  });

  test('is absent only on 404', async () => {
    const failing = (error: FiscalError) =>
      clientOf(() => {
        throw error;
      }).client;
    const missing = new FiscalError('service.not_found', { message: 'x' }, { httpStatus: 404, sent: 'yes' });
    const away = new FiscalError('service.unavailable', { status: 503, message: 'x' }, { httpStatus: 503 });
    expect(await findByExternalId(failing(missing), service, look)).toBe('absent');
    await expect(findByExternalId(failing(away), service, look)).rejects.toBe(away);
  });

  test('is found in a list, and absent in an empty one', async () => {
    const row = { id: 's1', externalId: 'P-1', flowStatus: 'Issued' };
    const read = async (rows: Row[]) =>
      await findByExternalId(clientOf(() => ({ serviceInvoices: rows, page: 1 })).client, service, look);
    expect(await read([row])).toMatchObject({ state: 'succeeded', resourceId: 's1' });
    expect(await read([])).toBe('absent');
    expect(await read([row, { ...row, id: 's2' }])).toBe('cannot tell');
    expect(await read([{ ...row, externalId: 'P-9' }])).toBe('cannot tell');
  });

  test('is not absent in an empty page of a list with a count of one', async () => {
    const { client } = clientOf(() => ({ serviceInvoices: [], totalResults: 1, page: 1 }));
    expect(await findByExternalId(client, service, look)).toBe('cannot tell');
    const counted = clientOf(() => ({ serviceInvoices: [], totalResults: 0, totalPages: null, page: 1 }));
    expect(await findByExternalId(counted.client, service, look)).toBe('absent');
  });

  test('is not confused with another invoice in the answer', async () => {
    const { client } = clientOf(() => ({ id: 's1', externalId: 'P-2', flowStatus: 'Issued' }));
    expect(await findByExternalId(client, service, look)).toBe('cannot tell');
  });
});
