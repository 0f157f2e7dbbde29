import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { InboundFamily } from '../../../src/contract/inbound.js';
import { json } from '../../client/support/server.js';
import { runFiscal } from '../../support/host.js';
import { records } from '../seed.js';
import { ArchivedMonth, CTE, NFE, NFSE } from './archived-month.js';
import { imitate } from './service.js';

let month: ArchivedMonth;

beforeEach(async () => {
  month = await ArchivedMonth.open();
  month.captures.clear();
});

const keys = { nfe: NFE[0], cte: CTE, nfse: NFSE } as const;
const families = ['nfe', 'cte', 'nfse'] as const;
const unreadable: readonly unknown[] = [
  { accessKey: null, issuedOn: '2026-10-05T12:00:00Z' },
  { accessKey: '', issuedOn: '2026-10-05T12:00:00Z' },
  { accessKey: 35261030057049, issuedOn: '2026-10-05T12:00:00Z' },
  { id: 7 },
  {},
  null,
  'text',
  7,
  [],
];
const cases = families.flatMap((family) => unreadable.map((row) => [family, row] as const));
const eventCases = cases.flatMap(([family, row]) =>
  family === 'nfse'
    ? []
    : [[family, typeof row === 'object' && row !== null ? { eventKey: '110111-1', ...row } : row] as const],
);

async function run(...words: readonly string[]) {
  const { exitCode, stdout, stderr } = await month.fiscal(...words, '-o', 'ndjson');
  return { exitCode, stderr, records: records(stdout) as readonly Record<string, unknown>[] };
}

const sync = (...words: readonly string[]) => run('inbound', 'sync', '--archive', month.archive, ...words);
const close = (family: string) => run('inbound', 'close', '2026-10', '--type', family);

/** A month of one family in which nothing is missing. */
async function whole(family: InboundFamily): Promise<void> {
  month.captures.add(family);
  await month.add(family, keys[family]);
}

function put(family: InboundFamily, row: unknown): void {
  (month.lists[family] as unknown[]).unshift(row);
}

/** The lists as they were before. */
function takeBack(family: InboundFamily): void {
  month.lists[family].shift();
}

test.each(cases)('%s %j: the row makes the month incomplete', async (family, row) => {
  await whole(family);
  expect((await close(family)).exitCode).toBe(0);
  put(family, row);
  const { exitCode, records: found } = await close(family);
  expect(exitCode).toBe(3);
  expect(found).toMatchObject([
    { type: 'gap', family, kind: 'row-unreadable', count: 1 },
    { type: 'close', verdict: 'incomplete', coverage: [{ list: { unreadable: 1 } }] },
    { type: 'summary', incomplete: 1 },
  ]);
});

test.each(cases)('%s %j: the row that a sync saw stays in the proof after it vanished', async (family, row) => {
  await whole(family);
  put(family, row);
  const synced = await sync();
  expect(synced.exitCode).toBe(3);
  expect(synced.records).toMatchObject([
    { type: 'company', family, unreadable: 1 },
    { type: 'summary', unreadable: 1, exitCode: 3 },
  ]);
  expect(synced.stderr).toContain('names no document');
  // The list of the month is filtered by time, which such a row may lack.
  takeBack(family);
  const closed = await close(family);
  expect(closed.exitCode).toBe(3);
  expect(closed.records[0]).toMatchObject({
    ...{ type: 'close', complete: false, verdict: 'not-provable' },
    reasons: [{ code: 'rows-unreadable', family }],
    coverage: [{ list: { unreadable: 0 }, unreadable: { documents: 1, events: 0 } }],
  });
  expect((await run('inbound', 'verify')).records[0]).toMatchObject({ state: 'not-provable' });
  // A whole list without it is the proof that nothing is missing.
  expect((await sync('--full')).exitCode).toBe(0);
  expect((await close(family)).exitCode).toBe(0);
});

test.each(eventCases)('%s %j: the row of the list of events makes the month incomplete', async (family, row) => {
  await whole(family);
  (month.events[family] as unknown[]).push(row);
  expect((await close(family)).records).toMatchObject([
    { type: 'gap', kind: 'row-unreadable', count: 1 },
    { verdict: 'incomplete', coverage: [{ events: { unreadable: 1 } }] },
    {},
  ]);
  expect((await sync()).exitCode).toBe(3);
  month.events[family].pop();
  expect((await close(family)).records[0]).toMatchObject({
    verdict: 'not-provable',
    coverage: [{ unreadable: { documents: 0, events: 1 } }],
  });
});

test('a list of events whose rows have neither key nor id is not whole: the sync ends 3', async () => {
  await whole('nfe');
  (month.events.nfe as unknown[]).push({ accessKey: keys.nfe, createdOn: '2026-10-06T12:00:00Z' });
  const { exitCode, records: found } = await sync();
  expect([exitCode, found.at(-1)?.['exitCode'], found[0]?.['unreadable']]).toEqual([3, 3, 1]);
});

