import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type AnswerJournal,
  countKeptAnswers,
  createAnswerJournal,
  type KeptAnswer,
} from '../../src/jobs/answer-journal.js';
import { writeOrKeep } from '../../src/jobs/claimed-item.js';
import { replayAnswers } from '../../src/jobs/replay-answers.js';
import { openStore } from '../../src/store/sqlite/open.js';
import type { Store } from '../../src/store/store.js';
import { newItem, newWorker, noon, openJob, prepared, step } from '../store/samples.js';
import { FakeClock, realClock } from '../support/clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
let store: Store;
let clock: FakeClock;
let journal: AnswerJournal;
let answer: KeptAnswer;

/** A sent item, and the answer to it that the store does not have. */
beforeEach(async () => {
  folder = temporaryFolder();
  clock = new FakeClock(noon);
  store = await openStore({ path: join(folder, 'state.db'), clock });
  journal = createAnswerJournal(folder, 'store-1');
  await openJob(store, [newItem(1)]);
  const [item] = await store.items.claim(prepared);
  const { epoch = 0 } = item ?? {};
  const sent = step('sending', { attempts: 1, sentAt: noon });
  await store.items.transition({ id: 'item-1', workerId: 'worker-1', epoch }, sent, {
    at: noon,
    step: { is: 'sent', attempt: 1 },
  });
  answer = {
    ...{ itemId: 'item-1', jobId: 'job-1', label: 'SKU-1', workerId: 'worker-1', epoch, attempts: 1 },
    patch: step('succeeded', { resourceId: 'p-1', settledAt: noon + 5, keep: false }),
    ...{ at: noon + 5, step: { is: 'answered' } },
  };
});

afterEach(() => store.close());

const none = { written: 0, waiting: 0, contradicted: [], orphaned: [], damaged: [] };
const steps = async () =>
  (await store.items.events('item-1')).map(({ to, step: { is, ...values } }) => [to, is, values]);

/** Another machine takes the item over and does this with it. */
async function takeOver(state: 'uncertain' | 'failed' | 'succeeded' | 'pending', resourceId?: string) {
  await store.workers.remove('worker-1');
  await store.workers.register(newWorker({ id: 'worker-2', machine: 'other' }));
  const [item] = await store.items.claim({ ...prepared, workerId: 'worker-2', states: ['sending'] });
  const mine = { id: 'item-1', workerId: 'worker-2', epoch: item?.epoch ?? 0 };
  const holds = state !== 'failed';
  const patch = step(state, { keep: false, holdsKey: holds, ...(resourceId === undefined ? {} : { resourceId }) });
  await store.items.transition(mine, patch, { at: noon + 9, step: { is: 'read' } });
}

test('a kept answer is written once, whoever reads it again, and its job ends', async () => {
  await journal.keep(answer);
  await journal.keep(answer);
  expect(await replayAnswers(store, journal)).toEqual({ ...none, written: 2 });
  expect(await store.items.get('item-1')).toMatchObject({ state: 'succeeded', resourceId: 'p-1' });
  expect(await steps()).toEqual([
    ['sending', 'sent', { attempt: 1 }],
    ['succeeded', 'answered', {}],
  ]);
  expect((await store.jobs.get('job-1'))?.state).toBe('done');
  expect(await replayAnswers(store, journal)).toEqual(none);
});

test('an answer that is too large to be read back is not kept', async () => {
  const large = { ...answer, step: { is: 'answered', said: 'x'.repeat(1024 * 1024) } } as const;
  await expect(journal.keep(large)).rejects.toThrow('too large');
  expect(await journal.list()).toEqual({ answers: [], damaged: [] });
  await journal.keep({ ...answer, step: { is: 'answered', said: 'x'.repeat(1024 * 1023) } });
  expect((await journal.list()).answers).toHaveLength(1);
});

test('it wins over the uncertainty of a machine that took the item over, without a second send', async () => {
  await takeOver('uncertain');
  await journal.keep(answer);
  expect(await replayAnswers(store, journal)).toEqual({ ...none, written: 1 });
  expect(await store.items.get('item-1')).toMatchObject({ state: 'succeeded', resourceId: 'p-1', attempts: 1 });
  expect((await steps()).at(-1)).toEqual(['succeeded', 'answered', { keptSince: noon + 5 }]);
});

test('it waits while a machine is at work on the item', async () => {
  await store.workers.remove('worker-1');
  await store.workers.register(newWorker({ id: 'worker-2', machine: 'other' }));
  await store.items.claim({ ...prepared, workerId: 'worker-2', states: ['sending'] });
  await journal.keep(answer);
  expect(await replayAnswers(store, journal)).toEqual({ ...none, waiting: 1 });
  clock.advance(120_000);
  expect(await replayAnswers(store, journal)).toEqual({ ...none, written: 1 });
});

test('what another machine found out already is left as it is', async () => {
  await takeOver('succeeded', 'p-1');
  const before = await store.items.get('item-1');
  await journal.keep(answer);
  expect(await replayAnswers(store, journal)).toEqual({ ...none, written: 1 });
  expect(await store.items.get('item-1')).toEqual(before);
});

