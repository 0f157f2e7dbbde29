import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { firstMonth, invoiceSandbox } from '../invoice/sandbox.js';
import { records } from '../seed.js';
import { fieldOf } from '../../../src/domain/record.js';
import { type CaptureState, noteCapture } from '../../../src/services/company/capture.js';
import { ArchivedMonth, CTE, eventOf, NFE, NFSE, xmlOf, type Listed } from './archived-month.js';
import { said } from '../../../src/errors/reasons.js';

let month: ArchivedMonth;
const proof = 'proofs/2026-10/c1';

beforeEach(async () => {
  month = await ArchivedMonth.open();
});

async function close(...more: string[]) {
  const { exitCode, stdout, stderr } = await month.fiscal('inbound', 'close', '2026-10', '-o', 'ndjson', ...more);
  return { exitCode, stderr, records: records(stdout) };
}

/** The gaps alone. */
async function gaps(...more: string[]) {
  const closed = await close(...more);
  const found = closed.records.filter((record) => typeof record === 'object' && record !== null && 'kind' in record);
  return { exitCode: closed.exitCode, gaps: found };
}

/** Exit code, verdict and reasons of the one company. */
async function closeOf(name: string, ...more: string[]) {
  const { exitCode, stdout } = await month.fiscal('inbound', 'close', name, '-o', 'ndjson', ...more);
  const found = records(stdout).find((record) => fieldOf(record, 'type') === 'close');
  const reasons = fieldOf(found, 'reasons') as { readonly code: string; readonly family?: string }[];
  const words = reasons.map(({ code, family = '' }) => `${code} ${family}`);
  expect(fieldOf(found, 'complete')).toBe(exitCode === 0);
  return [exitCode, fieldOf(found, 'verdict'), words];
}

const judged = async (...more: string[]) => await closeOf('2026-10', ...more);

const gap = (family: string, kind: string, more: object) => ({
  type: 'gap',
  direction: 'received',
  companyId: 'c1',
  companyTaxNumber: '11222333000181',
  family,
  kind,
  ...more,
});
const sha = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');

test('a complete month exits 0, with a sorted manifest and a verdict that names its hash', async () => {
  const second = await month.add('nfe', NFE[1]);
  const first = await month.add('nfe', NFE[0]);
  const event = await month.addEvent('nfe', NFE[0]);
  const nfse = await month.add('nfse', NFSE);
  const { exitCode, records: found } = await close();
  const manifest = readFileSync(month.path(`${proof}/manifest.jsonl`));
  const line = (key: string, path: string, events: unknown[] = []) => {
    const type = path.split('/')[2] === 'nfse' ? 'nfse' : 'nfe';
    const text = xmlOf(type, key);
    const judged = { status: 'Processed', xmlKind: 'full', signature: 'valid' };
    return { key, type, ...judged, path, sha256: sha(text), bytes: text.length, events };
  };
  expect(records(manifest.toString())).toEqual([
    line(NFE[0], first, [{ key: '110111-1', path: event, sha256: sha(eventOf('110111-1')), bytes: 25 }]),
    line(NFE[1], second),
    line(NFSE, nfse),
  ]);
  const verdict: unknown = JSON.parse(readFileSync(month.path(`${proof}/close.json`), 'utf8'));
  const counts = {
    ...{ listed: 3, archived: 3, summaries: 0, events: 1, bytes: 173, unlisted: 0, problems: 0 },
    signatures: { valid: 3, invalid: 0, absent: 0, unverifiable: 0 },
  };
  const now: unknown = expect.stringMatching(/^2\d{3}-.*Z$/);
  const coverage = (
    family: string,
    xml: { readonly full?: number; readonly event?: number },
    documents: number,
    hidden: unknown = null,
  ) => ({
    ...{
      family,
      capture: 'on',
      unclearStatus: null,
      environment: null,
      enabledSince: '2026-09-01T00:00:00.000Z',
      enabledBy: 'settings',
      cutOff: null,
    },
    history: [
      {
        state: 'on',
        createdOn: '2026-09-01T00:00:00.000Z',
        startFromDate: null,
        environment: null,
        firstSeenAt: now,
        lastSeenAt: now,
      },
    ],
    ...{ hidden, spacedUntil: null, lastSyncAt: null, unreadable: null, nsu: null },
    list: { readAt: now, documents, unreadable: 0, problem: null },
    events: { readAt: now, events: xml.event ?? 0, unreadable: 0, problem: null },
    xml: { full: 0, summary: 0, event: 0, ...xml },
  });
  expect(verdict).toEqual({
    ...{ month: '2026-10', company: 'c1', taxNumber: '11222333000181', families: ['cte', 'nfe', 'nfse'] },
    ...{ requested: [], complete: true, verdict: 'complete', reasons: [], counts, gaps: {} },
    coverage: [
      coverage('cte', {}, 0),
      coverage('nfe', { full: 2, event: 1 }, 2),
      coverage('nfse', { full: 1 }, 1, { released: false, count: 0 }),
    ],
    ...{ allowInvalidSignatures: false, closedAt: now, clock: { source: 'service', now } },
    rules: { version: 6, date: '2026-11-28', assumptions: expect.any(Array) },
    version: '0.1.0',
    manifest: { file: 'manifest.jsonl', sha256: sha(manifest), entries: 3 },
  });
  expect(exitCode).toBe(0);
  expect(found.at(-1)).toEqual({
    ...{ type: 'summary', month: '2026-10', companies: 1, complete: 1, incomplete: 0, notProvable: 0 },
    ...{ verdict: 'complete', listed: 3, archived: 3, summaries: 0, problems: 0, exitCode: 0 },
  });
});

