import { createHash } from 'node:crypto';
import { cpSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { records } from '../seed.js';
import { runFiscal } from '../../support/host.js';
import { ArchivedMonth, NFE, NFSE } from './archived-month.js';

let month: ArchivedMonth;
let first: string;
let second: string;
const manifest = 'proofs/2026-10/c1/manifest.jsonl';
const verdict = 'proofs/2026-10/c1/close.json';

/** Sets a field of the coverage of NF-e. */
function set(coverage: Record<string, unknown>[], name: string, value: unknown): void {
  const nfe = coverage.find(({ family }) => family === 'nfe');
  if (nfe !== undefined) nfe[name] = value;
}

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

async function states(): Promise<readonly unknown[]> {
  const { stdout } = await month.fiscal('inbound', 'verify', '-o', 'ndjson');
  return (records(stdout) as Record<string, unknown>[]).flatMap(({ type, state }) =>
    type === 'verify' ? [state] : [],
  );
}

const difference = (kind: string, path: string, more: object = {}) => ({
  ...{ type: 'difference', kind, path, manifest },
  ...more,
});

/** What the proof says that it is about. */
const proof = {
  ...{ type: 'verify', month: '2026-10', direction: 'received' },
  ...{ companyId: 'c1', companyTaxNumber: '11222333000181' },
};

test('an unchanged archive is proven, without a request to the service', async () => {
  const asked = month.seen.length;
  const { exitCode, stdout } = await month.fiscal('inbound', 'verify', '-o', 'ndjson');
  expect({ exitCode, records: records(stdout) }).toEqual({
    exitCode: 0,
    records: [
      { ...proof, state: 'proven', documents: 2, files: 3, manifest },
      { type: 'summary', manifests: 1, proven: 1, documents: 2, files: 3, problems: 0, exitCode: 0 },
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

test('a complete month with a changed file has one state: changed since the close', async () => {
  writeFileSync(month.path(first), 'x');
  expect(await states()).toEqual(['changed-since-close']);
  const { stdout } = await runFiscal(['inbound', 'verify', '-o', 'table'], month.host);
  expect(stdout).toContain('changed since the close');
  expect(stdout).not.toContain('complete  ');
});

test('a proof names its company as it stood in the close, on a machine that knows none', async () => {
  forge((closed) => Object.assign(closed, { name: 'Padaria Aurora', taxNumber: '11222333000181' }));
  const { stdout } = await runFiscal(['inbound', 'verify', '--archive', month.archive, '-o', 'ndjson']);
  expect(records(stdout)[0]).toMatchObject({
    ...{ ...proof, companyName: 'Padaria Aurora', companyTaxNumber: '11222333000181' },
    state: 'proven',
  });
});

test('one missing file is found', async () => {
  rmSync(month.path(second));
  expect(await differences()).toEqual({ exitCode: 3, found: [difference('missing', second, { key: NFE[1] })] });
});

test('one extra file is found; a document that arrived after the close is not extra', async () => {
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

test('a manifest that was rewritten to match does not match its verdict', async () => {
  const lines = readFileSync(month.path(manifest), 'utf8').split('\n');
  writeFileSync(month.path(manifest), `${lines[0]}\n`);
  const { exitCode, found } = await differences();
  expect({ exitCode, first: found[0] }).toMatchObject({ exitCode: 3, first: { kind: 'proof', path: manifest } });
});

interface Closed {
  [field: string]: unknown;
  coverage: Record<string, unknown>[];
  counts: Record<string, unknown>;
  rules: Record<string, unknown>;
}

/** Changes the verdict as somebody would who knows how it is made: the manifest's hash still fits. */
function forge(change: (closed: Closed) => void): void {
  const path = month.path(verdict);
  const closed = JSON.parse(readFileSync(path, 'utf8')) as Closed;
  change(closed);
  writeFileSync(path, JSON.stringify(closed));
}

test.each<readonly [string, (closed: Closed) => void, string]>([
  [
    'its capture began after the month',
    ({ coverage }) => set(coverage, 'enabledSince', '2026-10-20T00:00:00.000Z'),
    'verdict is "complete", and follows to be "not-provable"',
  ],
  [
    'its clock lies within the month',
    (closed) => (closed['clock'] = { source: 'service', now: '2026-10-31T00:00:00.000Z' }),
    'verdict is "complete", and follows to be "not-provable"',
  ],
  [
    'it names a gap',
    (closed) => (closed['gaps'] = { 'not-synced': 1 }),
    'verdict is "complete", and follows to be "incomplete"',
  ],
  [
    'its list was not read',
    ({ coverage }) => set(coverage, 'list', { readAt: null, documents: 2, unreadable: 0 }),
    'verdict is "complete", and follows to be "not-provable"',
  ],
  [
    'its list of events was not read',
    ({ coverage }) => set(coverage, 'events', { readAt: null, events: 0, unreadable: 0, problem: 'HTTP 500' }),
    'verdict is "complete", and follows to be "not-provable"',
  ],
  [
    'it says nothing of the list of events',
    ({ coverage }) => set(coverage, 'events', null),
    'verdict is "complete", and follows to be "not-provable"',
  ],
  [
    'more events were listed than stand in the manifest',
    ({ coverage }) =>
      set(coverage, 'events', { ...{ readAt: '2026-11-02T00:00:00.000Z', events: 2, unreadable: 0, problem: null } }),
    '2 events of nfe were listed, and the manifest has 1',
  ],
  [
    'it counts more documents than its manifest',
    ({ counts }) => (counts['archived'] = 3),
    'counts.archived is 3, and follows to be 2',
  ],
  [
    'more was listed than is accounted for',
    (closed) => {
      closed.counts['listed'] = 9;
      set(closed.coverage, 'list', { readAt: '2026-11-02T00:00:00.000Z', documents: 9, unreadable: 0 });
    },
    '9 documents were listed, and neither the manifest nor the gaps account for all of them',
  ],
  [
    'a kind of XML is counted wrong',
    ({ coverage }) => set(coverage, 'xml', { full: 1, summary: 1, event: 1 }),
    'coverage of nfe: xml is {"full":1,"summary":1,"event":1}, and follows to be {"full":2,"summary":0,"event":1}',
  ],
  [
    'its coverage is nothing',
    (closed) => (closed['coverage'] = [null] as unknown as Closed['coverage']),
    'its month, clock, gaps or coverage cannot be read',
  ],
])('a verdict is refused if %s', async (_, change, reason) => {
  forge(change);
  const { exitCode, found } = await differences();
  expect(exitCode).toBe(3);
  expect(found).toContainEqual(difference('verdict', manifest, { reason }));
});

test('a proof by rules of another version is reported as such, and not as changed', async () => {
  forge(({ rules }) => (rules['version'] = 99));
  const reason = 'its rules have version 99, this program knows 6: close the month again';
  expect(await differences()).toEqual({ exitCode: 3, found: [difference('proof-older', manifest, { reason })] });
  expect(await states()).toEqual(['older']);
});

test('a proof without coverage is reported as such, and proves nothing', async () => {
  forge((closed) => {
    for (const name of ['coverage', 'rules', 'verdict', 'reasons', 'gaps', 'clock', 'requested']) delete closed[name];
  });
  const { exitCode, stdout, stderr } = await month.fiscal('inbound', 'verify', '-o', 'ndjson');
  expect([exitCode, records(stdout)]).toMatchObject([
    3,
    [
      { kind: 'proof-older', reason: expect.stringContaining('Close the month again') },
      { ...proof, state: 'older' },
      { proven: 0 },
    ],
  ]);
  expect(stderr).toContain('0 of 1 proofs say that their month is complete');
});

test('a month that was closed with a gap is incomplete, though nothing has changed', async () => {
  month.lists.nfe.push({ accessKey: '35261030057049000141550010000000091000000090', status: 'Processed' });
  await month.fiscal('inbound', 'close', '2026-10');
  const { exitCode, stdout } = await month.fiscal('inbound', 'verify', '-o', 'ndjson');
  expect([exitCode, records(stdout)]).toMatchObject([0, [{ ...proof, state: 'incomplete' }, { proven: 0 }]]);
});

test('a summary in place of a full document is found, even if its hash matches', async () => {
  const text = '<resNFe/>';
  const file = month.write(first, text);
  const lines = readFileSync(month.path(manifest), 'utf8').split('\n');
  const entry = Object.assign({}, JSON.parse(lines[0] ?? ''), { sha256: file.sha256 }) as object;
  const forged = [JSON.stringify(entry), ...lines.slice(1)].join('\n');
  writeFileSync(month.path(manifest), forged);
  const sha256 = createHash('sha256').update(forged).digest('hex');
  forge((closed) => (closed['manifest'] = Object.assign({}, closed['manifest'], { sha256 })));
  expect(await differences()).toEqual({
    exitCode: 3,
    found: [difference('xml-kind', first, { key: NFE[0], expected: 'full', found: 'summary' })],
  });
});

test('a copy of the folder is verified on a machine without its store', async () => {
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

test('an archive without a manifest is reported with the command to create one', async () => {
  const empty = await ArchivedMonth.open();
  await empty.add('nfse', NFSE);
  const { exitCode, stderr } = await empty.fiscal('inbound', 'verify');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('write one: fiscal inbound close <month> --archive ');
});

const skippedLink = (path: string, more: object) => ({
  ...{ type: 'difference', kind: 'link', path, ...more },
  reason: 'the folder is a symbolic link and was not followed: --follow-links reads it',
});

/** Moves a folder of the archive elsewhere and leaves a link. */
function link(folder: string): void {
  const elsewhere = join(month.host.root, `elsewhere-${folder.replaceAll('/', '-')}`);
  renameSync(month.path(folder), elsewhere);
  symlinkSync(elsewhere, month.path(folder));
}

test('a folder that is a link is not read, and nothing behind it counts as verified', async () => {
  const folder = '11222333000181/2026-10';
  link(folder);
  const { exitCode, stdout, stderr } = await month.fiscal('inbound', 'verify', '-o', 'ndjson');
  expect(records(stdout)).toEqual([
    skippedLink(folder, { count: 3, manifest }),
    { ...proof, state: 'not-verified', documents: 2, files: 0, manifest },
    { type: 'summary', manifests: 1, proven: 0, documents: 2, files: 0, problems: 1, exitCode: 3 },
  ]);
  expect(exitCode).toBe(3);
  expect(stderr).toContain('1 difference; 0 of 1 proofs say');
  expect(await differences('--follow-links')).toEqual({ exitCode: 0, found: [] });
  rmSync(month.path(first));
  expect(await differences('--follow-links')).toMatchObject({ exitCode: 3, found: [{ kind: 'missing' }] });
});

test.each(['proofs', 'proofs/2026-10', 'proofs/2026-10/c1'])(
  'proofs behind the link %s are not read',
  async (folder) => {
    link(folder);
    const { exitCode, stdout } = await month.fiscal('inbound', 'verify', '-o', 'ndjson');
    expect([exitCode, records(stdout)]).toEqual([
      3,
      [
        skippedLink(folder, {}),
        { type: 'summary', manifests: 0, proven: 0, documents: 0, files: 0, problems: 1, exitCode: 3 },
      ],
    ]);
    expect(await differences('--follow-links')).toEqual({ exitCode: 0, found: [] });
  },
);

test('a link to a folder above is followed once', async () => {
  symlinkSync(month.path('proofs'), month.path('proofs/2026-10/loop'));
  const { exitCode, stdout } = await month.fiscal('inbound', 'verify', '-o', 'ndjson', '--follow-links');
  expect([exitCode, records(stdout).at(-1)]).toMatchObject([0, { manifests: 1, proven: 1 }]);
});

test('a link to a folder that is not there is reported, and not taken for no proofs', async () => {
  link('proofs');
  rmSync(join(month.host.root, 'elsewhere-proofs'), { recursive: true });
  expect(await differences()).toMatchObject({ exitCode: 3, found: [{ kind: 'link', path: 'proofs' }] });
  const { exitCode, stderr } = await month.fiscal('inbound', 'verify', '--follow-links');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(month.path('proofs'))]);
});

test('the archive itself may be a link', async () => {
  const path = join(month.host.root, 'link');
  symlinkSync(month.archive, path);
  expect(await differences('--archive', path)).toEqual({ exitCode: 0, found: [] });
});
