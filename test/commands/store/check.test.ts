import Sqlite from 'better-sqlite3';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAnswerJournal } from '../../../src/jobs/answer-journal.js';
import { noon } from '../../store/samples.js';
import { fillForCheck } from '../../store/contract-check.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { records, seed } from '../seed.js';

const fileOf = (host: TestHost) => join(host.root, 'state', 'state.db');

async function check(host: TestHost, ...words: string[]) {
  const { exitCode, stdout, stderr } = await runFiscal(['store', 'check', '-o', 'ndjson', ...words], host);
  return { exitCode, stderr, data: records(stdout) };
}

async function filled(options = {}): Promise<TestHost> {
  const host = testHost(options);
  await seed(host, fillForCheck);
  return host;
}

function change(host: TestHost, sql: string): void {
  new Sqlite(fileOf(host)).exec(sql).close();
}

test('a sound store: exit 0, with what was looked at', async () => {
  const host = await filled();
  const { exitCode, data, stderr } = await check(host);
  const counted = { engine: 'SQLite', findings: 0, listed: 0, notRead: [], exitCode: 0 };
  expect([exitCode, data]).toEqual([0, [expect.objectContaining({ type: 'summary', path: fileOf(host), ...counted })]]);
  expect(stderr).toBe('');
  const shown = await filled({ isTerminal: true });
  const pt = await runFiscal(['store', 'check', '--lang', 'pt-BR', '--no-pager'], shown);
  expect(pt.stdout).toContain('  items              6');
  expect(pt.stderr + pt.stdout).toContain('nada está danificado: lidas 33 linhas em 18 tabelas');
});

test('each finding is a record, and its text moves no terminal: exit 13', async () => {
  const host = await filled();
  change(host, "UPDATE known SET data = 'x'; UPDATE items SET kind = char(27) || '[31m' WHERE id = 'item-3'");
  const { exitCode, data } = await check(host);
  const reason = { en: expect.any(String), pt: expect.any(String) };
  expect([exitCode, data]).toEqual([
    13,
    [
      { type: 'finding', table: 'known', key: { seq: 1 }, column: 'data', reason },
      { type: 'finding', table: 'items', key: { seq: 3, id: 'item-3' }, column: 'job_id', reason },
      expect.objectContaining({ type: 'summary', findings: 2, exitCode: 13 }),
    ],
  ]);
  const shown = await runFiscal(['store', 'check', '-o', 'table'], host);
  expect(shown.stdout).toContain('known: seq 1\n  data: a row contains text that is not JSON');
  expect(shown.stdout + shown.stderr).not.toContain('\u001b[31m');
  expect(shown.stderr + shown.stdout).not.toContain('nothing is damaged');
});

test('answers that wait on this machine are counted, and a damaged one is a finding', async () => {
  const host = await filled();
  let id = '';
  await seed(host, (store) => Promise.resolve((id = store.identity.id)));
  const journal = createAnswerJournal(join(host.root, 'state'), id);
  const patch = { state: 'succeeded', holdsKey: true, keep: false } as const;
  const of = { itemId: 'item-3', jobId: 'job-1', label: 'SKU', workerId: 'w', epoch: 1, attempts: 1 };
  await journal.keep({ ...of, patch, at: noon, step: { is: 'read' } });
  await journal.keep({ ...of, patch, at: noon, step: { is: 'read' } });
  const [{ path } = { path: '' }] = (await journal.list()).answers;
  truncateSync(path, 3);
  const { exitCode, data, stderr } = await check(host);
  expect([exitCode, data]).toEqual([
    13,
    [
      expect.objectContaining({ table: 'keptAnswers', key: { path } }),
      expect.objectContaining({ keptAnswers: { waiting: 1, damaged: [path] }, findings: 1 }),
    ],
  ]);
  expect(stderr).toContain('fiscal store status');
});

test('a copied store is whole, and the notice names the other one', async () => {
  const host = await filled();
  change(host, `UPDATE identity SET copy = '{"step":"copied","otherId":"o","other":"/new.db","at":1}'`);
  const { exitCode, data, stderr } = await check(host);
  expect([exitCode, data]).toEqual([0, [expect.objectContaining({ copy: { step: 'copied', other: '/new.db' } })]]);
  expect(stderr).toContain('/new.db');
});

test('nothing is written, and an earlier store is checked by its name', async () => {
  const host = await filled();
  const before = new Sqlite(fileOf(host), { readonly: true }).pragma('data_version');
  expect((await check(testHost(), fileOf(host))).exitCode).toBe(0);
  expect(new Sqlite(fileOf(host), { readonly: true }).pragma('data_version')).toEqual(before);
});

test.each([
  ['store.absent', []],
  ['input.not_found', ['none.db']],
  ['it is a folder', ['.']],
  ['store.damaged', ['garbage.db']],
  ['store.damaged', ['empty.db']],
  ['FISCAL_STORE_URL', ['server']],
  ['postgres://…', ['postgres://u:canary@h/d']],
])('what is no store is not called whole (%s): exit 2', async (said, words) => {
  const host = testHost();
  mkdirSync(host.cwd, { recursive: true });
  writeFileSync(join(host.cwd, 'garbage.db'), 'garbage '.repeat(2_000));
  new Sqlite(join(host.cwd, 'empty.db')).exec('CREATE TABLE t (a)').close();
  const { exitCode, data, stderr } = await check(host, ...words);
  expect([exitCode, data, stderr]).toEqual([2, [], expect.stringContaining(said)]);
  expect(stderr).not.toContain('canary');
});