test('a document that the service no longer lists stays in the sorted manifest, and the list proves nothing', async () => {
  const key = (n: number) => NFE[0].slice(0, -4) + String(n).padStart(4, '0');
  for (const n of [7, 19, 3, 12, 1, 16, 5, 10, 2, 18, 4, 8]) await month.add('nfe', key(n));
  month.lists.nfe.splice(0, 2);
  const { exitCode, records: found } = await close('--type', 'nfe');
  const manifest = records(readFileSync(month.path(`${proof}/nfe/manifest.jsonl`), 'utf8'));
  expect(manifest).toMatchObject([1, 2, 3, 4, 5, 7, 8, 10, 12, 16, 18, 19].map((n) => ({ key: key(n), bytes: 55 })));
  expect(found.at(-2)).toMatchObject({ listed: 10, archived: 12, unlisted: 2, bytes: 660, problems: 0 });
  expect([exitCode, found.at(-2)]).toMatchObject([
    3,
    { verdict: 'not-provable', reasons: [{ code: 'list-lacks-archived', family: 'nfe' }] },
  ]);
});

test('no proof is written through a link in the archive, unless --follow-links is given', async () => {
  await month.add('nfe', NFE[0]);
  const outside = join(month.host.root, 'outside');
  mkdirSync(outside);
  symlinkSync(outside, join(month.archive, 'proofs'));
  const refused = await close();
  expect([refused.exitCode, refused.records]).toEqual([2, []]);
  expect(refused.stderr).toContain('--follow-links');
  expect(readdirSync(outside)).toEqual([]);
  expect((await close('--follow-links')).exitCode).toBe(0);
  expect(readdirSync(outside)).toEqual(['2026-10']);
});

test.each(['nfe', '.'])('files behind the link %s are gaps, and not proof', async (folder) => {
  const path = await month.add('nfe', NFE[0]);
  const event = await month.addEvent('nfe', NFE[0]);
  await month.add('cte', CTE);
  expect((await close()).exitCode).toBe(0);
  const linked = join('11222333000181/2026-10', folder);
  renameSync(month.path(linked), join(month.host.root, 'outside'));
  symlinkSync(join(month.host.root, 'outside'), month.path(linked));
  const found = await close();
  const reason = 'the folder is a symbolic link and was not followed: --follow-links reads it';
  const nfe = [
    gap('nfe', 'behind-link', { key: NFE[0], path, reason }),
    gap('nfe', 'event-behind-link', { key: NFE[0], event: '110111-1', path: event, reason }),
  ];
  const cte = gap('cte', 'behind-link', {
    key: CTE,
    path: path.replaceAll(/nfe/g, 'cte').replace(NFE[0], CTE),
    reason,
  });
  expect(found.records.slice(0, -2)).toEqual(folder === 'nfe' ? nfe : [cte, ...nfe]);
  expect([found.exitCode, found.records.at(-1)]).toMatchObject([3, { verdict: 'incomplete' }]);
  expect(found.stderr).toMatch(/if the link is yours: fiscal inbound close 2026-10 .*--follow-links/);
  expect(found.stderr).not.toContain('fetch what is missing');
  const followed = await close('--follow-links');
  expect([followed.exitCode, followed.records.at(-1)]).toMatchObject([0, { verdict: 'complete' }]);
});

test.each([[], ['--follow-links']])('a file that is itself a link proves nothing, also with %j', async (...words) => {
  const path = await month.add('nfe', NFE[0]);
  const event = await month.addEvent('nfe', NFE[0]);
  expect((await close()).exitCode).toBe(0);
  for (const file of [path, event]) {
    renameSync(month.path(file), join(month.host.root, basename(file)));
    symlinkSync(join(month.host.root, basename(file)), month.path(file));
  }
  const verified = await month.fiscal('inbound', 'verify', '-o', 'ndjson', ...words);
  const reason = 'it is a symbolic link, not the file itself';
  expect([verified.exitCode, records(verified.stdout).slice(0, 2)]).toMatchObject([
    3,
    [
      { type: 'difference', kind: 'missing', path, reason },
      { type: 'difference', kind: 'missing', path: event, reason },
    ],
  ]);
  const found = await close(...words);
  expect([found.exitCode, found.records[0], found.records.at(-1)]).toMatchObject([
    3,
    { kind: 'file-missing', key: NFE[0], path, reason },
    { verdict: 'incomplete' },
  ]);
  expect(found.stderr).toContain('fetch what is missing');
});

test.each([
  ['manifest.jsonl', 2],
  ['close.json', 3],
])('a proof whose %s is a link proves nothing, and is replaced', async (name, ends) => {
  await month.add('nfe', NFE[0]);
  expect((await close()).exitCode).toBe(0);
  renameSync(month.path(`${proof}/${name}`), join(month.host.root, name));
  symlinkSync(join(month.host.root, name), month.path(`${proof}/${name}`));
  const { exitCode, stdout, stderr } = await month.fiscal('inbound', 'verify', '-o', 'ndjson');
  const says = ends === 2 ? stderr : stdout;
  expect([exitCode, says]).toEqual([
    ends,
    expect.stringMatching(ends === 2 ? 'it is a symbolic link, not the file itself' : '"proven":0'),
  ]);
  expect((await close()).exitCode).toBe(0);
  expect((await month.fiscal('inbound', 'verify')).exitCode).toBe(0);
});

