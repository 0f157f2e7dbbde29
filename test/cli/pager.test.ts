import { expect, test } from 'vitest';
import { seed } from '../commands/seed.js';
import { newJob } from '../store/samples.js';
import { runFiscal, testHost, type TestHost, type TestHostOptions } from '../support/host.js';

interface Paged {
  readonly text: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A terminal of ten rows, and what its pager got. */
async function pager({ env, ...options }: TestHostOptions = {}, starts = true) {
  const plain = testHost({ isTerminal: true, columns: 80, env: { NO_COLOR: '1', ...env }, ...options });
  const paged: Paged[] = [];
  const pageText: TestHost['pageText'] = async (text, words, given) => {
    paged.push({ text, words, env: given });
    return starts;
  };
  const { isTerminal } = plain.stdout;
  const stdout = { ...plain.stdout, isTerminal, columns: 80, closed: false, rows: 10 };
  const host: TestHost = { ...plain, pageText, stdout };
  await seed(host, async (store) => {
    for (let n = 0; n < 15; n += 1)
      await store.jobs.create(newJob({ id: `job-${n}`, inputDigest: `${n}`, profile: 'environment' }), []);
  });
  return { host, paged };
}

test('a table longer than the screen goes to less, without keys and logins', async () => {
  const secrets = {
    ...{
      FISCAL_INVOICE_KEY: 'secret',
      FISCAL_DATA_KEY_FILE: '/k',
      PGPASSWORD: 'secret',
      FISCAL_PROXY: 'http://u:secret@proxy',
    },
    ...{ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'secret' },
  };
  const { host, paged } = await pager({ env: { ...secrets, HOME: '/h', AWS_REGION: 'sa-east-1' } });
  const { exitCode, stdout } = await runFiscal(['job', 'list'], host);
  expect({ exitCode, stdout, words: paged[0]?.words }).toEqual({ exitCode: 0, stdout: '', words: ['less', '-FRX'] });
  expect(paged[0]?.text).toContain('job-14');
  const { env = {} } = paged[0] ?? {};
  expect([env['HOME'], env['LESS'], env['AWS_REGION']]).toEqual(['/h', 'FRX', 'sa-east-1']);
  expect(Object.keys(env).filter((name) => name in secrets)).toEqual([]);
});

test('the totals stand on the screen after the pager was left', async () => {
  const { host, paged } = await pager();
  await runFiscal(['--profile', 'sandbox', 'sandbox', 'seed', '--documents', '20'], host);
  paged.length = 0;
  const { stdout } = await runFiscal(['--profile', 'sandbox', 'inbound', 'list', '--type', 'nfe'], host);
  expect(paged).toHaveLength(1);
  expect(stdout).toMatch(/^.*20 documents.*\n$/);
  expect(paged[0]?.text.endsWith(stdout)).toBe(true);
});

test('FISCAL_PAGER goes before PAGER, with its own words', async () => {
  const { host, paged } = await pager({ env: { PAGER: 'more', FISCAL_PAGER: "less -R '-P the jobs'" } });
  await runFiscal(['job', 'list'], host);
  expect(paged[0]?.words).toEqual(['less', '-R', '-P the jobs']);
});

test('a pager that cannot be started is done without', async () => {
  const { host, paged } = await pager({}, false);
  const { exitCode, stdout } = await runFiscal(['job', 'list'], host);
  expect(exitCode).toBe(0);
  expect(stdout).toBe(paged[0]?.text);
});

test.each<[what: string, words: readonly string[], options: TestHostOptions]>([
  ['a short table', ['job', 'list', '--limit', '2'], {}],
  ['--no-pager', ['job', 'list', '--no-pager'], {}],
  ['FISCAL_NO_PAGER', ['job', 'list'], { env: { FISCAL_NO_PAGER: '1' } }],
  ['CI', ['job', 'list'], { env: { CI: 'true' } }],
  ['a dumb terminal', ['job', 'list'], { env: { TERM: 'dumb' } }],
  ['PAGER=cat', ['job', 'list'], { env: { PAGER: 'cat' } }],
  ['an empty PAGER', ['job', 'list'], { env: { PAGER: '' } }],
  ['JSON', ['job', 'list', '-o', 'json'], {}],
  ['a pipe', ['job', 'list', '-o', 'table'], { isTerminal: false }],
])('%s goes to the terminal itself', async (_what, words, options) => {
  const { host, paged } = await pager(options);
  const { stdout } = await runFiscal(words, host);
  expect(paged).toEqual([]);
  expect(stdout).toContain('job-1');
});

test.each([
  ['help', 'output'],
  ['inbound', 'sync', '--help'],
  ['help', 'inbound', '--lang', 'pt'],
])('help longer than the screen goes to the pager: fiscal %s %s %s', async (...words) => {
  const { host, paged } = await pager();
  const { exitCode, stdout } = await runFiscal(words, host);
  const unpaged = await runFiscal([...words, '--no-pager'], host);
  expect({ exitCode, stdout, paged: paged.map(({ text }) => text) }).toEqual({
    exitCode: 0,
    stdout: '',
    paged: [unpaged.stdout],
  });
});

test.each<[what: string, words: readonly string[], options: TestHostOptions]>([
  ['FISCAL_NO_PAGER', ['help', 'output'], { env: { FISCAL_NO_PAGER: '1' } }],
  ['a pipe', ['help', 'output'], { isTerminal: false }],
])('%s gets help itself', async (_what, words, options) => {
  const { host, paged } = await pager(options);
  const { stdout } = await runFiscal(words, host);
  expect(paged).toEqual([]);
  expect(stdout).toContain('--fields');
});
