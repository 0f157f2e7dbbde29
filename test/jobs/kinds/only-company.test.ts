import { expect, test } from 'vitest';
import { onlyCompanyOf } from '../../../src/jobs/kinds/manifestation-company.js';
import { openStore } from '../../../src/store/sqlite/open.js';
import { bench } from '../../client/support/client.js';
import { json, serve } from '../../client/support/server.js';
import { realClock } from '../../support/clock.js';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.js';

async function found(...pages: readonly object[]) {
  const server = await serve(...pages.map((page) => json(200, page)));
  const { client } = bench(server.url);
  const store = await openStore({ path: join(temporaryFolder(), 'state.db'), clock: realClock });
  const { signal } = new AbortController();
  const id = await onlyCompanyOf({ store, client, profile: 'p', now: realClock.now(), signal });
  await store.close();
  return { id, asked: server.seen.length };
}

const one = { companies: [{ id: 'c1' }] };
const other = { companies: [{ id: 'c2' }] };

test('the only company of an account is known from a list that says that nothing follows', async () => {
  expect(await found({ ...one, hasMore: false })).toEqual({ id: 'c1', asked: 1 });
});

test('a list that does not say so is read to a page without new companies', async () => {
  expect(await found(one, { companies: [] })).toEqual({ id: 'c1', asked: 2 });
  expect(await found(one, one)).toEqual({ id: 'c1', asked: 2 });
});

test('two companies, on one page or on two, leave the company unknown', async () => {
  const two = { companies: [...one.companies, ...other.companies], hasMore: true };
  expect(await found(two)).toEqual({ id: undefined, asked: 1 });
  expect(await found(one, other)).toEqual({ id: undefined, asked: 2 });
  expect(await found({ ...one, hasMore: true }, other)).toEqual({ id: undefined, asked: 2 });
});