test('an NFS-e in the layout of a city is proven by what was archived', async () => {
  const text = '<CompNfse><Cnpj>11222333000181</Cnpj></CompNfse>';
  month.signature = 'unverifiable';
  month.xmlKind = undefined;
  await month.add('nfse', NFSE, text);
  const { exitCode, records: found } = await close('--type', 'nfse');
  expect([exitCode, found.at(-1)]).toMatchObject([0, { verdict: 'complete', archived: 1 }]);
  const verified = await month.fiscal('inbound', 'verify', '-o', 'ndjson');
  expect(records(verified.stdout).at(-1)).toMatchObject({ problems: 0 });
});

test('an event behind a link is a gap of its document, and the printed commands keep --follow-links', async () => {
  await month.add('nfe', NFE[0]);
  const event = await month.addEvent('nfe', NFE[0]);
  renameSync(month.path(event), month.path('elsewhere'));
  const { exitCode, stderr } = await close('--follow-links');
  expect(exitCode).toBe(3);
  expect(stderr).toMatch(/fetch what is missing: fiscal inbound sync .*--follow-links/);
  expect(stderr).toMatch(/then close again: fiscal inbound close .*--follow-links/);
});

test('an interrupted close keeps the previous proof, and leaves no partial file', async () => {
  await month.add('nfe', NFE[0]);
  await close();
  const before = readFileSync(month.path(`${proof}/close.json`), 'utf8');
  await month.add('nfe', NFE[1]);
  month.refusesKey = true;
  expect((await close()).exitCode).toBe(4);
  expect(readFileSync(month.path(`${proof}/close.json`), 'utf8')).toBe(before);
  expect(records(readFileSync(month.path(`${proof}/manifest.jsonl`), 'utf8'))).toHaveLength(1);
  expect(readdirSync(month.archive).toSorted()).toEqual(['11222333000181', 'proofs']);
});

test('a document that the service lists and no sync has seen is missing', async () => {
  await month.add('nfe', NFE[0]);
  month.lists.cte.push({ accessKey: CTE, status: 'Processed' });
  expect(await gaps()).toEqual({ exitCode: 3, gaps: [gap('cte', 'not-synced', { key: CTE })] });
});

test('a file that is missing or changed does not count as archived', async () => {
  const gone = await month.add('nfe', NFE[0]);
  const changed = await month.add('nfe', NFE[1]);
  const event = await month.addEvent('nfe', NFE[1]);
  rmSync(month.path(gone));
  writeFileSync(month.path(changed), xmlOf('nfe', NFE[0]));
  expect(await gaps()).toEqual({
    exitCode: 3,
    gaps: [
      gap('nfe', 'file-missing', { key: NFE[0], path: gone }),
      gap('nfe', 'file-changed', { key: NFE[1], path: changed }),
    ],
  });
  writeFileSync(month.path(changed), xmlOf('nfe', NFE[1]));
  rmSync(month.path(event));
  expect((await gaps()).gaps).toEqual([
    gap('nfe', 'file-missing', { key: NFE[0], path: gone }),
    gap('nfe', 'event-file-missing', { key: NFE[1], event: '110111-1', path: event }),
  ]);
});

test('the archived event of a document without a file is proven all the same', async () => {
  const gone = await month.add('nfe', NFE[0]);
  const event = await month.addEvent('nfe', NFE[0]);
  await month.add('nfe', NFE[1]);
  rmSync(month.path(gone));
  const { exitCode, records: found } = await close();
  expect([exitCode, found.at(-1)]).toMatchObject([3, { listed: 2, archived: 1, problems: 1 }]);
  expect(found.find((record) => fieldOf(record, 'type') === 'close')).toMatchObject({ archived: 1, events: 1 });
  const [line] = records(readFileSync(month.path(`${proof}/manifest.jsonl`), 'utf8'));
  const text = eventOf('110111-1');
  expect(line).toEqual({
    ...{ key: NFE[0], type: 'nfe', status: 'Processed' },
    events: [{ key: '110111-1', path: event, sha256: sha(text), bytes: text.length }],
  });
  const verify = async () => records((await month.fiscal('inbound', 'verify', '-o', 'ndjson')).stdout);
  const manifest = `${proof}/manifest.jsonl`;
  expect((await verify())[0]).toMatchObject({ state: 'incomplete', documents: 1, files: 2, manifest });
  rmSync(month.path(event));
  expect((await verify())[0]).toEqual({
    ...{ type: 'difference', kind: 'missing', path: event, key: NFE[0], manifest },
  });
});

test.each([
  ['fails', { status: 500, body: { error: { code: 'internal_error', message: 'no' } } }],
  ['is no list', { status: 200, body: { value: null } }],
  ['is not there', { status: 404, body: { error: { code: 'not_found', message: 'no' } } }],
  ['has fewer rows than it counts', { status: 200, body: { value: [], '@odata.count': 2 } }],
])('a month is not proven if a list of events %s', async (_, answer) => {
  await month.add('cte', CTE);
  month.eventAnswers.cte = answer;
  expect(await judged('--max-retry-wait', '1ms')).toEqual([3, 'not-provable', ['events-unread cte']]);
  const closed: unknown = JSON.parse(readFileSync(month.path(`${proof}/close.json`), 'utf8'));
  expect(closed).toMatchObject({
    complete: false,
    coverage: [{ family: 'cte', events: { readAt: null, problem: expect.any(String) } }, {}, {}],
  });
  const { exitCode, stdout } = await month.fiscal('inbound', 'verify', '-o', 'ndjson');
  expect([exitCode, records(stdout)[0]]).toMatchObject([0, { state: 'not-provable' }]);
});

