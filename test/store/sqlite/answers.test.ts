import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/sqlite/open.js';
import { realClock } from '../../support/clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('an answer replaces the previous one, belongs to its profile and kind, and is removed with the profile', async () => {
  const store = await openStore({ path: join(temporaryFolder(), 'store.db'), clock: realClock });
  const row = { profile: 'a', kind: 'cnpj', digest: 'd', fetchedAt: 1, answer: { name: 'Um' } };
  await store.answers.put(row);
  await store.answers.put({ ...row, kind: 'address', answer: null });
  await store.answers.put({ ...row, profile: 'b' });
  await store.answers.put({ ...row, fetchedAt: 2, answer: { name: 'Dois' } });
  const get = (profile: string, kind: string) => store.answers.get({ profile, kind, digest: 'd' });
  expect([await get('a', 'cnpj'), await get('a', 'address'), await get('b', 'cpf')]).toEqual([
    { ...row, fetchedAt: 2, answer: { name: 'Dois' } },
    { ...row, kind: 'address', answer: null },
    undefined,
  ]);
  await store.forget('a');
  expect([await get('a', 'cnpj'), await get('b', 'cnpj')]).toEqual([undefined, { ...row, profile: 'b' }]);
  await store.close();
});
