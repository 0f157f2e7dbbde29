import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seed } from '../seed.js';
import type { TestHost } from '../../support/host.js';
import { inputOrder } from '../../support/input-order.js';
import { textRows, workbookOf } from '../../support/workbook.js';
import { Authority } from './authority.js';
import { nfeKeyOf, nfseKey } from './keys.js';
import {
  documents,
  manifestation,
  noon,
  planningHost,
  runningClock,
  supplier,
  write,
  type Documents,
} from './planning.js';

let authority: Authority;
let host: TestHost;

beforeEach(async () => {
  authority = new Authority();
  host = planningHost(await authority.start(), runningClock());
});

afterEach(async () => {
  await authority.stop();
});

const key = (number: number) => nfeKeyOf(number);
const sent = () => authority.posts.map(({ path }) => /by-access-key\/(\w+)\//.exec(path)?.[1]);
const row = (number: number, change: Partial<Documents> = {}): Documents => ({
  ...{ accessKey: key(number), supplier, amount: '10.00', authorizedOn: '2026-06-20', status: 'Received' },
  ...change,
});

const planning = ['plan', '--rules', 'rules.yaml', '--input', 'documents.csv'];

async function plan(rows: readonly Documents[], rules = 'rules: [{ event: confirmation }]') {
  documents(host, rows);
  write(host, 'rules.yaml', rules);
  const made = await manifestation(host, ...planning, '--out', 'plan.csv');
  expect(made.exitCode).toBe(0);
}

const waiting = ['--yes', '--wait', '--interval', '20ms'];

async function apply(...argv: string[]) {
  return manifestation(host, 'apply', 'plan.csv', '--input', 'documents.csv', ...argv);
}

const states = (records: readonly Record<string, unknown>[]) =>
  records.map(({ type, line, state }) => (type === 'item' ? [line, state] : type));

test('a plan is sent exactly once, however often it is applied', async () => {
  await plan([row(1), row(2)]);
  const first = await apply(...waiting);
  expect({ exitCode: first.exitCode, states: states(inputOrder(first.records())) }).toEqual({
    exitCode: 0,
    states: [[2, 'succeeded'], [3, 'succeeded'], 'summary'],
  });
  expect(first.records().at(-1)).toMatchObject({ total: 2, succeeded: 2, changed: 0, exitCode: 0 });
  const again = await apply(...waiting);
  expect(inputOrder(again.records()).slice(0, 2)).toEqual(inputOrder(first.records()).slice(0, 2));
  expect(again.stderr).toContain('had the same input and is done; nothing was sent');
  expect(sent().toSorted()).toEqual([key(1), key(2)].toSorted());
});

test('a plan that is done asks nothing', async () => {
  await plan([row(1), row(2)]);
  expect((await apply(...waiting)).exitCode).toBe(0);
  const before = sent().length;
  const again = await apply('--wait', '--interval', '20ms');
  expect([again.exitCode, again.stderr, sent().length]).toEqual([0, expect.not.stringContaining('consent'), before]);
});

test('the sheets of the documents and of the plan are those that are named', async () => {
  const book = (name: string, sheet: string, rows: readonly (readonly string[])[]) => {
    const sheets = { Resumo: textRows([['accessKey'], [key(9)]]), [sheet]: textRows(rows) };
    writeFileSync(join(host.cwd, name), workbookOf({ sheets }));
  };
  const cells = (csv: string) =>
    csv
      .trim()
      .split('\n')
      .map((line) => line.split(','));
  book('documents.xlsx', 'Notas', cells(readFileSync(join(host.cwd, documents(host, [row(1)])), 'utf8')));
  write(host, 'rules.yaml', 'rules: [{ event: confirmation }]');
  const documentWords = ['--input', 'documents.xlsx'];
  const made = await manifestation(
    host,
    ...['plan', '--rules', 'rules.yaml', ...documentWords, '--sheet', 'Notas', '--out', 'plan.csv'],
  );
  expect(made.stderr).toContain('--input documents.xlsx --input-sheet Notas');
  const due = await manifestation(host, 'due', ...documentWords, '--sheet', 'Notas', '--within', '90d');
  expect(due.records().map(({ accessKey }) => accessKey)).toContain(key(1));
  book('plan.xlsx', 'Plano', cells(readFileSync(join(host.cwd, 'plan.csv'), 'utf8')));
  const words = ['apply', 'plan.xlsx', ...documentWords, '--input-sheet', 'Notas'];
  expect((await manifestation(host, ...words, ...waiting)).exitCode).toBe(2);
  const first = await manifestation(host, ...words, '--sheet', 'Plano', ...waiting);
  expect([first.exitCode, sent()]).toEqual([0, [key(1)]]);
});

test.each(['plan.csv', 'plan.json'])('an empty plan (%s) has nothing to send: exit 0', async (file) => {
  documents(host, [row(1)]);
  write(host, 'rules.yaml', 'rules: [{ event: confirmation, when: { valueFrom: 1000 } }]');
  const made = await manifestation(host, ...planning, '--out', file);
  expect([made.exitCode, made.records().at(-1)]).toMatchObject([0, { type: 'plan', planned: 0 }]);
  const applied = await manifestation(host, 'apply', file, '--input', 'documents.csv', ...waiting);
  const summary = { type: 'summary', total: 0, changed: 0, stopped: 'complete', exitCode: 0 };
  expect([applied.exitCode, applied.records()]).toEqual([0, [summary]]);
  expect(applied.stderr).toContain('nothing to send');
  expect(sent()).toEqual([]);
});

test.each([
  ['', 'plan.csv has no records'],
  [' \n', 'plan.csv has no records'],
  ['accessKey,event\n', '--input is for a plan, and plan.csv has no fingerprint'],
])('an input that is not a plan (%j) exits 2, and nothing is sent', async (text, told) => {
  documents(host, [row(1)]);
  write(host, 'plan.csv', text);
  const { exitCode, stderr } = await apply(...waiting);
  expect([exitCode, sent()]).toEqual([2, []]);
  expect(stderr).toContain(told);
});

test('a plan from stdin is told apart from events', async () => {
  await plan([row(1)]);
  const text = readFileSync(join(host.cwd, 'plan.csv'), 'utf8');
  host = { ...host, stdin: { isTerminal: false, read: () => bytesOf(text) } };
  const words = ['apply', '-', '--input', 'documents.csv', ...waiting];
  const { exitCode } = await manifestation(host, ...words);
  expect([exitCode, sent()]).toEqual([0, [key(1)]]);
});

test.each(['--skip-invalid', '--detail-unchecked'])('%s is refused for a plan', async (option) => {
  await plan([row(1)]);
  const { exitCode, stderr } = await apply(option, ...waiting);
  expect([exitCode, sent()]).toEqual([2, []]);
  expect(stderr).toContain(`${option} is for a file of events, and plan.csv is a plan`);
});

test('--all-companies is refused for a file of events', async () => {
  write(host, 'events.csv', `accessKey,event\n${key(1)},awareness\n`);
  const { exitCode, stderr } = await manifestation(host, 'apply', 'events.csv', '--all-companies', '--yes');
  expect([exitCode, sent()]).toEqual([2, []]);
  expect(stderr).toContain('--all-companies is for a plan, and events.csv has no fingerprint');
});

test('rows removed from the plan are not sent, nor is anything outside it', async () => {
  await plan([row(1), row(2), row(3)]);
  const lines = readFileSync(join(host.cwd, 'plan.csv'), 'utf8').split('\n');
  write(host, 'plan.csv', lines.filter((line) => !line.startsWith(key(2))).join('\n'));
  const { exitCode } = await apply('--yes');
  expect([exitCode, sent()]).toEqual([0, [key(1), key(3)].toSorted()]);
});

test.each([
  ['its amount', { amount: '10.01' }],
  ['its supplier', { supplier: '11444777000161' }],
  ['its state at the service', { status: 'Cancelled' }],
] as const)('a row whose document changed %s is reported and not sent', async (_what, change) => {
  await plan([row(1), row(2)]);
  documents(host, [row(1), row(2, change)]);
  const { exitCode, records, stderr } = await apply(...waiting);
  expect([exitCode, sent()]).toEqual([3, [key(1)]]);
  expect(records()[0]).toEqual({
    type: 'item',
    line: expect.any(Number),
    label: `${key(2)} 210200`,
    state: 'changed',
    errorCode: 'manifestation.changed',
    error: 'the document or its events changed since the plan was made',
    accessKey: key(2),
    eventCode: 210200,
    nSequencia: 1,
    companyId: 'c1',
  });
  expect(records().at(-1)).toMatchObject({ total: 1, succeeded: 1, changed: 1, exitCode: 3 });
  expect(stderr).toContain('1 row changed since the plan was made');
});

test('the table shows what changed', async () => {
  await plan([row(1), row(2)]);
  documents(host, [row(1), row(2, { amount: '1.00' })]);
  const { stdout } = await apply(...waiting, '-o', 'table');
  expect(stdout).toContain('changed since the plan, not sent: 1');
  expect(stdout).toContain('succeeded: 1');
});

test('a plan can be piped from one command to the other', async () => {
  await plan([row(1)]);
  const { stdout } = await manifestation(host, ...planning);
  host = { ...host, stdin: { isTerminal: false, read: () => bytesOf(stdout) } };
  const { exitCode, stderr } = await manifestation(host, 'apply', '-', '--input', 'documents.csv', '--yes');
  expect([exitCode, sent()], stderr).toEqual([0, [key(1)]]);
});

test('a document that was only delivered or processed again counts as unchanged', async () => {
  await plan([row(1, { nsu: '7' })]);
  documents(host, [row(1, { nsu: '9', status: 'Processed' })]);
  expect([(await apply('--yes')).exitCode, sent()]).toEqual([0, [key(1)]]);
});

test('a row whose document has a new event is not sent', async () => {
  await plan([row(1), row(2)]);
  const data = { family: 'nfe', accessKey: key(1), eventCode: 210240, nSequencia: 1, status: 'Accepted' };
  await seed(host, ({ known }) =>
    known.put({
      ...{ profile: 'environment', kind: 'nfe-manifestation', scope: 'c1', seenAt: noon, data },
      ...{ id: `${key(1)} 210240 1`, label: key(1), status: 'Accepted' },
    }),
  );
  const { exitCode } = await apply('--yes');
  expect([exitCode, sent()]).toEqual([3, [key(2)]]);
});

test('without the documents nothing is sent, and the reason is printed', async () => {
  await plan([row(1)]);
  const { exitCode, records } = await manifestation(host, 'apply', 'plan.csv', '--yes');
  expect({ exitCode, sent: sent(), summary: records().at(-1) }).toEqual({
    exitCode: 3,
    sent: [],
    summary: { type: 'summary', total: 0, changed: 1, stopped: 'complete', exitCode: 3 },
  });
  expect(records()[0]).toMatchObject({ error: expect.stringContaining('give the --input') });
});

describe('the same plan after an interrupted run', () => {
  test('sends the rest, except for what changed in the meantime', async () => {
    await plan([row(1), row(2), row(3)]);
    authority.fault = () => ({ status: 401, body: { error: { code: 'unauthorized', message: 'no' } } });
    expect((await apply('--yes', '--concurrency', '1')).exitCode).toBe(4);
    authority.fault = () => undefined;
    authority.seen.length = 0;
    documents(host, [row(1), row(2, { amount: '99.00' }), row(3)]);
    const { exitCode, records } = await apply(...waiting);
    expect([exitCode, sent().toSorted()]).toEqual([3, [key(1), key(3)].toSorted()]);
    expect(records().map(({ state }) => state)).toEqual(['changed', 'succeeded', 'succeeded', undefined]);
    const later = await apply(...waiting);
    expect([later.exitCode, later.records().map(({ state }) => state)]).toEqual([
      3,
      ['changed', 'succeeded', 'succeeded', undefined],
    ]);
    expect(sent()).toHaveLength(2);
  });

  test('does not send a row that it left out before, even if its document is unchanged again', async () => {
    await plan([row(1), row(2)]);
    documents(host, [row(1), row(2, { amount: '99.00' })]);
    await apply(...waiting);
    documents(host, [row(1), row(2)]);
    const { exitCode, records } = await apply(...waiting);
    expect([exitCode, sent()]).toEqual([3, [key(1)]]);
    expect(records()[0]).toMatchObject({ label: `${key(2)} 210200`, error: expect.stringContaining('earlier run') });
  });

  test('follows an event to its end that was sent before its document changed', async () => {
    await plan([row(1)]);
    await apply('--yes');
    documents(host, [row(1, { amount: '99.00' })]);
    const { exitCode, records } = await apply(...waiting);
    expect([exitCode, records().map(({ state }) => state)]).toEqual([0, ['succeeded', undefined]]);
    expect(sent()).toEqual([key(1)]);
  });
});

describe('consent', () => {
  test('is requested with the counts, and without a terminal nothing is sent', async () => {
    await plan([row(1), row(2)]);
    const { exitCode, stderr } = await apply();
    expect([exitCode, sent()]).toEqual([2, []]);
    expect(stderr).toContain('submitting 2 events to the tax authority: 2 × 210200 confirmation');
    expect(stderr).toContain('--yes');
  });

  test('for events that deny documents names the company', async () => {
    await plan([row(1)], 'rules: [{ event: desconhecimento }]');
    expect([(await apply('--yes')).exitCode, (await apply('--yes', '--confirm', 'c2')).exitCode]).toEqual([2, 2]);
    expect(sent()).toEqual([]);
    expect((await apply('--yes', '--confirm', 'c1')).exitCode).toBe(0);
    expect(authority.posts.map(({ body }) => body)).toEqual([{ eventCode: 210220, nSequencia: 1, detail: {} }]);
  });
});

test('NF-e and NFS-e use their own operations', async () => {
  const rules =
    'rules: [{ event: confirmation }, { event: reject, reason: 3, justification: Serviço não foi prestado }]';
  await plan([row(1), { ...row(2), accessKey: nfseKey }], rules);
  const { exitCode } = await apply(...waiting, '--confirm', 'c1');
  expect(exitCode).toBe(0);
  expect(authority.posts.map(({ path, body }) => [path.split('?')[0], body]).toSorted()).toEqual(
    [
      [
        `/productinvoices/by-access-key/${key(1)}/manifestation-events`,
        { eventCode: 210200, nSequencia: 1, detail: {} },
      ],
      [
        `/v2/companies/c1/inbound/nfse/by-access-key/${nfseKey}/manifestations`,
        { eventCode: 203206, reasonCode: 3, justification: 'Serviço não foi prestado' },
      ],
    ].toSorted(),
  );
});

test('a dry run shows the first request and the counts, and sends nothing', async () => {
  await plan([row(1), row(2)]);
  documents(host, [row(1), row(2, { amount: '1.00' })]);
  const { exitCode, records } = await apply('--dry-run');
  expect([exitCode, authority.seen]).toEqual([0, []]);
  expect(records()).toMatchObject([
    { type: 'dry-run', records: 2, valid: 1, changed: 1, events: { 210200: 1 }, billedCalls: 0 },
  ]);
});

test.each([
  ['a column that no plan has', (text: string) => text.replace('rule,', 'regra,'), 'regra'],
  ['no fingerprint', (text: string) => text.replace(/[0-9a-f]{32}$/m, ''), 'line 2: fingerprint'],
  ['an event of another type', (text: string) => text.replace('confirmation', 'reject'), 'line 2: event'],
  [
    'a key that a spreadsheet rounded',
    (text: string) => text.replace(/^\d{44}/m, '3.52505E+43'),
    'column accessKey: \\"3.52505E+43\\" is a number that a spreadsheet has rounded',
  ],
  ['a mangled key', (text: string) => text.replace(/^\d{44}/m, '3525'), 'line 2: accessKey'],
  ['a sequence of 0', (text: string) => text.replace('confirmation,1', 'confirmation,0'), 'line 2: sequence'],
])('a plan with %s is refused as a whole', async (_what, change, told) => {
  await plan([row(1), row(2)]);
  write(host, 'plan.csv', change(readFileSync(join(host.cwd, 'plan.csv'), 'utf8')));
  const { exitCode, stdout, stderr } = await apply('--yes');
  expect([exitCode, stdout, authority.seen]).toEqual([2, '', []]);
  expect(stderr).toContain(told);
});

test('own notes are those of any company of the account, read page by page', async () => {
  const pages = [
    { companies: [{ id: 'c0', federalTaxNumber: '47960950000121' }], hasMore: true },
    { companies: [{ id: 'c1', federalTaxNumber: 11444777000161 }], hasMore: false },
  ];
  authority.fault = ({ path }) =>
    path.startsWith('/v2/companies?')
      ? { status: 200, body: pages[path.includes('startingAfter=c0') ? 1 : 0] }
      : undefined;
  documents(host, [row(1), row(2, { supplier: '11444777000161' })]);
  write(host, 'rules.yaml', 'rules: [{ event: confirmation }]');
  const { records } = await manifestation(host, ...planning, '--own', 'account');
  expect(records().map(({ accessKey }) => accessKey)).toEqual([key(1)]);
  expect(authority.seen.map(({ path }) => path)).toEqual([
    '/v2/companies?limit=50',
    '/v2/companies?limit=50&startingAfter=c0',
  ]);
});

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}