test('an event that the service lists and no sync has seen is missing, with the sync command to run', async () => {
  await month.add('nfe', NFE[0]);
  const createdOn = '2026-10-20T12:00:00Z';
  month.events.nfe.push({ eventKey: '110111-9', accessKey: NFE[0], createdOn });
  // Of another month's document.
  month.events.nfe.push({ eventKey: '110111-8', accessKey: CTE, createdOn });
  const { exitCode, records: found } = await close('--type', 'nfe');
  expect([exitCode, found[0]]).toEqual([3, gap('nfe', 'event-not-synced', { key: NFE[0], event: '110111-9' })]);
  expect(found[1]).toMatchObject({
    verdict: 'incomplete',
    coverage: [{ events: { events: 1 } }],
    repair: expect.stringContaining(`--since ${createdOn}`),
  });
});

test('a list of events without one that is archived proves nothing', async () => {
  await month.add('nfe', NFE[0]);
  await month.addEvent('nfe', NFE[0]);
  month.events.nfe.length = 0;
  expect(await judged()).toEqual([3, 'not-provable', ['events-lack-archived nfe']]);
});

test('rows of the list of events that name no event keep the month open', async () => {
  await month.add('nfe', NFE[0]);
  month.eventAnswers.nfe = { status: 200, body: { value: [{ accessKey: NFE[0] }], '@odata.count': 1 } };
  expect(await gaps()).toEqual({ exitCode: 3, gaps: [gap('nfe', 'row-unreadable', { count: 1 })] });
});

test('a list that is cut without a link is not complete: the rest is requested, or the month is not proven', async () => {
  for (const key of NFE) await month.add('nfe', key);
  month.mostRows = 1;
  expect(await judged()).toEqual([0, 'complete', []]);
  month.lists.nfe.push({ accessKey: CTE, status: 'Processed' });
  month.mostRows = 0;
  expect(await judged()).toMatchObject([3, 'not-provable', expect.arrayContaining(['list-unread nfe'])]);
});

test('a quarantined document, or one that the service has changed since, keeps the month open', async () => {
  await month.add('nfe', NFE[0]);
  await month.add('nfe', NFE[1]);
  await month.store(async ({ documents }) => {
    const row = await documents.get({ profile: 'environment', companyId: 'c1', family: 'nfe' }, NFE[0]);
    const patch = { state: 'quarantined', due: false, reason: said('broken') } as const;
    if (row !== undefined) await documents.finish([{ row, patch, at: 1 }]);
  });
  month.lists.nfe.splice(1, 1, { accessKey: NFE[1], status: 'Reprocessed' });
  expect(await gaps()).toEqual({
    exitCode: 3,
    gaps: [
      gap('nfe', 'not-archived', { key: NFE[0], reason: 'broken' }),
      gap('nfe', 'outdated', { key: NFE[1], reason: 'Processed → Reprocessed' }),
    ],
  });
});

test('a spaced capture keeps the month open: the service may not have every document', async () => {
  await month.add('nfe', NFE[0]);
  month.spacedUntil = '2999-01-01T00:00:00Z';
  expect(await judged('--type', 'nfe')).toEqual([3, 'not-provable', ['capture-spaced nfe']]);
});

test('a spaced capture is judged by the clock of the service, not by that of the machine', async () => {
  await month.add('nfe', NFE[0]);
  month.servedAt = 'Sun, 01 Nov 2026 04:00:00 GMT';
  month.spacedUntil = '2026-11-01T04:30:00Z';
  expect(await judged('--type', 'nfe')).toEqual([3, 'not-provable', ['capture-spaced nfe']]);
  month.spacedUntil = '2026-11-01T03:30:00Z';
  expect(await judged('--type', 'nfe')).toEqual([0, 'complete', []]);
});

test('settings that name production prove the month', async () => {
  month.settings.nfe = { environmentSEFAZ: 'Production' };
  expect(await judged('--type', 'nfe')).toEqual([0, 'complete', []]);
});

