import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { schemes } from '../../../src/receiver/schemes.js';
import { seenDocument } from '../../../src/commands/inbound/seen-rows.js';
import { openStore } from '../../../src/store/sqlite/open.js';
import { NFE_KEY, nfe, nfeSummary, signedNfe } from '../../archive/signed-xml.js';
import { json, type Reply } from '../../client/support/server.js';
import { FakeClock, realClock, StandingClock } from '../../support/clock.js';
import { runFiscal, type TestHost } from '../../support/host.js';
import { imitate, type Answers } from './service.js';

const OTHER_KEY = NFE_KEY.replace(/030656857$/, '030656865');
const settings = { status: 'Active', companyId: 'c1' };
const document = (accessKey: string, change: object = {}) => ({
  ...{ accessKey, companyId: 'c1', status: 'Received', type: 'productInvoice', nsu: null },
  ...{ issuedOn: '2026-10-05T13:00:00Z', createdOn: '2026-10-05T13:05:00Z', modifiedOn: '2026-10-05T13:05:00Z' },
  ...change,
});
const xml = (text: string): Reply => ({ status: 200, headers: { 'content-type': 'application/xml' }, body: text });
const companies = json(200, {
  companies: [
    { id: 'c1', name: 'Um', federalTaxNumber: '33000167000101' },
    { id: 'c2', name: 'Dois', federalTaxNumber: '33000167000101' },
  ],
  hasMore: false,
});

/** One company with NF-e capture only; more answers may be added or replace these. */
function office(list: () => readonly object[], more: Answers = {}): Answers {
  return {
    'GET /v2/companies': companies,
    'GET /v2/companies/c1/inbound/productinvoices': json(200, settings),
    'GET /v2/companies/c1/inbound/nfe': () => json(200, { value: list() }),
    'GET /v2/companies/c1/inbound/odata/ProductInvoiceEvents': json(200, { value: [] }),
    [`GET /v2/companies/c1/inbound/nfe/${NFE_KEY}/xml`]: xml(nfe()),
    ...more,
  };
}

async function sync(host: TestHost, ...words: readonly string[]) {
  const archive = join(host.root, 'archive');
  const { exitCode, stdout, stderr } = await runFiscal(
    ['inbound', 'sync', '--archive', archive, '-o', 'ndjson', ...words],
    host,
  );
  const records = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line));
  const files = existsSync(archive) ? readdirSync(archive, { recursive: true, encoding: 'utf8' }) : [];
  return { exitCode, records, stderr, archive, files: files.filter((name) => /\.\w+$/.test(name)).toSorted() };
}

const problems = (records: readonly Record<string, unknown>[]) =>
  records.filter(({ type }) => type === 'problem').map(({ key, state, code }) => [key, state, code]);

test('a document is archived byte for byte, and a second run downloads nothing', async () => {
  const service = await imitate(office(() => [document(NFE_KEY)]));
  const first = await sync(service.host);
  const path = `33000167000101/2026-10/nfe/${NFE_KEY}.xml`;
  expect([first.exitCode, first.files]).toEqual([0, [path]]);
  expect(readFileSync(join(first.archive, path), 'utf8')).toBe(nfe());
  const before = service.asked().length;
  const second = await sync(service.host);
  expect(second.exitCode).toBe(0);
  expect(
    service
      .asked()
      .slice(before)
      .filter((words) => words.endsWith('/xml')),
  ).toEqual([]);
  const local = await runFiscal(['inbound', 'list', '--local', '-o', 'ndjson'], service.host);
  const sha256 = createHash('sha256').update(nfe()).digest('hex');
  expect(JSON.parse(local.stdout)).toMatchObject({
    accessKey: NFE_KEY,
    archive: { state: 'archived', path, sha256, signature: 'absent' },
  });
});

