import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';

const canary = 'key_canary_0123456789abcdef';

/** A world inside GitHub Actions, with a sandbox of its own. */
function inActions(env: Readonly<Record<string, string>> = {}): TestHost & { readonly page: string } {
  const host = testHost();
  const page = join(host.cwd, 'page.md');
  const actions = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page, FISCAL_PROFILE: 'sandbox' };
  return { ...testHost({ cwd: host.cwd, env: { ...host.env, ...actions, ...env } }), page };
}

function put(host: TestHost, name: string, text: string): string {
  writeFileSync(join(host.cwd, name), text);
  return name;
}

const products = (count: number) =>
  `sku,description,origin\n${Array.from({ length: count }, (_, index) => `S${index + 1},Tea,National\n`).join('')}`;

describe('inside GitHub Actions', () => {
  test('a batch adds its counts to the step summary, and stdout holds only data', async () => {
    const host = inActions();
    const words = [
      'product',
      'apply',
      '--create-only',
      put(host, 'p.csv', products(2)),
      '--wait',
      '-o',
      'ndjson',
      '--yes',
    ];
    const { exitCode, stdout, stderr } = await runFiscal(words, host);
    const page = readFileSync(host.page, 'utf8');
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^see them: fiscal product list [^\n]*\n$/)]);
    expect(stdout.trim().split('\n')).toHaveLength(3);
    expect(page.split('\n').slice(0, 4)).toEqual([
      '### fiscal product apply: done (exit code 0)',
      '',
      '| field | value |',
      '|---|---|',
    ]);
    expect(page).toContain('| total | 2 |\n');
    expect(page).toContain('| succeeded | 2 |\n');
  });

  test('up to ten failed items are annotated, then counted; the summary lists them', async () => {
    const host = inActions({ FISCAL_LANG: 'pt-BR' });
    const archive = join(host.cwd, 'archive');
    mkdirSync(join(archive, 'proofs', '2026-10', 'acme'), { recursive: true });
    const row = (index: number) => ({
      key: `K${index}`,
      type: 'nfe',
      status: 'Authorized',
      path: `57/2026-10/nfe/K${index}.xml`,
      sha256: 'a'.repeat(64),
      bytes: 1,
      events: [],
    });
    const manifest = Array.from({ length: 12 }, (_, index) => `${JSON.stringify(row(index))}\n`).join('');
    writeFileSync(join(archive, 'proofs', '2026-10', 'acme', 'manifest.jsonl'), manifest);
    const { exitCode, stderr } = await runFiscal(['inbound', 'verify', '--archive', archive], host);
    const lines = stderr.trim().split('\n');
    expect(exitCode).toBe(3);
    expect(lines.filter((line) => line.startsWith('::error title=fiscal inbound verify%3A '))).toHaveLength(10);
    expect(lines).toContain('::error title=fiscal inbound verify%3A missing::K0 57/2026-10/nfe/K0.xml');
    expect(lines.at(-1)).toBe('::warning title=fiscal inbound verify::e mais 3');
    const page = readFileSync(host.page, 'utf8');
    expect(page).toContain('(código de saída 3)');
    expect(page.split('\n').filter((line) => line.includes('| missing |'))).toHaveLength(12);
  });

  test('an error is annotated before its last line, with the next command in the summary', async () => {
    const host = inActions();
    const { exitCode, stdout, stderr } = await runFiscal(
      ['product', 'get', '00000000-0000-4000-8000-000000000000', '-o', 'json'],
      host,
    );
    const [annotation, error, ...rest] = stderr.split('\n');
    expect([exitCode, stdout, rest]).toEqual([9, '', ['']]);
    expect(annotation).toMatch(/^::error title=fiscal product get \(\w[\w.]+\)::/);
    expect(JSON.parse(error ?? '')).toMatchObject({ type: 'error', error: { exitCode: 9 } });
    expect(readFileSync(host.page, 'utf8')).toMatch(/^### fiscal product get: not found: 404 \(exit code 9\)\n\n- /);
  });

  test('an invalid command line is annotated too', async () => {
    const host = inActions();
    const { stderr } = await runFiscal(['prodct', '--error-format', 'text'], host);
    expect(stderr.split('\n')[0]).toBe('::error title=fiscal (usage.unknown_command)::there is no command "prodct"');
  });

  test('a successful read adds nothing', async () => {
    const host = inActions();
    await runFiscal(['product', 'list'], host);
    expect(() => readFileSync(host.page)).toThrow('ENOENT');
  });

  test('a check reports its counts, and each finding with its severity', async () => {
    const host = inActions();
    const { exitCode, stderr } = await runFiscal(['status', '--check', '--warn', '9000d', '-o', 'json'], host);
    const [annotation = ''] = stderr.split('\n').filter((line) => line.startsWith('::'));
    expect(exitCode).toBe(13);
    expect(annotation).toMatch(/^::warning title=fiscal status%3A certificate_expiring::.+; fiscal /);
    expect(readFileSync(host.page, 'utf8')).toContain('| field | value |\n|---|---|\n| warning | 1 |\n');
  });

  test('the exit code of another program is not annotated', async () => {
    const host = inActions();
    const { exitCode, stderr } = await runFiscal(['sandbox', 'exec', '--', 'sh', '-c', 'exit 42'], host);
    expect([exitCode, stderr]).toEqual([42, '']);
    expect(() => readFileSync(host.page)).toThrow('ENOENT');
  });

  test('without a summary file only annotations are written; a file that cannot be written is reported', async () => {
    const bare = inActions({ GITHUB_STEP_SUMMARY: '' });
    expect(
      (await runFiscal(['product', 'get', '00000000-0000-4000-8000-000000000000', '-o', 'json'], bare)).stderr,
    ).toMatch(/^::error /);
    const broken = inActions({ GITHUB_STEP_SUMMARY: '/nowhere/at/all/page.md' });
    const { stderr, exitCode } = await runFiscal(
      ['product', 'get', '00000000-0000-4000-8000-000000000000', '-o', 'json'],
      broken,
    );
    expect(exitCode).toBe(9);
    expect(stderr.split('\n')[1]).toBe(
      '::warning title=fiscal product get::the file of GITHUB_STEP_SUMMARY could not be written (ENOENT)',
    );
  });

  test('a full summary is not changed', async () => {
    const host = inActions();
    const before = 'x'.repeat(1024 * 1024 - 10);
    writeFileSync(host.page, before);
    const { stderr } = await runFiscal(['product', 'get', '00000000-0000-4000-8000-000000000000', '-o', 'json'], host);
    expect(readFileSync(host.page, 'utf8')).toBe(before);
    expect(stderr.split('\n')[1]).toContain('the summary of this step is full');
  });

  test('no key reaches the summary or an annotation', async () => {
    const host = inActions({ FISCAL_DATA_KEY: canary });
    put(host, 'p.csv', `sku,description,origin,bad ${canary}\nA,Tea,National,1\n`);
    const { stderr } = await runFiscal(['product', 'apply', '--create-only', 'p.csv', '--error-format', 'json'], host);
    const [annotation = ''] = stderr.split('\n');
    expect(annotation).toMatch(/^::error /);
    expect(annotation + readFileSync(host.page, 'utf8')).not.toContain(canary);
  });
});