test.each<readonly [string, (month: ArchivedMonth) => void, readonly string[]]>([
  ['no family is captured', ({ captures }) => captures.clear(), ['nothing-captured ']],
  [
    'the capture was enabled after the month began',
    ({ settings }) => (settings.nfe = { createdOn: '2026-10-15T00:00:00Z' }),
    ['enabled-after-month-began nfe'],
  ],
  [
    'the capture was enabled after the month, and its settings call the time by its other name',
    ({ settings }) => (settings.nfse = { createdOn: undefined, createdAt: '2026-11-05T00:00:00Z' }),
    ['enabled-after-month-began nfse'],
  ],
  [
    'nothing says since when the capture is enabled, and this machine sees it for the first time',
    ({ settings }) => (settings.cte = { createdOn: undefined }),
    ['enabled-after-month-began cte'],
  ],
  [
    'the capture is not active any more',
    ({ settings }) => (settings.nfse = { isActive: false }),
    ['capture-inactive nfse'],
  ],
  [
    'the settings call the capture inactive in a word',
    ({ settings }) => (settings.nfe = { status: 'Inactive' }),
    ['capture-inactive nfe'],
  ],
  [
    'the settings have a status as a number, whose meaning is published nowhere',
    ({ settings }) => (settings.nfe = { status: 1 }),
    ['capture-unclear nfe'],
  ],
  [
    'the settings have a status that is null',
    ({ settings }) => (settings.nfe = { status: null }),
    ['capture-unclear nfe'],
  ],
  ['the settings have no status', ({ settings }) => (settings.nfe = { status: undefined }), ['capture-unclear nfe']],
  [
    'the settings have a word that nobody documents',
    ({ settings }) => (settings.nfe = { status: 'Paused' }),
    ['capture-unclear nfe'],
  ],
  [
    'the settings of NFS-e do not say whether it is active',
    ({ settings }) => (settings.nfse = { status: undefined, isActive: null }),
    ['capture-unclear nfse'],
  ],
  [
    'the summary of hidden NFS-e is not read',
    (its) => {
      its.settings.nfse = {};
      its.backfill = undefined;
    },
    ['hidden-unknown nfse'],
  ],
  [
    'the number of hidden NFS-e is unknown',
    (its) => {
      its.settings.nfse = {};
      its.backfill = { released: false, hiddenDocumentsCount: 'many' };
    },
    ['hidden-unknown nfse'],
  ],
  [
    'the settings are those of the test environment',
    ({ settings }) => (settings.nfe = { environmentSEFAZ: 'Test' }),
    ['capture-of-test-environment nfe'],
  ],
  [
    'the settings of NFS-e name an environment that is not production',
    ({ settings }) => (settings.nfse = { environment: 'None' }),
    ['capture-of-test-environment nfse'],
  ],
  [
    'the cut-off hides documents of the month',
    ({ settings }) => (settings.nfe = { startFromDate: '2026-10-10' }),
    ['hidden-by-cut-off nfe'],
  ],
  [
    'the service counts NFS-e that the cut-off hides',
    (month) => (month.backfill = { startFromDate: '2026-10-10', released: false, hiddenDocumentsCount: 7 }),
    ['hidden-by-cut-off nfse'],
  ],
  [
    'the service counts hidden NFS-e and names no cut-off',
    (month) => (month.backfill = { startFromDate: null, released: false, hiddenDocumentsCount: 7 }),
    ['hidden-unknown nfse'],
  ],
  [
    'the service counts hidden NFS-e and their cut-off is no date',
    (month) => (month.backfill = { startFromDate: 'soon', released: false, hiddenDocumentsCount: 7 }),
    ['hidden-unknown nfse'],
  ],
  [
    'hidden NFS-e without a cut-off are being released',
    (month) => (month.backfill = { startFromDate: null, released: true, hiddenDocumentsCount: 7 }),
    ['release-behind nfse'],
  ],
  [
    'the release of hidden NFS-e is under way',
    (month) => (month.backfill = { startFromDate: '2026-10-10', released: true, hiddenDocumentsCount: 7 }),
    ['release-behind nfse'],
  ],
  [
    "the month is not over by the service's clock",
    (month) => (month.servedAt = 'Sun, 01 Nov 2026 02:59:59 GMT'),
    ['month-not-over '],
  ],
])('a month is not proven if %s', async (_, change, reasons) => {
  const family = reasons[0]?.split(' ')[1] === 'nfse' ? 'nfse' : 'nfe';
  if (family === 'nfse') await month.add('nfse', NFSE);
  change(month);
  expect(await judged()).toEqual([3, 'not-provable', reasons]);
});

test('a cut-off in the month hides nothing after a finished release, and an earlier one never does', async () => {
  month.backfill = { startFromDate: '2026-10-10', released: true, hiddenDocumentsCount: 0 };
  month.settings.nfe = { startFromDate: '2026-10-01' };
  expect(await judged()).toEqual([0, 'complete', []]);
  month.backfill = { startFromDate: '2026-09-10', released: false, hiddenDocumentsCount: 12 };
  expect(await judged()).toEqual([0, 'complete', []]);
  // What this machine saw of the cut-off before still counts.
  month.settings.nfe = { startFromDate: '2026-10-10' };
  await judged();
  month.settings.nfe = { startFromDate: '2026-09-10' };
  expect(await judged()).toEqual([3, 'not-provable', ['cut-off-changed nfe']]);
});

const on = { kind: 'on', createdOn: '2026-09-01T00:00:00.000Z' } as const;
const production = { ...on, environment: 'Production' } as const;
const inTest = { ...on, environment: 'Test' } as const;
const inactive = { kind: 'off', why: 'inactive' } as const;

/** What this machine saw of the capture of NF-e, one after another. */
async function sawCapture(...seen: readonly (readonly [string, CaptureState])[]): Promise<void> {
  const group = { profile: 'environment', companyId: 'c1', family: 'nfe' } as const;
  for (const [day, capture] of seen)
    await month.store((store) => noteCapture(store, group, { capture, at: Date.parse(`${day}T12:00:00Z`) }));
}