test('a list that a sync has read is known to be empty, that of another company is not', async () => {
  const service = await imitate(office(() => []));
  await sync(service.host, '--company', 'c1');
  const ends = async (...words: readonly string[]) =>
    (await runFiscal([...words, '-o', 'ndjson'], service.host)).exitCode;
  expect([
    await ends('inbound', 'list', '--local', '--company', 'c1'),
    await ends('inbound', 'list', '--local', '--all-companies'),
    await ends('inbound', 'outstanding', '--company', 'c1'),
    await ends('inbound', 'outstanding'),
    await ends('manifestation', 'due', '--company', 'c1'),
    // The account has c2 as well.
    await ends('manifestation', 'due', '--all-companies'),
    await ends('inbound', 'list', '--local', '--company', 'c2'),
    await ends('inbound', 'outstanding', '--company', 'c1,c2'),
    await ends('manifestation', 'due', '--company', 'c2'),
  ]).toEqual([0, 0, 0, 0, 0, 3, 3, 3, 3]);
});

test('nothing is written through a link in the archive, unless --follow-links is given', async () => {
  const service = await imitate(office(() => [document(NFE_KEY)]));
  const [archive, outside] = [join(service.host.root, 'archive'), join(service.host.root, 'outside')];
  mkdirSync(join(archive, '33000167000101'), { recursive: true });
  mkdirSync(outside);
  symlinkSync(outside, join(archive, '33000167000101', '2026-10'));
  const refused = await sync(service.host);
  expect(refused.exitCode).toBe(2);
  expect(JSON.parse(refused.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
    error: { code: 'store.unwritable', message: expect.stringContaining('--follow-links') },
  });
  expect(readdirSync(outside, { recursive: true })).toEqual([]);
  const asked = await sync(service.host, '--follow-links');
  expect(asked.exitCode).toBe(0);
  expect(readdirSync(outside, { recursive: true })).toContain(join('nfe', `${NFE_KEY}.xml`));
});

test('a repair reads nothing behind a link in the archive, unless --follow-links is given', async () => {
  const service = await imitate(office(() => [document(NFE_KEY)]));
  const { archive } = await sync(service.host);
  const folder = join(archive, '33000167000101');
  renameSync(folder, join(service.host.root, 'outside'));
  symlinkSync(join(service.host.root, 'outside'), folder);
  const refused = await sync(service.host, '--repair');
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--follow-links')]);
  expect((await sync(service.host, '--repair', '--follow-links')).exitCode).toBe(0);
});

test.each([
  { words: [], archived: 0 },
  { words: ['--follow-links'], archived: 1 },
])('a listener syncs into a folder that is a link only with --follow-links: $words', async (one) => {
  const interruption = new AbortController();
  const service = await imitate(
    office(() => [document(NFE_KEY)]),
    { interruption: interruption.signal },
  );
  const [archive, outside] = [join(service.host.root, 'archive'), join(service.host.root, 'outside')];
  const secret = 'a-secret-of-more-than-thirty-two-characters';
  for (const folder of [archive, outside]) mkdirSync(folder);
  symlinkSync(outside, join(archive, '33000167000101'));
  writeFileSync(join(service.host.root, 'secret'), secret);
  const words = ['--secret-file', join(service.host.root, 'secret'), '--sync', '--archive', archive];
  const run = runFiscal(['webhook', 'listen', ...words, ...one.words, '-o', 'ndjson'], service.host);
  const { written } = service.host;
  await vi.waitUntil(() => written().stdout.includes('"url"'), { timeout: 60_000 });
  const { url } = JSON.parse(written().stdout.split('\n')[0] ?? '') as { readonly url: string };
  const body = Buffer.from('{"action":"product_invoice_inbound.received","payload":{"companyId":"c1"}}');
  const signed = schemes['hub-sha1'].sign({ id: 'd-1', body, now: 0 }, secret);
  await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...signed }, body });
  const outcome = one.archived === 1 ? 'archived 1' : '--follow-links';
  await vi.waitUntil(() => written().stderr.includes(outcome), { timeout: 60_000 });
  interruption.abort(new Error('the test is over'));
  await run;
  const files = readdirSync(outside, { recursive: true, encoding: 'utf8' });
  expect(files.filter((name) => name.endsWith('.xml'))).toHaveLength(one.archived);
});

