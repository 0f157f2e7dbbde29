import { expect, test } from 'vitest';
import type { Client } from '../../../src/client/client.js';
import { nfeManifestation, nfseManifestation } from '../../../src/jobs/kinds/manifestation.js';

const KEY = '35261030057049000141550010000000011000000010';

async function lookUp(row: object, nSequencia = 1): Promise<unknown> {
  return await lookUpIn({ value: [{ accessKey: KEY, ...row }] }, nSequencia);
}

async function lookUpIn(body: unknown, nSequencia = 1): Promise<unknown> {
  const call = () => Promise.resolve({ body });
  const client = { call } as unknown as Client;
  const event = { eventCode: 210210, nSequencia, detail: {} };
  const input = { family: 'nfe', accessKey: KEY, companyId: 'c1', ...event } as const;
  const look = { signal: AbortSignal.timeout(1000) } as Parameters<NonNullable<typeof nfeManifestation.lookup>>[2];
  return await nfeManifestation.lookup?.(client, input, look);
}

const registered = { state: 'succeeded', remoteStatus: 'Accepted' };

test.each([
  ['its type', { eventKey: 'e-1', type: '210210', sequence: 1 }, registered],
  [
    'its type, with its protocol',
    { eventKey: 'e-1', type: '210210', sequence: 1, protocol: '135260000000001' },
    { ...registered, answer: { protocol: '135260000000001' } },
  ],
  ['its key', { id: `ID210210${KEY}01`, type: 'productInvoiceEvent' }, registered],
  ['its description', { id: 'EV1', type: 'productInvoiceEvent', description: 'Ciencia da Operacao' }, registered],
  ['another key', { id: `ID110111${KEY}01`, type: 'productInvoiceEvent' }, 'absent'],
  ['nothing', { id: 'EV1', type: 'productInvoiceEvent', description: 'Evento' }, 'cannot tell'],
])('a registered event is found in the list by %s', async (_by, row, expected) => {
  expect(await lookUp(row)).toEqual(expected);
});

test('an active event of an NFS-e is found whatever the letter case of its status', async () => {
  const call = () => Promise.resolve({ body: { items: [{ id: 'm1', eventCode: 203202, status: 'pending' }] } });
  const client = { call } as unknown as Client;
  const input = { family: 'nfse', accessKey: KEY, companyId: 'c1', eventCode: 203202 } as const;
  const look = { signal: AbortSignal.timeout(1000) } as Parameters<NonNullable<typeof nfseManifestation.lookup>>[2];
  expect(await nfseManifestation.lookup?.(client, input, look)).toEqual({
    state: 'pending',
    remoteStatus: 'Pending',
    resourceId: 'm1',
  });
});

test('another sequence of the same event is another event', async () => {
  expect(await lookUp({ id: `ID210210${KEY}01`, type: 'productInvoiceEvent' }, 2)).toBe('absent');
});

test.each([
  ['names a next page', { value: [], '@odata.nextLink': '/v2/next' }],
  ['says that it has more', { value: [], hasMore: true }],
  [
    'fills a page',
    Array.from({ length: 50 }, (_, index) => ({ accessKey: KEY, id: `ID110111${KEY}${String(index + 10)}` })),
  ],
])('an event is not absent from a list that %s', async (_what, body) => {
  expect(await lookUpIn(body)).toBe('cannot tell');
});

test('an event is absent from a list that is whole', async () => {
  expect(await lookUpIn({ value: [], '@odata.nextLink': null })).toBe('absent');
});