describe('an event of an NFS-e that has its own id alone', () => {
  const id = '66aa00000000000000000001';
  const event = { id, type: 'serviceInvoiceEvent', eventCode: '105102', createdAt: '2026-10-06T12:00:00Z' };
  const unreadableOf = (found: readonly Record<string, unknown>[]) => found.map(({ unreadable: of }) => of);
  const named = () => ({ ...month.lists.nfse.at(-1), relatedEventIds: [id] }) as (typeof month.lists.nfse)[0];

  test('is an event of the note that names it, in the same reading', async () => {
    await whole('nfse');
    month.lists.nfse.splice(0, Infinity, named());
    put('nfse', event);
    const { records: found } = await close('nfse');
    expect(found).toMatchObject([
      { type: 'gap', family: 'nfse', kind: 'event-not-synced', key: NFSE },
      { type: 'close', coverage: [{ list: { unreadable: 0 }, events: { events: 1, unreadable: 0 } }] },
      { type: 'summary' },
    ]);
    // The company, what is owed of the event, and the summary.
    expect(unreadableOf((await sync()).records)).toEqual([undefined, undefined, undefined]);
  });

  test('is an event of the note that a reading before named', async () => {
    await whole('nfse');
    const note = month.lists.nfse.splice(0, Infinity, named());
    await sync();
    month.lists.nfse.splice(0, Infinity, ...note);
    put('nfse', event);
    expect((await close('nfse')).records.at(-2)).toMatchObject({ coverage: [{ list: { unreadable: 0 } }] });
    // The company, what is owed of the event, and the summary.
    expect(unreadableOf((await sync()).records)).toEqual([undefined, undefined, undefined]);
  });

  test('is an unreadable row while no note names it', async () => {
    await whole('nfse');
    put('nfse', event);
    expect((await close('nfse')).records).toMatchObject([
      { type: 'gap', family: 'nfse', kind: 'row-unreadable', count: 1 },
      { type: 'close', verdict: 'incomplete', coverage: [{ list: { unreadable: 1 } }] },
      { type: 'summary', incomplete: 1 },
    ]);
    const synced = await sync();
    expect([synced.exitCode, unreadableOf(synced.records)]).toEqual([3, [1, 1]]);
  });
});

test('an event of an NFS-e by the key of its note as parent is no unreadable row', async () => {
  await whole('nfse');
  put('nfse', {
    ...{ id: '66aa00000000000000000002', parentAccessKey: NFSE, type: 'serviceInvoiceEvent' },
    ...{ eventCode: '105102', createdAt: '2026-10-06T12:00:00Z' },
  });
  expect((await close('nfse')).records).toMatchObject([
    { type: 'gap', family: 'nfse', kind: 'event-not-synced', key: NFSE },
    { type: 'close', coverage: [{ list: { unreadable: 0 }, events: { events: 1 } }] },
    { type: 'summary' },
  ]);
});

test('a list that begins later says nothing of the row', async () => {
  await whole('nfe');
  put('nfe', {});
  await sync();
  takeBack('nfe');
  expect((await sync('--since', '2026-10-20')).exitCode).toBe(0);
  expect((await close('nfe')).records[0]).toMatchObject({ verdict: 'not-provable' });
});

test('a list that breaks off keeps the row', async () => {
  await whole('nfe');
  put('nfe', {});
  await sync();
  takeBack('nfe');
  month.eventAnswers.nfe = { status: 500, body: {} };
  put('nfe', null);
  expect((await sync('--full')).exitCode).toBe(3);
  takeBack('nfe');
  expect((await close('nfe')).records[0]).toMatchObject({
    reasons: expect.arrayContaining([expect.objectContaining({ code: 'rows-unreadable' })]),
  });
});

test.each(cases)('%s %j: reconcile counts the row and exits 3', async (family, row) => {
  await whole(family);
  put(family, row);
  await sync();
  takeBack(family);
  const readAt = Date.UTC(2026, 10, 2);
  await month.read([family], { documents: readAt, events: readAt });
  const erp = join(month.host.root, 'erp.csv');
  writeFileSync(erp, `accessKey\n${keys[family]}\n`);
  const found = await run('inbound', 'reconcile', '--erp', erp, '--month', '2026-10', '--type', family);
  expect([found.exitCode, found.records.at(-1)]).toMatchObject([
    3,
    { unreadable: 1, unsynced: 0, matched: 1, exitCode: 3 },
  ]);
  expect(found.stderr).toContain('1 row without a document or event');
});

test.each(cases)('%s %j: status --check reports the row', async (family, row) => {
  month.captures.add(family);
  put(family, row);
  const found = await run('status', '--check', '--expect', family);
  expect(found.records[0]).toMatchObject({
    state: 'critical',
    problems: expect.arrayContaining([expect.objectContaining({ code: 'unreadable' })]),
  });
});

test.each(eventCases)('%s %j: the list of events of a document ends with an error', async (family, row) => {
  const name = family === 'nfe' ? 'Product' : 'Transportation';
  const path = `GET /v2/companies/c1/inbound/odata/${name}InvoiceEvents`;
  const service = await imitate({ [path]: json(200, { value: [{ eventKey: 'e1' }, row] }) });
  const { exitCode, stderr } = await runFiscal(['inbound', 'events', keys[family]], service.host);
  // `{}` and `{"id": 7}` name an event here, whose document the request names.
  const isNamed = typeof row === 'object' && row !== null && 'eventKey' in row && !('accessKey' in row);
  if (isNamed) expect(exitCode).toBe(0);
  else expect([exitCode, stderr]).toEqual([6, expect.stringContaining('row 2 is not an event with a key')]);
});