test('a document that the service changes is fetched again, to the same path', async () => {
  let change = {};
  const more = {
    [`GET /v2/companies/c1/inbound/nfe/${NFE_KEY}/xml`]: () =>
      xml(nfe({ filler: `<z>${JSON.stringify(change).length}</z>` })),
  };
  const service = await imitate(office(() => [document(NFE_KEY, change)], more));
  await sync(service.host);
  change = { status: 'Reprocessed', modifiedOn: '2026-10-06T10:00:00Z' };
  const { exitCode, files, archive, records } = await sync(service.host, '--layout', 'flat');
  const path = `33000167000101/2026-10/nfe/${NFE_KEY}.xml`;
  expect([exitCode, files]).toEqual([0, [path]]);
  expect(readFileSync(join(archive, path), 'utf8')).toContain(`<z>${JSON.stringify(change).length}</z>`);
  expect(records.at(-1)).toMatchObject({ type: 'summary', added: 0, changed: 1, archived: 1 });
});

test('documents are fetched while the list is read, and again if they change in the meantime', async () => {
  let askedForXml = (): void => undefined;
  const xmlAsked = new Promise<void>((resolve) => (askedForXml = resolve));
  let pages = 0;
  const listed = async (): Promise<Reply> => {
    pages += 1;
    const others = Array.from({ length: 99 }, (_, number) => document(`no-key-${number + 10}`));
    const first = { value: [document(NFE_KEY), ...others], '@odata.nextLink': '?$skip=100' };
    if (pages === 1) return json(200, first);
    // The list has an end only after a document of its beginning was asked for.
    await xmlAsked;
    if (pages > 2) return json(200, { value: [] });
    return json(200, { '@odata.count': 1, value: [document(NFE_KEY, { modifiedOn: '2026-10-06T10:00:00Z' })] });
  };
  let bodies = 0;
  const body = (): Reply => {
    bodies += 1;
    askedForXml();
    return xml(nfe({ filler: `<z>${bodies}</z>` }));
  };
  const answers = office(() => [], {
    'GET /v2/companies/c1/inbound/nfe': listed,
    [`GET /v2/companies/c1/inbound/nfe/${NFE_KEY}/xml`]: body,
  });
  const service = await imitate(answers);
  const { exitCode, files, archive, records } = await sync(service.host);
  expect([exitCode, bodies, files.length]).toEqual([3, 2, 1]);
  expect(readFileSync(join(archive, files[0] ?? ''), 'utf8')).toContain('<z>2</z>');
  expect(records.at(-1)).toMatchObject({ added: 100, changed: 1, quarantined: 99 });
  const again = await sync(service.host);
  // What is quarantined stays outstanding, and what is archived is not asked for again.
  expect([again.exitCode, bodies]).toEqual([3, 2]);
});

test('a list that fails is reported, and its documents so far are archived', async () => {
  const pages = [json(200, { value: [document(NFE_KEY)], '@odata.nextLink': '?$skip=1' }), json(200, {})];
  const listed = (): Reply => pages.shift() ?? json(200, {});
  const service = await imitate(office(() => [], { 'GET /v2/companies/c1/inbound/nfe': listed }));
  const { exitCode, files, records } = await sync(service.host);
  expect([exitCode, files.length]).toEqual([3, 1]);
  expect(records.at(-1)).toMatchObject({ type: 'summary', archived: 1 });
});

test('a hostile key and a foreign XML are quarantined, nothing leaves the archive, and the rest continues', async () => {
  const list = [document('../../x'), document(OTHER_KEY), document(NFE_KEY)];
  const more = { [`GET /v2/companies/c1/inbound/nfe/${OTHER_KEY}/xml`]: xml(nfe()) };
  const service = await imitate(office(() => list, more));
  const { exitCode, records, files } = await sync(service.host);
  expect(exitCode).toBe(3);
  expect(files).toEqual([`33000167000101/2026-10/nfe/${NFE_KEY}.xml`]);
  expect(problems(records)).toEqual(
    expect.arrayContaining([
      ['../../x', 'quarantined', 'no-key'],
      [OTHER_KEY, 'quarantined', 'other-key'],
    ]),
  );
  expect(service.asked().filter((words) => words.includes('..') || words.includes('%2'))).toEqual([]);
});

