import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { records } from '../../commands/seed.js';
import { runFiscal } from '../../support/host.js';
import { ArchivedMonth, NFE, NFSE } from './archived-month.js';

let month: ArchivedMonth;
let first: string;
let second: string;
const manifest = 'proofs/2026-10/c1/manifest.jsonl';

beforeEach(async () => {
  month = await ArchivedMonth.open();
  first = await month.add('nfe', NFE[0]);
  second = await month.add('nfe', NFE[1]);
  await month.addEvent('nfe', NFE[1]);
  await month.fiscal('inbound', 'close', '2026-10');
});

async function differences(...more: string[]) {
  const { exitCode, stdout } = await month.fiscal('inbound', 'verify', '-o', 'ndjson', ...more);
  const found = records(stdout).filter((r) => typeof r === 'object' && r !== null && 'kind' in r);
  return { exitCode, found };
}

const difference = (kind: string, path: string, more: object = {}) => ({
  ...{ type: 'difference', kind, path, manifest },
  ...more,
});

test('an archive as it was closed is intact, without a word to the service', async () => {
  const asked = month.seen.length;
  const { exitCode, stdout } = await month.fiscal('inbound', 'verify', '-o', 'ndjson');
  expect({ exitCode, records: records(stdout) }).toEqual({
    exitCode: 0,
    records: [
      { type: 'verify', manifest, intact: true, documents: 2, files: 3 },
      { type: 'summary', manifests: 1, documents: 2, files: 3, problems: 0, exitCode: 0 },
    ],
  });
  expect(month.seen.length).toBe(asked);
});

test('one flipped byte is found', async () => {
  const bytes = readFileSync(month.path(first));
  bytes[7] = (bytes[7] ?? 0) ^ 1;
  writeFileSync(month.path(first), bytes);
  const hash: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(await differences()).toEqual({
    exitCode: 3,
    found: [difference('changed', first, { key: NFE[0], expected: hash, found: hash })],
  });
});

test('one missing file is found', async () => {
  rmSync(month.path(second));
  expect(await differences()).toEqual({
    exitCode: 3,
    found: [difference('missing', second, { key: NFE[1] })],
  });
});

test('one extra file is found; a document that arrived after the close is none', async () => {
  await month.add('nfe', '35261030057049000141550010000000091000000090');
  const extra = first.replace(NFE[0], 'copy');
  month.write(extra, 'x');
  expect(await differences()).toEqual({ exitCode: 3, found: [difference('extra', extra)] });
});

test('a swapped pair is found and named', async () => {
  renameSync(month.path(first), month.path('aside'));
  renameSync(month.path(second), month.path(first));
  renameSync(month.path('aside'), month.path(second));
  expect(await differences()).toEqual({
    exitCode: 3,
    found: [difference('swapped', first, { key: NFE[0], with: second })],
  });
});

test('a manifest that was rewritten to fit is not the one of its verdict', async () => {
  const lines = readFileSync(month.path(manifest), 'utf8').split('\n');
  writeFileSync(month.path(manifest), `${lines[0]}\n`);
  const { exitCode, found } = await differences();
  expect({ exitCode, first: found[0] }).toMatchObject({
    exitCode: 3,
    first: { kind: 'proof', path: manifest },
  });
});

test('a copy of the folder is verified on a machine that knows nothing of it', async () => {
  const copy = join(month.host.root, 'backup');
  cpSync(month.archive, copy, { recursive: true });
  expect((await runFiscal(['inbound', 'verify', '--manifest', join(copy, manifest)])).exitCode).toBe(0);
  expect((await runFiscal(['inbound', 'verify', '--archive', copy])).exitCode).toBe(0);
  writeFileSync(join(copy, first), 'x');
  expect((await runFiscal(['inbound', 'verify', '--archive', copy])).exitCode).toBe(3);
});

test.each([
  ['leads out of the archive', { path: '../../etc/passwd' }],
  ['is absolute', { path: '/etc/passwd' }],
  ['has no hash', { sha256: 'x' }],
])('a manifest whose path %s is refused', async (_, change) => {
  const [line = ''] = readFileSync(month.path(manifest), 'utf8').split('\n');
  const entry: unknown = JSON.parse(line);
  writeFileSync(month.path(manifest), `${JSON.stringify(Object.assign({}, entry, change))}\n`);
  const { exitCode, stderr } = await month.fiscal('inbound', 'verify', '--error-format', 'json');
  expect({ exitCode, error: JSON.parse(stderr) }).toMatchObject({
    exitCode: 2,
    error: { error: { code: 'inbound.manifest_unreadable' } },
  });
});

test('an archive without any manifest says how to get one', async () => {
  const empty = await ArchivedMonth.open();
  await empty.add('nfse', NFSE);
  const { exitCode, stderr } = await empty.fiscal('inbound', 'verify');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('fiscal inbound close <month>');
});
