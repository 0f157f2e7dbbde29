import { describe, expect, test } from 'vitest';
import type { DocumentGroup } from '../../src/store/documents.js';
import type { Store } from '../../src/store/store.js';
import type { Bench } from './contract.js';
import { newItem, noon, openJob, request, step } from './samples.js';
import { addUsage } from '../support/usage.js';

const group: DocumentGroup = { profile: 'acme', companyId: 'c-1', family: 'nfe' };
const api = { profile: 'acme', host: 'api.example' };
const answer = { profile: 'acme', kind: 'address', digest: 'd' };
const product = { profile: 'acme', kind: 'product', scope: 't-1', id: 'p-1' };

/** A row in each table that has times. */
async function fill(store: Store): Promise<void> {
  await openJob(store, [newItem(1)]);
  await store.items.decide('item-1', 'prepared', step('prepared', { keep: false }), { at: noon, step: { is: 'read' } });
  await store.pace.block(api, noon, 1);
  await addUsage(store.usage, { at: noon, profile: 'acme', operation: 'o', billed: 'engine', outcome: 'billed' });
  await store.history.add(request());
  await store.known.put({ ...product, status: 'Active', data: {}, seenAt: noon });
  await store.answers.put({ ...answer, fetchedAt: noon, answer: {} });
  await store.documents.see(group, [{ id: 'k-1', data: {} }], noon);
  await store.events.see(group, [{ documentId: 'k-1', eventKey: 'e-1' }], noon);
  await store.cursors.hold(group, 'worker-1', noon);
  await store.cursors.save({ ...group, stream: 's' }, { workerId: 'worker-1', position: {}, at: noon });
  await store.deliveries.add({
    ...{ id: 'd-1', profile: 'acme', at: noon, scheme: 's', hookId: 'h', signedId: 'h', event: 'e', resource: 'r' },
    ...{ wanted: true, body: new Uint8Array(), digest: '' },
  });
}

type Read = (store: Store) => Promise<unknown>;

const job: Read = ({ jobs }) => jobs.get('job-1');
const item: Read = ({ items }) => items.get('item-1');
const known: Read = (store) => store.known.get(product);
const document: Read = ({ documents }) => documents.get(group, 'k-1');
const delivery: Read = ({ deliveries }) => deliveries.get('acme', 'd-1');

/** Each column with a time, and who reads it. */
const times: readonly (readonly [table: string, column: string, read: Read])[] = [
  ['jobs', 'created_at', job],
  ['jobs', 'updated_at', job],
  ['jobs', 'finished_at', job],
  ['items', 'due_at', item],
  ['items', 'due_at', ({ items }) => items.nextDue('job-1', ['prepared'], noon)],
  ['items', 'sent_at', item],
  ['items', 'settled_at', item],
  ['items', 'updated_at', item],
  ['item_events', 'at', ({ items }) => items.events('item-1')],
  ['workers', 'expires_at', ({ workers }) => workers.list()],
  ['pace', 'blocked_until', ({ pace }) => pace.get(api)],
  ['pace', 'next_slot_at', ({ pace }) => pace.get(api)],
  ['pace', 'asked_ms', ({ pace }) => pace.blocked('acme', noon - 1)],
  ['usage', 'at', ({ usage }) => usage.list({})],
  ['history', 'at', ({ history }) => history.list({})],
  ['known', 'first_seen_at', known],
  ['known', 'seen_at', known],
  ['answers', 'fetched_at', ({ answers }) => answers.get(answer)],
  ['documents', 'first_seen_at', document],
  ['documents', 'updated_at', document],
  ['documents', 'archived_at', document],
  ['document_events', 'archived_at', ({ events }) => events.of(group, 'k-1')],
  ['cursors', 'at', ({ cursors }) => cursors.get({ ...group, stream: 's' })],
  ['cursors', 'at', ({ overview }) => overview.cursors('acme')],
  ['webhook_events', 'settled_at', delivery],
  ['webhook_events', 'received_at', delivery],
  ['webhook_events', 'received_at', ({ deliveries }) => deliveries.lastAt('acme', 'r')],
  ['webhook_events', 'due_at', ({ deliveries }) => deliveries.nextDue('acme', noon)],
];

const outermostTimes = [-62_167_219_200_000, 253_402_300_799_999];
/** One millisecond before the year 0, and one after the year 9999. */
const noTimes = [-62_167_219_200_001, 253_402_300_800_000];

/** What is changed from outside is refused, and reaches no output. */
export function damageContract(bench: () => Bench): void {
  describe('a time that has no four digits of a year', () => {
    test.each(times)('is refused where %s.%s is read', async (table, column, read) => {
      const { store, damage } = bench();
      await fill(store);
      for (const value of outermostTimes) {
        await damage(table, column, value);
        await read(store);
      }
      for (const value of noTimes) {
        await damage(table, column, value);
        await expect(read(store)).rejects.toMatchObject({ code: 'store.damaged' });
      }
    });
  });
}