test('a company without permission and a spaced capture are reported, and the others continue', async () => {
  const until = '2999-01-01T00:00:00.000Z';
  const more = {
    'GET /v2/companies/c1/inbound/productinvoices': json(200, { ...settings, rateLimitedUntil: until }),
    'GET /v2/companies/c2/inbound/productinvoices': json(403, { error: { code: 'forbidden', message: 'no' } }),
  };
  const service = await imitate(office(() => [document(NFE_KEY)], more));
  const { exitCode, records, files } = await sync(service.host, '--all-companies', '--type', 'nfe');
  expect([exitCode, files.length]).toEqual([3, 1]);
  const told = records.filter(({ type }) => type === 'company');
  expect(
    told.map(({ companyId, state, spacedUntil, errorCode }) => [companyId, state, spacedUntil, errorCode]),
  ).toEqual([
    ['c1', 'done', until, undefined],
    ['c2', 'failed', undefined, 'service.forbidden'],
  ]);
});

test('records and notices contain the company name with its id, without control characters on a terminal', async () => {
  const hostile = 'Padaria\u001b[2J\u009b31m Sol\r\nLtda';
  const listed = { companies: [{ id: 'c1', name: hostile, federalTaxNumber: '33000167000101' }] };
  const until = '2999-01-01T00:00:00.000Z';
  const service = await imitate(
    office(() => [document(NFE_KEY)], {
      'GET /v2/companies': json(200, listed),
      'GET /v2/companies/c1/inbound/productinvoices': json(200, { ...settings, rateLimitedUntil: until }),
      [`GET /v2/companies/c1/inbound/nfe/${NFE_KEY}/xml`]: xml('no XML'),
    }),
  );
  const { records, stderr } = await sync(service.host, '--all-companies', '--type', 'nfe', '--lang', 'en');
  const company = { companyId: 'c1', companyName: hostile, companyTaxNumber: '33000167000101' };
  expect(records.filter(({ type }) => type !== 'summary')).toMatchObject([
    { type: 'company', ...company },
    { type: 'problem', ...company },
  ]);
  const table = ['inbound', 'sync', '--all-companies', '--type', 'nfe', '-o', 'table'];
  const shown = await runFiscal(table, service.host);
  for (const text of [stderr, shown.stderr]) {
    expect(text).toContain('Sol');
    expect(text).toContain('33.000.167/0001-01 [nfe]: the service captures nothing new');
  }
  expect(shown.stdout).toContain('Padaria');
  expect(`${stderr}${shown.stderr}${shown.stdout}`).not.toMatch(/[\u001b\u009b\r]/);
});

test('with --require-signature only validly signed documents are archived', async () => {
  const more = { [`GET /v2/companies/c1/inbound/nfe/${OTHER_KEY}/xml`]: xml(nfe().replaceAll(NFE_KEY, OTHER_KEY)) };
  const signed = { ...more, [`GET /v2/companies/c1/inbound/nfe/${NFE_KEY}/xml`]: xml(signedNfe()) };
  const service = await imitate(office(() => [document(NFE_KEY), document(OTHER_KEY)], signed));
  const { exitCode, records, files } = await sync(service.host, '--require-signature');
  expect([exitCode, files]).toEqual([3, [`33000167000101/2026-10/nfe/${NFE_KEY}.xml`]]);
  expect(problems(records)).toEqual([[OTHER_KEY, 'quarantined', 'no-signature']]);
});

test.each([[{ status: 'Inactive' }], [{ isActive: false }]])(
  'a capture that is switched off (%j) is reported, and its earlier documents are fetched',
  async (change) => {
    const service = await imitate(
      office(() => [document(NFE_KEY)], {
        'GET /v2/companies/c1/inbound/productinvoices': json(200, { ...settings, ...change }),
      }),
    );
    const { exitCode, records, stderr } = await sync(service.host, '--type', 'nfe');
    expect([exitCode, records[0]]).toMatchObject([0, { family: 'nfe', capture: 'inactive', archived: 1 }]);
    expect(stderr).toContain('Um, 33.000.167/0001-01 [nfe]: the capture is switched off');
  },
);