test.each<readonly [string, readonly (readonly [string, CaptureState])[], readonly string[]]>([
  [
    'was switched from test to production within the month',
    [
      ['2026-10-05', inTest],
      ['2026-10-20', production],
    ],
    ['environment-changed nfe'],
  ],
  [
    'was switched from test to production at a time that may lie within the month',
    [
      ['2026-09-20', inTest],
      ['2026-11-03', production],
    ],
    ['environment-changed nfe'],
  ],
  [
    'was seen in test after the month, and in production the last time before it began',
    [
      ['2026-09-20', production],
      ['2026-11-03', inTest],
      ['2026-11-04', production],
    ],
    ['environment-changed nfe'],
  ],
  [
    'was seen in test only after the month, whatever it was before',
    [
      ['2026-11-03', inTest],
      ['2026-11-04', production],
    ],
    ['environment-changed nfe'],
  ],
  [
    'was seen in another environment than production under a name of its own',
    [
      ['2026-10-05', { ...on, environment: 'Homologacao 2' }],
      ['2026-10-06', production],
    ],
    ['environment-changed nfe'],
  ],
  [
    'was seen inactive before the month, and active again only after it',
    [
      ['2026-09-28', inactive],
      ['2026-11-03', production],
    ],
    ['capture-interrupted nfe'],
  ],
  [
    'was seen inactive after the month, and active the last time before it began',
    [
      ['2026-09-28', production],
      ['2026-11-03', inactive],
      ['2026-11-04', production],
    ],
    ['capture-interrupted nfe'],
  ],
  [
    'was in test before and after the month, and in production on both its ends',
    [
      ['2026-09-20', inTest],
      ['2026-09-25', production],
      ['2026-11-02', production],
      ['2026-11-03', inTest],
      ['2026-11-04', production],
    ],
    [],
  ],
  [
    'was inactive for a day before and after the month',
    [
      ['2026-09-20', inactive],
      ['2026-09-25', production],
      ['2026-11-02', production],
      ['2026-11-03', inactive],
      ['2026-11-04', production],
    ],
    [],
  ],
  [
    'was absent until its settings were created, and first seen within the month',
    [
      ['2026-08-20', { kind: 'off', why: 'absent' }],
      ['2026-10-10', production],
    ],
    [],
  ],
  [
    'named no environment at first, and production later',
    [
      ['2026-09-20', on],
      ['2026-10-10', production],
    ],
    [],
  ],
])('the verdict reports a month whose capture %s', async (_, seen, reasons) => {
  month.settings.nfe = { environmentSEFAZ: 'Production' };
  await sawCapture(...seen);
  expect(await judged('--type', 'nfe')).toEqual(
    reasons.length === 0 ? [0, 'complete', []] : [3, 'not-provable', reasons],
  );
  const verified = await month.fiscal('inbound', 'verify', '-o', 'ndjson');
  expect(records(verified.stdout)[0]).toMatchObject({ state: reasons.length === 0 ? 'proven' : 'not-provable' });
});

test('the reason names the environment that was seen, with the time', async () => {
  month.settings.nfe = { environmentSEFAZ: 'Production' };
  await sawCapture(['2026-10-05', inTest], ['2026-10-20', production]);
  expect((await close('--type', 'nfe')).stderr).toContain(
    'NF-e were captured from the environment "Test" when this machine checked (2026-10-05 09:00 to 2026-10-05 09:00)',
  );
});

test('observations of an earlier program without the environment prove nothing about that time', async () => {
  month.settings.nfe = { environmentSEFAZ: 'Production' };
  const facts = { state: 'on', createdOn: on.createdOn, startFromDate: null };
  await month.store(async ({ known }) => {
    const row = { profile: 'environment', kind: 'capture', scope: 'c1 nfe', status: 'on', data: facts };
    const id = `on ${on.createdOn} `;
    await known.put({ ...row, id, seenAt: Date.UTC(2026, 9, 5) });
    await known.put({ ...row, id, seenAt: Date.UTC(2026, 9, 20) });
  });
  expect(await judged('--type', 'nfe')).toEqual([3, 'not-provable', ['environment-unknown nfe']]);
});

test('the month is over one second after its end in Brasília, by the clock of the service', async () => {
  month.servedAt = 'Sun, 01 Nov 2026 03:00:00 GMT';
  expect(await judged()).toEqual([0, 'complete', []]);
  expect(await closeOf('2026-11')).toEqual([3, 'not-provable', ['month-not-over ']]);
  expect((await closeOf('2087-01'))[2]).toEqual(['month-not-over ']);
  expect((await closeOf('2026-08'))[2]).toEqual([
    'enabled-after-month-began cte',
    'enabled-after-month-began nfe',
    'enabled-after-month-began nfse',
  ]);
});

test('a service whose clock is days ahead ends no month that this machine is still in', async () => {
  const { clock } = month.host;
  const name = new Date(clock.now()).toISOString().slice(0, 7);
  month.servedAt = new Date(clock.now() + 40 * 86_400_000).toUTCString();
  expect(await closeOf(name)).toEqual([3, 'not-provable', ['month-not-over ']]);
});

test('an unknown company is not found, and nothing is written', async () => {
  const { exitCode, stdout, stderr } = await month.fiscal('inbound', 'close', '2026-10', '--company', 'nope');
  expect([exitCode, stdout, existsSync(month.path('proofs'))]).toEqual([9, '', false]);
  expect(stderr).toContain('fiscal company list');
});

test('an account without companies proves nothing: exit 9, and nothing is written', async () => {
  month.companies = [];
  const { exitCode, stderr, records: found } = await close('--all-companies');
  expect([exitCode, found, existsSync(month.path('proofs'))]).toEqual([9, [], false]);
  expect(stderr).toContain('company.none');
});

