import { expect, test } from 'vitest';
import type { ProfileStatus, StatusReport } from '../../src/commands/status/figures.js';
import { splitCommand } from '../../src/domain/command-words.js';
import { isRecord } from '../../src/domain/record.js';
import { accountCompanies } from '../../src/jobs/kinds/received-note.js';
import type { DocumentGroup, SeenDocument } from '../../src/store/documents.js';
import type { Store } from '../../src/store/store.js';
import { json } from '../client/support/server.js';
import { newItem, newJob } from '../store/samples.js';
import { FakeClock } from '../support/clock.js';
import { runFiscal, testHost, type TestHost } from '../support/host.js';
import { imitate } from './inbound/service.js';
import { nfeKeyOf } from './manifestation/keys.js';
import { seed } from './seed.js';
import { addUsage } from '../support/usage.js';

/** The clock stands at 2026-01-15T12:00:00Z, which is 09:00 in Brasília. */
const now = Date.UTC(2026, 0, 15, 12);
const day = 86_400_000;
const profile = 'environment';
const group = (companyId: string, family: DocumentGroup['family'] = 'nfe') => ({ profile, companyId, family });

/** Its Ciência is due ten days after this day. */
function received(number: number, authorizedOn: string, more: Partial<SeenDocument> = {}): SeenDocument {
  const accessKey = nfeKeyOf(number);
  const parties = { issuer: '07933914000154', recipient: '29638438000181' };
  return { id: accessKey, accessKey, ...parties, issuedOn: authorizedOn, authorizedOn, data: {}, ...more };
}

const ofMarket = { recipient: '04252011000110' };

/** Something on each side of every border that a figure draws. */
async function world(host: TestHost): Promise<void> {
  await seed(host, async (store) => {
    const known = { profile, ...accountCompanies, status: 'listed', seenAt: now };
    await store.known.put({ ...known, id: 'c1', label: 'Padaria Sol Ltda', data: { taxNumber: '29638438000181' } });
    await store.known.put({ ...known, id: 'c2', label: 'Mercado Lua Ltda', data: { taxNumber: '04252011000110' } });
    await documents(store);
    await jobs(store);
    await calls(store);
  });
}

async function documents(store: Store): Promise<void> {
  const old = [
    received(1, '2026-01-06T12:00:00Z'),
    // The last day was yesterday, is today, is in 7 days, in 8: all but the first are due.
    received(2, '2026-01-04T12:00:00Z'),
    received(3, '2026-01-05T12:00:00Z'),
    received(4, '2026-01-12T12:00:00Z'),
    received(5, '2026-01-13T12:00:00Z'),
    received(6, '2026-01-07T12:00:00Z', { status: 'Cancelled' }),
    // Issued by another company of the account.
    received(7, '2026-01-07T12:00:00Z', { issuer: '04252011000110' }),
    received(8, '2026-01-07T12:00:00Z'),
    received(9, '2026-01-07T12:00:00Z'),
  ];
  await store.documents.see(group('c1'), old, now - 3 * day);
  const events = [
    { eventKey: 'e1', documentId: nfeKeyOf(8), facts: { code: 210210, sequence: 1 } },
    { eventKey: 'e2', documentId: nfeKeyOf(9), facts: { code: 210200, sequence: 1 } },
  ];
  await store.events.see(group('c1'), events, now);
  await store.documents.see(group('c2'), [received(10, '2026-01-08T12:00:00Z', ofMarket)], now - 2 * day);
  // Yesterday begins at 03:00 UTC.
  await store.documents.see(group('c2'), [received(11, '2025-12-01', ofMarket)], Date.UTC(2026, 0, 14, 3) - 1);
  await store.documents.see(group('c2'), [received(12, '2025-12-01', ofMarket)], Date.UTC(2026, 0, 14, 3));
  const many = Array.from({ length: 120 }, (_, n) => ({ id: `n-${n}`, issuedOn: '2020-01-01', data: {} }));
  await store.documents.see(group('c2', 'nfse'), many, now - 60_000);
  await store.documents.see(group('c3', 'cte'), [{ id: 'cte-1', issuedOn: '2026-01-14', data: {} }], now);
  await store.documents.see({ ...group('c1'), profile: 'other' }, [received(1, '2026-01-06')], now);
}

async function jobs(store: Store): Promise<void> {
  const add = async (n: number, scope: Record<string, string>, finishedAt: number, own = profile) => {
    const job = newJob({ id: `job-${n}`, inputDigest: `d-${n}`, profile: own, scope, at: finishedAt });
    await store.jobs.create(job, []);
    const items = [1, 2, 3].map((ordinal) => ({
      ...newItem(ordinal, { id: `item-${n}-${ordinal}`, dedupeKey: `k-${n}-${ordinal}` }),
      input: { tenantId: 't-1', product: {}, companyId: ordinal === 1 ? 'c1' : 'c2' },
    }));
    await store.jobs.append(job.id, items, finishedAt);
    await store.jobs.seal(job.id, finishedAt);
    return async (ordinal: number, state: 'failed' | 'uncertain' | 'succeeded') => {
      const change = { state, holdsKey: state !== 'failed', keep: false } as const;
      await store.items.decide(`item-${n}-${ordinal}`, 'prepared', change, { at: finishedAt, step: { is: 'read' } });
      await store.jobs.setState(job.id, 'done', finishedAt);
    };
  };
  const several = await add(1, { companyId: 'c1,c2' }, now - day);
  await several(1, 'uncertain');
  await several(2, 'failed');
  await (await add(2, { companyId: 'c1' }, now - 8 * day))(1, 'failed');
  const oldUncertain = await add(3, { companyId: 'c2' }, now - 9 * day);
  await oldUncertain(1, 'uncertain');
  await oldUncertain(2, 'failed');
  await (await add(4, { companyId: 'c2' }, now - day))(1, 'succeeded');
  await add(5, { companyId: 'c2' }, now - 30 * day);
  await (await add(6, { companyId: 'c1' }, now - day, 'other'))(1, 'failed');
  // Left before anything failed: of a file whose rows name both, of both, and before the rows were written.
  await add(7, {}, now - day);
  await add(8, { companyId: 'c1,c2' }, now - day);
  await store.jobs.create(newJob({ id: 'job-9', inputDigest: 'd-9', profile, scope: { companyId: 'c1,c2' } }), []);
}