test('a summary is replaced by its full XML as soon as the service has it', async () => {
  const clock = new StandingClock(Date.UTC(2026, 9, 6));
  const served = { body: nfeSummary(), asked: 0 };
  const answer = (): Reply => {
    served.asked += 1;
    return xml(served.body);
  };
  const more = { [`GET /v2/companies/c1/inbound/nfe/${NFE_KEY}/xml`]: answer };
  let change = {};
  const service = await imitate(
    office(() => [document(NFE_KEY, change)], more),
    { clock },
  );
  const first = await sync(service.host, '--require-signature');
  expect([first.exitCode, problems(first.records)]).toEqual([0, []]);
  expect(first.records.at(-1)).toMatchObject({ archived: 0, summaries: 1, quarantined: 0 });
  expect(first.stderr).toContain('1 NF-e came as a summary (resNFe) only');
  const local = async () => {
    const { stdout } = await runFiscal(['inbound', 'list', '--local', '-o', 'ndjson'], service.host);
    return JSON.parse(stdout) as unknown;
  };
  expect(await local()).toMatchObject({ archive: { state: 'archived', xmlKind: 'summary' } });
  // Within the hour it is not asked for again.
  await sync(service.host);
  expect(served.asked).toBe(1);
  clock.advance(61 * 60_000);
  served.body = nfe();
  const later = await sync(service.host);
  expect(later.records.at(-1)).toMatchObject({ archived: 1, summaries: 0 });
  expect(later.stderr).not.toContain('summary');
  expect(await local()).toMatchObject({ archive: { state: 'archived', xmlKind: 'full' } });
  expect(readFileSync(join(later.archive, later.files[0] ?? ''), 'utf8')).toBe(nfe());
  // A summary after it does not take its place, and it is asked for no more.
  served.body = nfeSummary();
  change = { status: 'Reprocessed', modifiedOn: '2026-10-07T10:00:00Z' };
  expect((await sync(service.host)).exitCode).toBe(0);
  expect(readFileSync(join(later.archive, later.files[0] ?? ''), 'utf8')).toBe(nfe());
  clock.advance(61 * 60_000);
  await sync(service.host);
  expect(served.asked).toBe(3);
});

test.each([
  ['before its full XML', () => [nfeSummary({ situation: '3' }), nfe()]],
  ['after its full XML', () => [nfe(), nfeSummary({ situation: '3' })]],
])('a summary that says cancelled keeps the document cancelled, %s', async (_when, bodies) => {
  const clock = new StandingClock(Date.UTC(2026, 9, 6));
  const [first, second] = bodies();
  let served = first;
  let change = {};
  const more = { [`GET /v2/companies/c1/inbound/nfe/${NFE_KEY}/xml`]: () => xml(served ?? '') };
  const { host } = await imitate(
    office(() => [document(NFE_KEY, change)], more),
    { clock },
  );
  await sync(host);
  served = second;
  change = { status: 'Reprocessed', modifiedOn: '2026-10-07T10:00:00Z' };
  clock.advance(61 * 60_000);
  await sync(host);
  const { stdout } = await runFiscal(['inbound', 'list', '--local', '-o', 'ndjson'], host);
  const { archive, state, stateBy } = JSON.parse(stdout) as Record<string, unknown>;
  expect([archive, state, stateBy]).toMatchObject([{ xmlKind: 'full' }, 'cancelled', 'summary 3']);
});

test.each([
  [[]],
  [['--layout', '{cnpj}/{key}.xml']],
  [['--layout', '{type}/{key}.xml']],
  [['--layout', '{company}/{key}.xml']],
])('the full XML and the summary of two companies have two files in one run: %j', async (layout) => {
  const answers = office(() => [document(NFE_KEY)], {
    'GET /v2/companies/c2/inbound/productinvoices': json(200, { ...settings, companyId: 'c2' }),
    'GET /v2/companies/c2/inbound/nfe': json(200, { value: [{ ...document(NFE_KEY), companyId: 'c2' }] }),
    'GET /v2/companies/c2/inbound/odata/ProductInvoiceEvents': json(200, { value: [] }),
    [`GET /v2/companies/c2/inbound/nfe/${NFE_KEY}/xml`]: xml(nfeSummary()),
  });
  const { host } = await imitate(answers);
  const { exitCode, archive, files } = await sync(host, '--type', 'nfe', '--all-companies', ...layout);
  const bodies = files.map((file) => readFileSync(join(archive, file), 'utf8'));
  expect([exitCode, bodies.toSorted()]).toEqual([0, [nfe(), nfeSummary()].toSorted()]);
});

