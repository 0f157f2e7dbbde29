import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Environment } from '../../../src/domain/world.js';
import { testService } from '../../conformance/service.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';

const service = testService();
const MONTH = '2026-03';
const nowhere = 'http://127.0.0.1:9';
let host: TestHost;
let archive: string;
let keys: readonly string[];

beforeAll(async () => {
  const { url, invoiceKey, companyId } = service.ready();
  const hosts = { FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url };
  host = testHost({ env: { ...hosts, FISCAL_INVOICE_KEY: invoiceKey, FISCAL_COMPANY: companyId } });
  archive = join(host.root, 'archive');
  const seed = { scenario: 'month', month: MONTH, documents: 60, companies: 1, seed: 5 };
  await service.control('POST', 'seed', seed);
  const sync = ['inbound', 'sync', '--type', 'nfe', '--archive', archive];
  expect((await runFiscal(sync, host)).exitCode).toBe(0);
  keys = files('.xml')
    .filter((path) => !path.includes('.event-'))
    .map((path) => basename(path, '.xml'));
});

/** Below the folder of the proofs, or beside it. */
const files = (ending: string, folder?: 'proofs'): readonly string[] =>
  readdirSync(archive, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && name.startsWith('proofs') === (folder === 'proofs'))
    .toSorted();

/** A person at a desktop, with the files of the host, and what was started. */
function desk(env: Environment = {}, starts = true) {
  const started: (readonly string[])[] = [];
  const plain = testHost({ isTerminal: true, columns: 200, env: { ...host.env, DISPLAY: ':0', ...env } });
  const startProgram: TestHost['startProgram'] = async (words, given) => {
    expect(given['FISCAL_INVOICE_KEY']).toBeUndefined();
    started.push(words);
    return starts;
  };
  return { host: { ...plain, startProgram, platform: 'linux' } satisfies TestHost, started };
}

test('a PDF is stored beside its XML, and the proofs of the archive know it', async () => {
  const [key = ''] = keys;
  const { exitCode, stdout } = await runFiscal(['inbound', 'pdf', key], desk().host);
  expect(exitCode).toBe(0);
  const [path = ''] = files('.pdf');
  expect(stdout).toContain(path);
  expect([path.replace('.pdf', '.xml'), files('.pdf')]).toEqual([
    files('.xml').find((each) => each.endsWith(`${key}.xml`)),
    [path],
  ]);
  expect(readFileSync(join(archive, path), 'latin1')).toMatch(/^%PDF/);
  const close = await runFiscal(['inbound', 'close', MONTH, '--type', 'nfe', '--archive', archive, '-o', 'json'], host);
  expect([close.exitCode, close.stdout]).toEqual([0, expect.stringContaining('"verdict": "complete"')]);
  const manifest = files('manifest.jsonl', 'proofs').map((name) => readFileSync(join(archive, name), 'utf8'));
  expect(manifest).toEqual([expect.stringContaining(path)]);
  const verify = async () => (await runFiscal(['inbound', 'verify', '--archive', archive], host)).exitCode;
  expect(await verify()).toBe(0);
  expect((await runFiscal(['inbound', 'pdf', keys[3] ?? ''], desk().host)).exitCode).toBe(0);
  expect([await verify(), files('.pdf').length]).toEqual([0, 2]);
});

test('--open stores it and gives its path to the desktop; what is stored is not fetched again', async () => {
  const [, key = ''] = keys;
  const first = desk();
  expect((await runFiscal(['inbound', 'pdf', key, '--open'], first.host)).exitCode).toBe(0);
  const path = join(archive, files('.pdf').find((each) => each.includes(key)) ?? '');
  const again = desk({ FISCAL_PRODUCT_URL: nowhere, FISCAL_SERVICE_URL: nowhere });
  expect((await runFiscal(['inbound', 'pdf', key, '--open'], again.host)).exitCode).toBe(0);
  expect([first.started, again.started]).toEqual([[['xdg-open', path]], [['xdg-open', path]]]);
});

test('--open with --out opens that file', async () => {
  const [key = ''] = keys;
  const { host: at, started } = desk();
  const words = ['inbound', 'pdf', key, '--out', 'nota.pdf', '--open'];
  expect((await runFiscal(words, at)).exitCode).toBe(0);
  expect(started).toEqual([['xdg-open', join(at.cwd, 'nota.pdf')]]);
});

test('a changed PDF is neither opened nor replaced', async () => {
  const [, , key = ''] = keys;
  await runFiscal(['inbound', 'pdf', key], desk().host);
  const path = join(archive, files('.pdf').find((each) => each.includes(key)) ?? '');
  writeFileSync(path, 'changed by hand');
  const { host: at, started } = desk();
  const { exitCode, stderr } = await runFiscal(['inbound', 'pdf', key, '--open'], at);
  expect([exitCode, started, readFileSync(path, 'utf8')]).toEqual([2, [], 'changed by hand']);
  expect(stderr).toContain('is not the PDF that was stored');
});

test.each<[string, Environment]>([
  ['without a desktop', { DISPLAY: '' }],
  ['in CI', { CI: 'true' }],
])('--open is refused %s, before anything is fetched', async (_where, env) => {
  const key = keys.at(-1) ?? '';
  const { host: at, started } = desk({ ...env, FISCAL_PRODUCT_URL: nowhere, FISCAL_SERVICE_URL: nowhere });
  const { exitCode, stderr } = await runFiscal(['inbound', 'pdf', key, '--open'], at);
  expect([exitCode, started]).toEqual([2, []]);
  expect(stderr).toContain('--open needs a terminal and a desktop');
});

test('a desktop without a program for it is said, with the path of the file', async () => {
  const [key = ''] = keys;
  const { host: at } = desk({}, false);
  const { exitCode, stderr } = await runFiscal(['inbound', 'pdf', key, '--open'], at);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('.pdf, and xdg-open could not open it')]);
});

test('a dry run opens nothing, and a document that is not in the archive needs --out', async () => {
  const key = keys.at(-1) ?? '';
  const { host: at, started } = desk();
  expect((await runFiscal(['inbound', 'pdf', key, '--open', '--dry-run'], at)).exitCode).toBe(0);
  const other = '35250530057049000141550010000280181030656857';
  const { exitCode, stderr } = await runFiscal(['inbound', 'pdf', other, '--open'], at);
  expect([exitCode, started, existsSync(join(at.cwd, `${other}.pdf`))]).toEqual([2, [], false]);
  expect(stderr).toContain('missing: --out <file>');
});