async function calls(store: Store): Promise<void> {
  const usage = { profile, operation: 'tax.calculate', billed: 'engine', outcome: 'billed' } as const;
  await addUsage(store.usage, { ...usage, at: now, companyId: 'c1' });
  await addUsage(store.usage, { ...usage, at: now, companyId: 'c2' });
  await addUsage(store.usage, { ...usage, at: now, outcome: 'unknown' });
  // The month begins at 03:00 UTC.
  await addUsage(store.usage, { ...usage, at: Date.UTC(2026, 0, 1, 3), companyId: 'c2' });
  await addUsage(store.usage, { ...usage, at: Date.UTC(2026, 0, 1, 3) - 1, companyId: 'c2' });
  await addUsage(store.usage, { ...usage, at: now, profile: 'other', companyId: 'c1' });
}

type Row = Readonly<Record<string, unknown>>;

/** The rows of a command that `status` has printed, run as it stands. */
async function rowsOf(line: string, host: TestHost): Promise<readonly Row[]> {
  const split = splitCommand(line);
  if (!('words' in split)) throw new Error(line);
  const { stdout, stderr } = await runFiscal([...split.words.slice(1), '-o', 'json'], host);
  const rows: unknown = stdout === '' ? stderr : JSON.parse(stdout);
  if (!Array.isArray(rows)) throw new Error(`${line}: ${stderr}`);
  return rows.filter(isRecord);
}

const sum = (rows: readonly Row[], field: string) => rows.reduce((all, row) => all + Number(row[field]), 0);

async function statusOf(host: TestHost, words: readonly string[]): Promise<ProfileStatus> {
  const { stdout } = await runFiscal(['status', '-o', 'json', ...words], host);
  const [status] = (JSON.parse(stdout) as StatusReport).profiles;
  if (status === undefined) throw new Error('no profile');
  return status;
}

test.each<[words: readonly string[], counts: Readonly<Record<string, number>>]>([
  [[], { terms: 8, documents: 122, files: 135, uncertain: 2, failed: 2, unfinished: 4, billed: 4 }],
  [['--company', 'c2'], { terms: 3, documents: 121, files: 123, uncertain: 1, failed: 2, unfinished: 4, billed: 2 }],
])('each command of status %j counts what its figure counts', async (words, counts) => {
  const host = testHost({ clock: new FakeClock() });
  await world(host);
  const { due, newDocuments, outstanding, jobs: found, usage } = await statusOf(host, words);
  const { uncertain, failed, unfinished } = found;
  const { open, sent, lost, presumed, unknown } = due.terms;
  const terms = open + sent + lost + presumed + unknown;
  const said = { terms, documents: newDocuments.documents, files: outstanding.files };
  expect({ ...said, uncertain, failed, unfinished, billed: usage.billed }).toEqual(counts);
  expect(await rowsOf(due.next, host)).toHaveLength(terms);
  expect(await rowsOf(newDocuments.next, host)).toHaveLength(newDocuments.documents);
  expect(await rowsOf(outstanding.next, host)).toHaveLength(outstanding.files);
  const listed = await rowsOf(found.next, host);
  const unended = listed.filter(({ state }) => state !== 'done');
  expect(listed.map(({ id }) => id).toSorted()).toEqual(found.jobs.map(({ id }) => id).toSorted());
  expect([sum(listed, 'uncertain'), sum(listed, 'bad'), unended.length]).toEqual([uncertain, failed, unfinished]);
  const billed = await rowsOf(usage.next, host);
  expect([sum(billed, 'billed'), sum(billed, 'unknown')]).toEqual([usage.billed, usage.unknown]);
});

test('the check of the certificates counts what status says of the last one', async () => {
  const of = (validUntil: string) => json(200, { certificates: [{ thumbprint: 'AB', status: 'Active', validUntil }] });
  const companies = ['c1', 'c2', 'c3', 'c4', 'c5'].map((id) => ({ id, name: `Empresa ${id}` }));
  const service = await imitate(
    {
      'GET /v2/companies': json(200, { companies, hasMore: false }),
      'GET /v2/companies/c1/certificates': of('2026-01-15T11:00:00Z'),
      'GET /v2/companies/c2/certificates': of('2026-02-14T12:00:00Z'),
      'GET /v2/companies/c3/certificates': of('2026-02-14T13:00:00Z'),
      'GET /v2/companies/c4/certificates': json(200, { certificates: [] }),
      'GET /v2/companies/c5/certificates': of('2027-01-01T00:00:00Z'),
    },
    { clock: new FakeClock() },
  );
  const first = await statusOf(service.host, []);
  await rowsOf(first.certificates.next, service.host);
  const { certificates } = await statusOf(service.host, []);
  const rows = await rowsOf(certificates.next, service.host);
  const count = (state: string) => rows.filter((row) => row['state'] === state).length;
  expect({ ...certificates, next: '' }).toMatchObject({ expired: 1, ending: 1, missing: 1 });
  expect([count('expired'), count('expiring'), count('missing')]).toEqual([1, 1, 1]);
  const { next } = (await statusOf(service.host, ['--company', 'c2'])).certificates;
  expect(await rowsOf(next, service.host)).toHaveLength(1);
});