test('a document without its XML is outstanding: counted by every sync, retried, and archived when available', async () => {
  let reply: Reply = json(404, { error: { code: 'not_found', message: 'no' } });
  let isListed = true;
  let asked = 0;
  const answer = (): Reply => {
    asked += 1;
    return reply;
  };
  const more = { [`GET /v2/companies/c1/inbound/nfe/${NFE_KEY}/xml`]: answer };
  const service = await imitate(
    office(() => (isListed ? [document(NFE_KEY)] : []), more),
    { clock: realClock },
  );
  const first = await sync(service.host);
  expect([first.exitCode, problems(first.records)]).toEqual([3, [[NFE_KEY, 'gone', 'service.not_found']]]);
  expect(first.records.at(-1)).toMatchObject({ outstanding: 1, gone: 1, exitCode: 3 });
  expect(first.stderr).toContain('fiscal inbound outstanding');
  // Beyond the window, where the list does not name it any more.
  isListed = false;
  expect(await sync(service.host)).toMatchObject({ exitCode: 3 });
  const third = await sync(service.host);
  // The third try waits a minute; that it is owed is said all the same.
  expect([asked, third.exitCode, third.records.at(-1)?.['outstanding']]).toEqual([2, 3, 1]);
  await sync(service.host, '--full');
  expect(asked).toBe(3);
  reply = xml(nfe());
  const last = await sync(service.host, '--retry-quarantined');
  expect([last.exitCode, last.files.length, last.records.at(-1)]).toMatchObject([0, 1, { outstanding: 0 }]);
});

test('outstanding documents are listed with a reason, and written off only with one; close shows it', async () => {
  const service = await imitate(office(() => [document(OTHER_KEY)]));
  const { archive } = await sync(service.host);
  const outstanding = async (...words: readonly string[]) => {
    const run = await runFiscal(['inbound', 'outstanding', '-o', 'ndjson', ...words], service.host);
    const lines = run.stdout.split('\n').filter((line) => line !== '');
    return { ...run, rows: lines.map((line): Record<string, unknown> => JSON.parse(line)) };
  };
  expect((await outstanding()).rows).toMatchObject([
    { type: 'outstanding', companyId: 'c1', family: 'nfe', key: OTHER_KEY, tries: 1 },
  ]);
  expect((await outstanding('--forget', OTHER_KEY)).exitCode).toBe(2);
  expect((await outstanding('--forget', NFE_KEY, '--reason', 'x')).exitCode).toBe(9);
  const off = await outstanding('--forget', OTHER_KEY, '--reason', 'the issuer never sent it');
  expect([off.exitCode, off.rows[0]?.['writtenOffReason']]).toEqual([0, 'the issuer never sent it']);
  expect(off.stderr).toContain('written off: no sync asks for it again unless the service changes it');
  expect((await outstanding()).rows).toEqual([]);
  expect((await outstanding('--written-off')).rows.length).toBe(1);
  const asked = service.asked().length;
  const later = await sync(service.host);
  expect([later.exitCode, later.records.at(-1)]).toMatchObject([0, { outstanding: 0, writtenOff: 1 }]);
  expect(service.asked().slice(asked).join()).not.toContain('/xml');
  const words = ['inbound', 'close', '2026-10', '--type', 'nfe', '--archive', archive, '-o', 'ndjson'];
  const closed = await runFiscal(words, service.host);
  expect([closed.exitCode, closed.stdout]).toEqual([3, expect.stringContaining('"verdict":"incomplete"')]);
  expect(JSON.parse(closed.stdout.split('\n')[0] ?? '')).toMatchObject({
    ...{ type: 'gap', kind: 'written-off', key: OTHER_KEY, reason: 'the issuer never sent it' },
  });
  const verified = await runFiscal(['inbound', 'verify', '--archive', archive, '-o', 'ndjson'], service.host);
  expect(verified.stdout).not.toContain('"kind":"verdict"');
  expect((await outstanding('--restore', OTHER_KEY)).exitCode).toBe(0);
  expect((await sync(service.host)).exitCode).toBe(3);
});