test.each([
  ['failed', undefined],
  ['succeeded', 'p-2'],
  ['pending', 'p-2'],
] as const)('it does not overwrite %s %s: the history and the run say both', async (state, resourceId) => {
  await takeOver(state, resourceId);
  await journal.keep(answer);
  expect(await replayAnswers(store, journal)).toEqual({ ...none, contradicted: [answer] });
  expect(await store.items.get('item-1')).toMatchObject({ state });
  expect((await steps()).at(-1)).toEqual([
    state,
    'contradicted',
    { at: noon + 5, state: 'succeeded', resourceId: 'p-1' },
  ]);
  expect(await replayAnswers(store, journal)).toEqual(none);
});

test('an answer to an earlier send that created something is said, not written', async () => {
  await takeOver('uncertain');
  const ask = { at: noon + 200_000, step: { is: 'person-decided', verdict: 'not-sent' } } as const;
  await store.items.decide('item-1', 'uncertain', step('prepared', { keep: false, attempts: 2 }), ask);
  await journal.keep(answer);
  expect(await replayAnswers(store, journal)).toMatchObject({ written: 0, contradicted: [answer] });
  expect((await store.items.get('item-1'))?.state).toBe('prepared');
});

test('when a person said that it was not sent, the answer keeps it from being sent again', async () => {
  await takeOver('uncertain');
  const says = { at: noon + 200_000, step: { is: 'person-decided', verdict: 'not-sent' } } as const;
  await store.items.decide('item-1', 'uncertain', step('prepared', { keep: false }), says);
  await journal.keep(answer);
  expect(await replayAnswers(store, journal)).toEqual({ ...none, written: 1 });
  expect((await store.items.get('item-1'))?.state).toBe('succeeded');
});

test('an answer about an item that was pruned is said', async () => {
  await journal.keep({ ...answer, itemId: 'gone' });
  expect(await replayAnswers(store, journal)).toMatchObject({ contradicted: [], orphaned: [{ itemId: 'gone' }] });
});

test('a damaged file is named and kept, and nothing of it is guessed', async () => {
  await journal.keep(answer);
  const [name = ''] = readdirSync(journal.folder);
  const path = join(journal.folder, name);
  const line = readFileSync(path, 'utf8');
  for (const text of ['', 'x', line.slice(0, -9), line.replace('p-1', 'p-2'), line.replace(/\n$/, '')]) {
    writeFileSync(path, text);
    expect(await replayAnswers(store, journal)).toEqual({ ...none, damaged: [path] });
  }
  expect((await store.items.get('item-1'))?.state).toBe('sending');
  writeFileSync(path, line);
  expect(await replayAnswers(store, journal)).toEqual({ ...none, written: 1 });
});

test('what is no file of this program is named, and one that another process has just written is passed over', async () => {
  await journal.keep(answer);
  const at = (name: string) => join(journal.folder, name);
  mkdirSync(at('a.answer'));
  symlinkSync('/dev/zero', at('b.answer'));
  writeFileSync(at('c.answer'), Buffer.alloc(2 * 1024 * 1024));
  symlinkSync(at('removed'), at('d.answer'));
  const damaged = ['a', 'b', 'c', 'd'].map((name) => at(`${name}.answer`));
  expect(await replayAnswers(store, journal)).toEqual({ ...none, written: 1, damaged });
  writeFileSync(join(folder, 'no-folder'), '');
  expect(await countKeptAnswers(join(folder, 'no-folder'))).toMatchObject({ count: 0 });
});

test('files are for the owner only, and those of another store are not touched', async () => {
  await journal.keep(answer);
  const [name = ''] = readdirSync(journal.folder);
  if (process.platform !== 'win32') {
    expect(statSync(join(journal.folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(journal.folder).mode & 0o777).toBe(0o700);
  }
  const other = createAnswerJournal(folder, '../../etc');
  expect(other.folder.startsWith(join(folder, 'answers'))).toBe(true);
  expect(await other.list()).toEqual({ answers: [], damaged: [] });
});

test('an answer that the store takes at once is never kept', async () => {
  const keep = () => Promise.reject(new Error('not asked for'));
  const given = { answer, journal: { keep }, clock: realClock };
  expect(await writeOrKeep(Promise.resolve(true), given)).toBe(true);
});

test('an answer is kept while the store does not answer, and removed when it has taken it', async () => {
  let take: (isWritten: boolean) => void = () => undefined;
  const writing = new Promise<boolean>((resolve) => (take = resolve));
  const written = writeOrKeep(writing, { answer, journal, clock });
  await expect.poll(async () => (await journal.list()).answers).toHaveLength(1);
  take(true);
  expect(await written).toBe(true);
  expect((await journal.list()).answers).toEqual([]);
});

test('an answer is kept when the store refuses it', async () => {
  const refused = writeOrKeep(Promise.reject(new Error('lost')), { answer, journal, clock });
  await expect(refused).rejects.toThrow('lost');
  expect((await journal.list()).answers).toHaveLength(1);
});

test('an answer is kept where another machine has taken the item over', async () => {
  expect(await writeOrKeep(Promise.resolve(false), { answer, journal, clock })).toBe(false);
  expect((await journal.list()).answers).toHaveLength(1);
});

test('where not even a file can be written, the error is that of the store', async () => {
  const keep = () => Promise.reject(new Error('disk'));
  const given = { answer, journal: { keep }, clock };
  await expect(writeOrKeep(Promise.reject(new Error('lost')), given)).rejects.toThrow('lost');
});
