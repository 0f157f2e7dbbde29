import Sqlite from 'better-sqlite3';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CopyMark } from '../../../src/store/copy-mark.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { isRecord } from '../../../src/domain/record.js';
import { records, seed } from '../seed.js';

const other = 'postgres://fiscal@db.example:5432/fiscal';
const profile = { FISCAL_INVOICE_KEY: 'k', FISCAL_PRODUCT_URL: 'https://product.example' };

/** A machine whose store has this text where a copy is noted. */
async function marked(copy: string): Promise<TestHost> {
  const host = testHost({ env: profile });
  await seed(host, (store) => store.pace.block({ profile: 'p', host: 'h' }, 1));
  const database = new Sqlite(join(host.root, 'state', 'state.db'));
  database.prepare('UPDATE identity SET copy = ?').run(copy);
  database.close();
  return host;
}

const mark = (step: CopyMark['step']) => JSON.stringify({ step, otherId: 'ab', other, at: 1 });

test.each([
  ['copied', 'store.copied_away', `are in ${other}, and only one of the two may send`],
  ['begun', 'store.copy_unfinished', 'is not finished'],
  ['arriving', 'store.copy_unfinished', 'is not finished'],
] as const)(
  'a store with the mark "%s" is used by no command: exit 2, and its sentence names the other one',
  async (step, code, words) => {
    const host = await marked(mark(step));
    for (const words of [
      ['job', 'list'],
      ['store', 'status'],
    ]) {
      const { exitCode, stdout, stderr } = await runFiscal([...words, '--error-format', 'json'], host);
      expect([words, exitCode, stdout]).toEqual([words, 2, '']);
      expect(stderr).toContain(`"code":"${code}"`);
    }
    const { stderr } = await runFiscal(['job', 'list', '--error-format', 'text'], host);
    expect(stderr).toContain(words);
    expect(stderr).toContain(other);
  },
);

test('doctor names the other store and what to do; for the sandbox it finds nothing wrong', async () => {
  const host = await marked(mark('copied'));
  const checkOf = async (...words: string[]) => {
    const { stdout } = await runFiscal(['doctor', '-o', 'ndjson', ...words], host);
    return records(stdout).find((line) => isRecord(line) && line['check'] === 'store');
  };
  expect(await checkOf()).toMatchObject({
    status: 'problem',
    found: { en: expect.stringContaining(other) },
    advice: { en: expect.stringContaining('fiscal store release') },
  });
  expect(await checkOf('--profile', 'sandbox')).toMatchObject({ status: 'ok' });
});

test('the rows of the built-in sandbox stay in the file, and its commands go on', async () => {
  const host = await marked(mark('copied'));
  const { exitCode } = await runFiscal(['job', 'list', '--profile', 'sandbox'], host);
  expect(exitCode).toBe(0);
});

test('a note of a copy that no program has written is reported as damage', async () => {
  for (const text of ['{', '{}', '{"step":"sold","otherId":"a","other":"b","at":1}']) {
    const { exitCode, stderr } = await runFiscal(['job', 'list'], await marked(text));
    expect([text, exitCode]).toEqual([text, 2]);
    expect(stderr).toContain('store.damaged');
  }
});