test('documents that arrive with a time before the window are found by a full pass, scheduled or requested', async () => {
  const clock = new FakeClock(Date.UTC(2026, 9, 20));
  const late = document(NFE_KEY, { createdOn: '2026-10-01T00:00:00Z', modifiedOn: '2026-10-01T00:00:00Z' });
  const others = [document(OTHER_KEY, { modifiedOn: '2026-10-19T00:00:00Z' })];
  let all = others;
  const list = (request: { readonly url?: string | undefined }): Reply => {
    const [, since] = /modifiedOn ge (\S+)/.exec(decodeURIComponent(request.url ?? '').replaceAll('+', ' ')) ?? [];
    const value = all.filter(({ modifiedOn }) => since === undefined || modifiedOn >= since);
    return json(200, { value });
  };
  const more = {
    'GET /v2/companies/c1/inbound/nfe': list,
    [`GET /v2/companies/c1/inbound/nfe/${OTHER_KEY}/xml`]: xml(nfe().replaceAll(NFE_KEY, OTHER_KEY)),
  };
  const service = await imitate(
    office(() => [], more),
    { clock },
  );
  expect((await sync(service.host)).files.length).toBe(1);
  all = [...others, late];
  clock.advance(24 * 3_600_000);
  expect((await sync(service.host)).files.length).toBe(1);
  clock.advance(6 * 24 * 3_600_000);
  expect(await sync(service.host)).toMatchObject({ exitCode: 0, files: [expect.any(String), expect.any(String)] });
  all = [...all, document('no-key', { modifiedOn: '2026-10-01T00:00:00Z' })];
  expect((await sync(service.host)).exitCode).toBe(0);
  expect((await sync(service.host, '--full')).exitCode).toBe(3);
  expect((await sync(service.host, '--full', '--since', '2026-10-01')).exitCode).toBe(2);
});

test('an event is archived next to its document', async () => {
  const event = { eventKey: 'E1', accessKey: NFE_KEY, type: '110111', createdOn: '2026-10-05T14:00:00Z' };
  const text =
    `<procEventoNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00"><evento versao="1.00"><infEvento Id="ID110111${NFE_KEY}01">` +
    `<CNPJ>30057049000141</CNPJ><chNFe>${NFE_KEY}</chNFe></infEvento></evento></procEventoNFe>`;
  const more = {
    'GET /v2/companies/c1/inbound/odata/ProductInvoiceEvents': json(200, { value: [event] }),
    [`GET /v2/companies/c1/inbound/${NFE_KEY}/events/E1/xml`]: xml(text),
  };
  const service = await imitate(office(() => [document(NFE_KEY)], more));
  const { exitCode, files, records } = await sync(service.host);
  const stem = `33000167000101/2026-10/nfe/${NFE_KEY}`;
  expect([exitCode, problems(records)]).toEqual([0, []]);
  expect(files).toEqual([`${stem}.event-E1.xml`, `${stem}.xml`]);
});

test('an empty list counts as complete, and one that fails does not', async () => {
  let breaks = false;
  const more = {
    'GET /v2/companies/c1/inbound/nfe': () => (breaks ? json(200, { value: 'no list' }) : json(200, { value: [] })),
  };
  const clock = new FakeClock();
  const service = await imitate(
    office(() => [], more),
    { clock },
  );
  const endedAt = async () => {
    const store = await openStore({ path: join(service.host.root, 'state', 'state.db'), clock: realClock });
    const group = { profile: 'environment', companyId: 'c1', family: 'nfe' } as const;
    const cursor = await store.cursors.get({ ...group, stream: 'documents' });
    await store.close();
    return (cursor?.position as { endedAt?: number } | undefined)?.endedAt;
  };
  const start = clock.now();
  await sync(service.host, '--type', 'nfe');
  const first = await endedAt();
  expect(first).toBeGreaterThanOrEqual(start);
  clock.advance(60_000);
  breaks = true;
  await sync(service.host, '--type', 'nfe');
  expect(await endedAt()).toBe(first);
});