test.each([
  [{}, ['--ci', 'none']],
  [{ FISCAL_CI: 'none' }, []],
  [{ GITHUB_ACTIONS: '' }, []],
])('the CI output is off with %j and %j', async (env, words) => {
  const host = inActions(env);
  const { stderr } = await runFiscal(
    ['product', 'get', '00000000-0000-4000-8000-000000000000', '-o', 'json', ...words],
    host,
  );
  expect(stderr).toMatch(/^\{"type":"error"/);
  expect(() => readFileSync(host.page)).toThrow('ENOENT');
});

test.each([
  [{ GITHUB_ACTIONS: '' }, ['--ci', 'github']],
  [{ GITHUB_ACTIONS: '', FISCAL_CI: 'github' }, []],
])('the CI output can be enabled outside Actions with %j and %j', async (env, words) => {
  const host = inActions(env);
  const { stderr } = await runFiscal(
    ['product', 'get', '00000000-0000-4000-8000-000000000000', '-o', 'json', ...words],
    host,
  );
  expect(stderr).toMatch(/^::error /);
});

test('an unknown pipeline is refused with the accepted values', async () => {
  const host = inActions({ GITHUB_ACTIONS: '' });
  const { exitCode, stderr } = await runFiscal(['product', 'list', '--ci', 'gitlab', '--error-format', 'text'], host);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('the value "gitlab" of --ci is not valid: one of github, none is expected');
});

/** What a runner takes for a command (public): a line whose first characters after blanks are `::`, or `##[` anywhere. */
const isCommand = (line: string) => /^[\s\u0085]*::|##\w*\[/.test(line);

test.each([['table'], ['csv'], ['csv', '--csv-style', 'excel-br'], ['id'], ['yaml'], ['json'], ['ndjson']])(
  'no text of the service becomes a command of the runner in stdout, with -o %s %s',
  async (...words) => {
    const commands = [
      '::set-output name=a::b',
      'x\n::error::x',
      'x\r\u0085 ::stop-commands::x',
      '##[add-mask]a',
      'y ##vso[task.x]',
    ];
    const companies = commands.map((text) => ({
      id: text,
      name: text,
      tradeName: text,
      federalTaxNumber: 191,
      [text]: text,
    }));
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ companies }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { FISCAL_PROFILE: '', FISCAL_PRODUCT_URL: url, FISCAL_INVOICE_KEY: canary, FISCAL_DATA_KEY: canary };
    for (const ci of ['github', 'none']) {
      const host = inActions({ ...env, FISCAL_TENANT: 't', FISCAL_CI: ci });
      const { stdout } = await runFiscal(['company', 'list', '-o', ...words], host);
      expect(stdout).toMatch(/set-output/);
      expect(stdout.split(/\r\n|\n|\r/).filter(isCommand)).toEqual([]);
      if (words[0] === 'json') expect(JSON.parse(stdout)[4].id).toBe(commands[4]);
    }
  },
);
