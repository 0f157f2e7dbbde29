import { expect, test } from 'vitest';
import type { CallInput } from '../../src/client/client.js';
import { operations, type OperationId } from '../../src/contract/operations.js';
import { isAlwaysBilled } from '../../src/domain/billing.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { bench } from './support/client.js';
import { json, serve, type Reply } from './support/server.js';

const writes = (Object.keys(operations) as OperationId[]).filter((id) => operations[id].method !== 'GET');

/**
 * The writes that may go out again by themselves after an answer that says nothing of the work. Each has its reason; a new
 * operation is not among them before somebody has thought about it.
 */
const repeatable: Readonly<Partial<Record<OperationId, string>>> = {
  'product.update': 'sets the same state again',
  'nfse.startFromDate.set': 'sets the same state again',
  'nfse.backfill.release': 'sets the same state again',
  'nfse.reactivate': 'sets the same state again',
  'nfe.inbound.disable': 'takes away what is away already',
  'cte.inbound.disable': 'takes away what is away already',
  'nfse.inbound.disable': 'takes away what is away already',
  'certificate.delete': 'takes away what is away already',
  'company.delete': 'takes away what is away already',
  'webhook.delete': 'takes away what is away already',
  'nfe.inbound.enable': 'registers what is registered already',
  'cte.inbound.enable': 'registers what is registered already',
  'nfse.inbound.enable': 'registers what is registered already',
  'certificate.upload': 'registers what is registered already',
  'nfe.manifestation.submit': 'is refused by 409 while the first one lives (§4)',
  'nfse.manifestation.submit': 'is refused by 409 while the first one lives (§4)',
  'nfe.cancel': 'is refused once the first one has worked',
  'nfce.cancel': 'is refused once the first one has worked',
  'nfse.cancel': 'is refused once the first one has worked',
  'nfe.disableInvoice': 'is refused once the first one has worked',
  'nfe.disable': 'is refused once the first one has worked',
  'nfce.disable': 'is refused once the first one has worked',
  'product.revalidate': 'does the same work on the same data again',
  'nfse.fetchNow': 'does the same work on the same data again',
  'nfse.inbound.reprocess': 'does the same work on the same data again',
  'nfe.inbound.reprocessWebhook': 'delivers once more: deliveries come at least once (§6)',
  'nfse.inbound.resendWebhook': 'delivers once more: deliveries come at least once (§6)',
  'webhook.ping': 'delivers once more: deliveries come at least once (§6)',
};

const unknownOutcomes: readonly (readonly [string, Reply])[] = [
  ['503', json(503, { error: { code: 'unavailable', message: 'later' } })],
  ['503 with Retry-After', json(503, { error: { code: 'unavailable', message: 'later' } }, { 'retry-after': '1' })],
  ['502', { status: 502, body: 'Bad Gateway' }],
  ['504', { status: 504, body: '' }],
  ['a success that is cut', { status: 200, body: '{"id":' }],
];

async function sendsOf(id: OperationId, reply: Reply): Promise<{ readonly sends: number; readonly sent: unknown }> {
  const server = await serve(...Array.from({ length: 8 }, () => reply));
  const hosts = { product: server.url, query: server.url, service: server.url };
  const { client } = bench(server.url, { settings: { hosts } });
  const names = [...operations[id].path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const path = Object.fromEntries(names.map((name) => [name, '1']));
  const input = { path, body: {} } as unknown as CallInput<OperationId>;
  const error: unknown = await client.call(id, input).catch((it: unknown) => it);
  return { sends: server.seen.length, sent: error instanceof FiscalError ? error.facts.sent : 'no error' };
}

test('only writes whose row says so may be repeated', () => {
  const rows = writes.filter((id) => {
    const { replay } = operations[id];
    return (replay === 'safe' || replay === 'natural') && !isAlwaysBilled(id, operations[id]);
  });
  expect(rows.toSorted()).toEqual(Object.keys(repeatable).toSorted());
});

test.each(writes.filter((id) => !(id in repeatable)))('%s is sent once if its outcome is unknown', async (id) => {
  for (const [name, reply] of unknownOutcomes) {
    const { sends, sent } = await sendsOf(id, reply);
    const isTaken = name.startsWith('a success');
    expect([name, sends]).toEqual([name, 1]);
    if (!isTaken) expect([name, sent]).toEqual([name, 'unknown']);
  }
});

test('a write that may be repeated is repeated', async () => {
  const [, unavailable] = unknownOutcomes[0] ?? ['', json(503, {})];
  expect((await sendsOf('product.revalidate', unavailable)).sends).toBeGreaterThan(1);
});