test('an empty list of events counts as read, and one read only in part does not', async () => {
  const clock = new FakeClock();
  const service = await imitate(
    office(() => [document(NFE_KEY)]),
    { clock },
  );
  const readAt = async () => {
    const store = await openStore({ path: join(service.host.root, 'state', 'state.db'), clock: realClock });
    const key = { profile: 'environment', companyId: 'c1', family: 'nfe', stream: 'events' } as const;
    const cursor = await store.cursors.get(key);
    await store.close();
    return cursor?.at;
  };
  const start = clock.now();
  await sync(service.host, '--since', '2026-10-01');
  expect(await readAt()).toBeUndefined();
  clock.advance(60_000);
  await sync(service.host);
  expect(await readAt()).toBeGreaterThanOrEqual(start + 60_000);
  const before = await readAt();
  clock.advance(60_000);
  await sync(service.host, '--since', '2026-10-06');
  expect(await readAt()).toBe(before);
});

/** Another process of the same store, on a machine that cannot be seen from here, holds the NF-e of the company. */
async function heldByOther(host: TestHost, leaseMs: number) {
  const store = await openStore({ path: join(host.root, 'state', 'state.db'), clock: realClock });
  const group = { profile: 'environment', companyId: 'c1', family: 'nfe' } as const;
  const worker = { id: 'other', pid: 1, machine: 'elsewhere', processStart: '' };
  await store.workers.register({ ...worker, expiresAt: Date.now() + leaseMs });
  await store.cursors.hold(group, 'other', Date.now());
  return { store, group };
}

test('a company that another process is syncing is left to it', async () => {
  const service = await imitate(office(() => [document(NFE_KEY)]));
  const { store } = await heldByOther(service.host, 60_000);
  await store.close();
  const { exitCode, records, files } = await sync(service.host, '--type', 'nfe', '--lock-wait', '0s');
  expect([exitCode, files, records[0]?.['state']]).toEqual([11, [], 'held']);
});

test('what a dead process held is synced when its lease ends', async () => {
  const service = await imitate(office(() => [document(NFE_KEY)]));
  const { store } = await heldByOther(service.host, 1_500);
  await store.close();
  const { exitCode, records, files } = await sync(service.host, '--type', 'nfe');
  expect([exitCode, files.length, records[0]?.['state']]).toEqual([0, 1, 'done']);
});

test.each([
  { words: [], lists: 0 },
  { words: ['--full-every', '0s'], lists: 1 },
  { words: ['--window', '5d'], lists: 1 },
])(
  'lists that another process has read meanwhile: read again $lists times with $words, and what it left is fetched',
  async ({ words, lists: expected }) => {
    const lists: string[] = [];
    const list = 'GET /v2/companies/c1/inbound/nfe';
    let isWaiting = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (isWaiting = resolve));
    const clock = {
      ...realClock,
      sleep: (ms: number, signal?: AbortSignal) => {
        if (ms === 1_000) isWaiting();
        return realClock.sleep(ms, signal);
      },
    };
    const service = await imitate(
      office(() => [], {
        [list]: () => {
          lists.push(list);
          return json(200, { value: [] });
        },
      }),
      { clock },
    );
    const { store, group } = await heldByOther(service.host, 60_000);
    const running = sync(service.host, '--type', 'nfe', ...words);
    await waiting;
    const [row] = [document(NFE_KEY)].map((each) => seenDocument(each) ?? expect.fail('no row'));
    await store.documents.see(group, row === undefined ? [] : [row], Date.now());
    const at = Date.now();
    const ended = { workerId: 'other', position: { endedAt: at }, at };
    await store.cursors.save({ ...group, stream: 'documents' }, ended);
    await store.cursors.save({ ...group, stream: 'events' }, ended);
    await store.cursors.save({ ...group, stream: 'full' }, ended);
    await store.cursors.release(group, 'other');
    await store.close();
    const { exitCode, files, stderr } = await running;
    expect([exitCode, files.length, lists.length]).toEqual([0, 1, expected]);
    expect(stderr.includes('read by another process while this one ran')).toBe(expected === 0);
  },
);

test('a wrong layout, family or date is refused before any request', async () => {
  const service = await imitate(office(() => []));
  for (const words of [
    ['--layout', '../{key}'],
    ['--type', 'nfce'],
    ['--since', 'soon'],
  ]) {
    expect((await sync(service.host, ...words)).exitCode).toBe(2);
  }
  expect(service.asked()).toEqual([]);
});
