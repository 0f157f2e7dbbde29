import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import { realClock } from '../support/clock.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { newItem, noon, openJob, prepared, step } from './samples.js';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await server.stop();
});

/** A store with an item that is claimed, one that is pending, and one that nobody has claimed. */
async function usedStore() {
  const url = await server.newDatabase();
  const address = await readStoreAddress({ secret: url, source: 'test' }, {});
  const open = () => openPostgresStore({ server: address, clock: realClock });
  const store = await open();
  await openJob(store, [newItem(1), newItem(2), newItem(3)]);
  const [first, second] = await store.items.claim({ ...prepared, limit: 2 });
  const mine = { id: second?.id ?? '', workerId: 'worker-1', epoch: second?.epoch ?? 0 };
  await store.items.transition(mine, step('pending'), { at: noon, step: { is: 'answered' } });
  await store.identity.sentAt(noon);
  const statesOf = async () => (await (await open()).items.list('job-1', {})).map(({ state }) => state);
  return { url, store, open, statesOf, claimed: { ...mine, id: first?.id ?? '', epoch: first?.epoch ?? 0 } };
}

/** As after a fail-over: the store was on a server with another timeline. */
const failOver = 'UPDATE fiscal.server SET history = left(history, -1)';

test('after a fail-over, what looks unsent counts as sent without an answer, also where a worker holds it', async () => {
  const { url, store, open, claimed } = await usedStore();
  await server.query(`${failOver} || '9'`, url);
  const again = await open();
  const items = await again.items.list('job-1', {});
  expect(items.map(({ state, attempts, errorCode }) => [state, attempts, errorCode])).toEqual([
    ['sending', 1, 'outcome.unknown'],
    ['pending', 0, undefined],
    ['sending', 1, 'outcome.unknown'],
  ]);
  expect((await again.items.events('item-3')).at(-1)?.step).toEqual({
    is: 'sent',
    attempt: 1,
    perhaps: 'server-changed',
  });
  expect(await store.items.transition(claimed, step('sending'), { at: noon, step: { is: 'sent', attempt: 1 } })).toBe(
    false,
  );
  expect([again.identity.isNew, again.identity.lostRows]).toEqual([false, true]);
  // Said once: the next send is that of someone who knows.
  await again.identity.sentAt(noon);
  expect((await open()).identity.lostRows).toBe(false);
  for (const each of [store, again]) await each.close();
});

test('a program that has the store open claims nothing behind a fail-over', async () => {
  const { url, store } = await usedStore();
  await server.query(
    `CREATE OR REPLACE FUNCTION fiscal.server_history() RETURNS text LANGUAGE sql AS $$ SELECT 'other/00000002' $$`,
    url,
  );
  for (const states of [['prepared'], ['succeeded']] as const)
    await expect(store.items.claim({ ...prepared, states })).rejects.toMatchObject({
      code: 'store.replaced',
      exitCode: 5,
    });
  await store.close();
});

test('where each commit waits for a standby, a fail-over loses nothing and is only named', async () => {
  const { url, open, statesOf } = await usedStore();
  await server.query(`${failOver}; UPDATE fiscal.server SET is_synchronous = true`, url);
  const again = await open();
  expect(again.identity.lostRows).toBe(true);
  expect(await statesOf()).toEqual(['prepared', 'pending', 'prepared']);
  await again.close();
});

test('a server that does not say which one it is changes nothing', async () => {
  const { url, store, open, statesOf } = await usedStore();
  await server.query(
    `CREATE OR REPLACE FUNCTION fiscal.server_history() RETURNS text LANGUAGE sql AS 'SELECT NULL::text'`,
    url,
  );
  expect(await store.items.claim({ ...prepared, limit: 1 })).toHaveLength(1);
  const again = await open();
  expect(again.identity.lostRows).toBe(false);
  expect(await statesOf()).toEqual(['prepared', 'pending', 'prepared']);
  for (const each of [store, again]) await each.close();
});