test('a summary is in the manifest as a summary, and keeps the month open', async () => {
  const path = await month.add('nfe', NFE[0], '<?xml version="1.0"?>\n<!-- x --><resNFe versao="1.01"></resNFe>');
  const { exitCode, records: found, stderr } = await close('--type', 'nfe');
  expect([exitCode, found[0]]).toEqual([3, gap('nfe', 'summary-only', { key: NFE[0], path })]);
  expect(found[1]).toMatchObject({ verdict: 'incomplete', archived: 0, summaries: 1, problems: 1 });
  expect(found[1]).not.toHaveProperty('repair');
  expect(stderr).toContain('210210');
  expect(stderr).toContain(
    'plan it: fiscal manifestation plan --new --event awareness --out plan.csv --company 11222333000181; what each waits for: fiscal inbound list --summaries --company 11222333000181',
  );
  expect(records(readFileSync(month.path(`${proof}/nfe/manifest.jsonl`), 'utf8'))).toMatchObject([
    { key: NFE[0], xmlKind: 'summary' },
  ]);
});

test('a file without a document is a gap, whatever its hash', async () => {
  const event = await month.add('nfe', NFE[0], '<procEventoNFe/>');
  const other = await month.add('nfe', NFE[1], 'no XML');
  expect(await gaps('--type', 'nfe')).toEqual({
    exitCode: 3,
    gaps: [
      gap('nfe', 'not-a-document', { key: NFE[0], path: event }),
      gap('nfe', 'not-a-document', { key: NFE[1], path: other }),
    ],
  });
});

test('an invalid signature is a gap unless it is allowed, and always reported', async () => {
  month.signature = 'invalid';
  const path = await month.add('nfe', NFE[0]);
  month.signature = 'absent';
  await month.add('nfe', NFE[1]);
  expect((await gaps('--type', 'nfe')).gaps).toEqual([gap('nfe', 'signature-invalid', { key: NFE[0], path })]);
  const allowed = await close('--type', 'nfe', '--allow-invalid-signatures');
  expect(allowed.exitCode).toBe(0);
  expect(allowed.stderr).toContain('signatures: 1 invalid, 1 absent, 0 unverifiable');
});

test('a row of the list that names no document keeps the month open', async () => {
  await month.add('nfe', NFE[0]);
  month.lists.nfe.push({ status: 'Processed' } as unknown as Listed);
  expect(await gaps('--type', 'nfe')).toEqual({ exitCode: 3, gaps: [gap('nfe', 'row-unreadable', { count: 1 })] });
});

test('unknown NSUs are shown and are not gaps', async () => {
  month.lists.nfe.push(
    { accessKey: NFE[0], status: 'Processed', nsu: '000000000000011' },
    { accessKey: NFE[1], status: 'Processed', nsu: '000000000000020' },
  );
  await month.store(async ({ documents, events }) => {
    const group = { profile: 'environment', companyId: 'c1', family: 'nfe' } as const;
    await documents.see(group, [{ id: 'other', nsu: '000000000000012', data: {} }], 1);
    await events.see(group, [{ eventKey: 'e', documentId: 'other', nsu: '000000000000015' }], 1);
  });
  const { records: found } = await close('--type', 'nfe');
  expect(found.at(-2)).toMatchObject({
    problems: 2,
    coverage: [
      {
        nsu: {
          first: 11,
          last: 20,
          known: 4,
          unknown: 6,
          unknownRanges: [
            [13, 14],
            [16, 19],
          ],
          withoutNsu: 0,
        },
      },
    ],
  });
});

test('the repair command names company, archive, families and the options for the gaps', async () => {
  const file = await month.add('nfe', NFE[0]);
  rmSync(month.path(file));
  month.lists.cte.push({ accessKey: CTE, status: 'Processed', modifiedOn: '2026-10-07T08:09:10.111Z' });
  const { records: found, stderr } = await close();
  const repair =
    'fiscal inbound sync --type cte,nfe --since 2026-10-07T08:09:10Z --repair ' +
    `--archive ${month.archive} --company c1`;
  expect(found.at(-2)).toMatchObject({ type: 'close', repair });
  expect(stderr).toContain(`fetch what is missing: ${repair.replace('c1', '11222333000181')}`);
});

test('a type that is not captured has no gaps', async () => {
  await month.add('nfe', NFE[0]);
  month.captures.delete('cte');
  month.captures.delete('nfse');
  expect((await close()).exitCode).toBe(0);
  expect(JSON.parse(readFileSync(month.path(`${proof}/close.json`), 'utf8'))).toMatchObject({
    families: ['nfe'],
    coverage: [{ family: 'cte', capture: 'off' }, { family: 'nfe' }, { family: 'nfse', capture: 'off' }],
  });
  expect(await judged('--type', 'nfe,cte')).toEqual([3, 'not-provable', ['not-captured cte']]);
});

test('an invalid month or type is refused before any request', async () => {
  for (const words of [['2026-13'], ['october'], ['2026-10', '--type', 'nfce']]) {
    const { exitCode, stdout } = await month.fiscal('inbound', 'close', ...words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  }
  expect(month.seen).toEqual([]);
});

/** Another machine, with a store of its own, that closes in the same archive. */
async function closeElsewhere(other: TestHost, ...more: string[]) {
  const words = ['inbound', 'close', '2026-10', '--archive', month.archive, '-o', 'ndjson', ...more];
  const { exitCode, stdout, stderr } = await runFiscal(words, other);
  return { exitCode, closed: records(stdout).at(-2), summary: records(stdout).at(-1), stderr };
}

const proofFiles = () =>
  ['manifest.jsonl', 'close.json'].map((name) => readFileSync(month.path(`${proof}/${name}`), 'utf8'));

test('a machine with an empty store keeps the proof of another in a shared archive, and says so', async () => {
  for (const key of NFE) await month.add('nfe', key);
  await month.addEvent('nfe', NFE[0]);
  expect((await close()).exitCode).toBe(0);
  const before = proofFiles();
  const other = testHost({ env: month.serviceEnv });
  const { exitCode, closed, summary, stderr } = await closeElsewhere(other);
  expect(proofFiles()).toEqual(before);
  expect(exitCode).toBe(3);
  expect(closed).toMatchObject({
    ...{ verdict: 'incomplete', complete: false, sha256: sha(before[0] ?? '') },
    reasons: [{ code: 'earlier-proof-covers-more' }],
    kept: { verdict: 'complete', sha256: sha(before[0] ?? ''), entries: 2, unknown: 3, observedSince: null },
  });
  expect(summary).toMatchObject({ complete: 0, incomplete: 1, exitCode: 3 });
  expect(stderr).toMatch(/the proof in the archive \(complete, closed at \S+\) was kept and this one was not/);
  expect(stderr).toContain('covers 3 documents or events that this machine never archived');
  expect((await month.fiscal('inbound', 'verify')).exitCode).toBe(0);
});

test('a list that shows nothing proves nothing against the proof of another machine', async () => {
  await month.add('nfe', NFE[0]);
  await close();
  const before = proofFiles();
  month.lists.nfe.length = 0;
  const { exitCode, closed } = await closeElsewhere(testHost({ env: month.serviceEnv }));
  expect(closed).toMatchObject({ verdict: 'not-provable', complete: false, listed: 0 });
  expect([exitCode, proofFiles()]).toEqual([3, before]);
});

test('a machine that archived the documents replaces the proof of another, also with a worse verdict', async () => {
  await month.add('nfe', NFE[0]);
  const gone = await month.add('nfe', NFE[1]);
  await close();
  const other = testHost({ env: month.serviceEnv });
  cpSync(join(month.host.root, 'state'), join(other.root, 'state'), { recursive: true });
  rmSync(month.path(gone));
  const { exitCode, closed } = await closeElsewhere(other);
  expect([exitCode, closed]).toMatchObject([3, { verdict: 'incomplete', problems: 1 }]);
  expect(closed).not.toHaveProperty('kept');
  expect(JSON.parse(proofFiles()[1] ?? '')).toMatchObject({ verdict: 'incomplete', gaps: { 'file-missing': 1 } });
});

test('a machine that saw the capture later keeps the proof that rests on earlier observations', async () => {
  await sawCapture(['2026-10-10', { kind: 'off', why: 'absent' }]);
  expect((await closeElsewhere(month.host)).closed).toMatchObject({ verdict: 'not-provable' });
  const before = proofFiles();
  const { exitCode, closed } = await closeElsewhere(testHost({ env: month.serviceEnv }));
  expect([exitCode, proofFiles()]).toEqual([3, before]);
  expect(closed).toMatchObject({ kept: { unknown: 0, observedSince: '2026-10-10T12:00:00.000Z' } });
});

test.each([
  ['does not belong to its verdict', 'manifest.jsonl', '{}\n'],
  ['is no manifest', 'close.json', 'no'],
])('a proof that %s is replaced', async (_, name, text) => {
  await month.add('nfe', NFE[0]);
  await close();
  writeFileSync(month.path(`${proof}/${name}`), text);
  const { closed } = await closeElsewhere(testHost({ env: month.serviceEnv }));
  expect(closed).not.toHaveProperty('kept');
  expect(proofFiles()[0]).toBe('');
});

test('the progress of a close counts the documents of the company', async () => {
  for (const key of NFE) await month.add('nfe', key);
  await month.add('cte', CTE);
  let now = Date.UTC(2026, 10, 3);
  // Without a terminal a line is printed each minute.
  const clock = { ...month.host.clock, now: () => (now += 60_000) };
  const words = ['inbound', 'close', '2026-10', '--archive', month.archive];
  const { stderr } = await runFiscal(words, { ...month.host, clock });
  expect(stderr.match(/^closing: .*$/gm)).toEqual(['closing: 0/1 (0 %)', 'closing: 1', 'closing: 3']);
});

test('the clock of the sandbox, which people move themselves, ends a month alone, and so it does not end before', async () => {
  const sandbox = invoiceSandbox();
  const closed = async () => {
    const words = ['inbound', 'close', firstMonth, '--type', 'nfe', '-o', 'ndjson'];
    const { stdout } = await sandbox.fiscal(...words);
    const found = records(stdout).find((record) => fieldOf(record, 'type') === 'close');
    const reasons = fieldOf(found, 'reasons') as { readonly code: string }[];
    return reasons.map(({ code }) => code).filter((code) => code === 'month-not-over');
  };
  await sandbox.fiscal('sandbox', 'seed', '--documents', '1');
  await sandbox.fiscal('inbound', 'sync', '--archive', 'archive');
  expect(await closed()).toEqual(['month-not-over']);
  await sandbox.fiscal('sandbox', 'clock', 'advance', '32d');
  expect(await closed()).toEqual([]);
});
