import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { CompanyCheck } from '../../src/commands/status/row.js';
import type { StatusReport } from '../../src/commands/status/figures.js';
import { accountCompanies } from '../../src/jobs/kinds/received-note.js';
import type { SeenDocument } from '../../src/store/documents.js';
import { json } from '../client/support/server.js';
import { FakeClock } from '../support/clock.js';
import { runFiscal } from '../support/host.js';
import { seedReadings } from '../support/readings.js';
import { imitate, type Service } from './inbound/service.js';
import { nfeKeyOf } from './manifestation/keys.js';
import { seed } from './seed.js';

/** The clock stands at 2026-01-15T12:00:00Z: terms are counted from 1 December to 25 January. */
const now = Date.UTC(2026, 0, 15, 12);
const companies = [
  { id: 'c1', name: 'Padaria Sol Ltda', federalTaxNumber: '29638438000181' },
  { id: 'c2', name: 'Mercado Lua Ltda', federalTaxNumber: '04252011000110' },
];

function note(number: number, authorizedOn: string | undefined, more: Partial<SeenDocument> = {}): SeenDocument {
  const accessKey = nfeKeyOf(number);
  const dates = authorizedOn === undefined ? {} : { issuedOn: authorizedOn, authorizedOn };
  return { id: accessKey, accessKey, issuer: '07933914000154', ...dates, data: {}, ...more };
}

const notes = {
  c1: [
    // The last day of the Ciência is 18 January: it is open.
    note(1, '2026-01-08T12:00:00Z'),
    // 11 January and 5 December: lost.
    note(2, '2026-01-01T12:00:00Z'),
    note(3, '2025-11-25T12:00:00Z'),
    // 20 November: lost before December.
    note(4, '2025-11-10T12:00:00Z'),
    // 20 July, and that of the conclusive event, 180 days, 6 January: presumed.
    note(5, '2025-07-10T12:00:00Z'),
    // Cancelled by its status, and by an event: nothing is owed.
    note(6, '2026-01-01T12:00:00Z', { status: 'Cancelled' }),
    note(7, '2026-01-02T12:00:00Z'),
    // With its Ciência.
    note(8, '2026-01-02T12:00:00Z'),
    // Without a date.
    note(9, undefined),
    // Issued by the company itself.
    note(10, '2026-01-01T12:00:00Z', { issuer: '29638438000262' }),
  ],
  c2: [note(11, '2026-01-01T12:00:00Z')],
};

const none = { open: 0, sent: 0, lost: 0, presumed: 0, unknown: 0, earlier: 0, unreadable: 0, nextDeadline: null };
const right = {
  c1: { ...none, open: 1, lost: 2, presumed: 1, earlier: 2, unreadable: 1, nextDeadline: '2026-01-18' },
  c2: { ...none, lost: 1 },
};

let service: Service;

beforeEach(async () => {
  service = await imitate(
    { 'GET /v2/companies': json(200, { companies, hasMore: false }) },
    { clock: new FakeClock() },
  );
  await seed(service.host, async (store) => {
    for (const { id, name, federalTaxNumber: taxNumber } of companies) {
      const row = { profile: 'environment', ...accountCompanies, status: 'listed', seenAt: now };
      await store.known.put({ ...row, id, label: name, data: { taxNumber } });
    }
    for (const companyId of ['c1', 'c2'] as const) {
      const group = { profile: 'environment', companyId, family: 'nfe' } as const;
      await store.documents.see(group, notes[companyId], now);
      await seedReadings(store, { companyId, at: now });
    }
    const group = { profile: 'environment', companyId: 'c1', family: 'nfe' } as const;
    const events = [
      { eventKey: `ID110111${nfeKeyOf(7)}01`, documentId: nfeKeyOf(7), facts: { code: 110_111, sequence: 1 } },
      { eventKey: `ID210210${nfeKeyOf(8)}01`, documentId: nfeKeyOf(8), facts: { code: 210_210, sequence: 1 } },
    ];
    await store.events.see(group, events, now);
  });
});

const fiscal = (...words: string[]) => runFiscal(words, service.host);

test('due lists them, leaves out what is not owed, and says what is older and what has no date', async () => {
  const { exitCode, stdout, stderr } = await fiscal('manifestation', 'due', '--all-companies', '-o', 'json');
  const rows = (JSON.parse(stdout) as { state: string; companyId: string }[]).map(
    ({ companyId, state }) => `${companyId} ${state}`,
  );
  expect({ exitCode, rows: rows.toSorted() }).toEqual({
    exitCode: 13,
    rows: ['c1 lost', 'c1 lost', 'c1 open', 'c1 presumed', 'c2 lost'],
  });
  expect(stderr).toContain('2 more terms had passed before December 2025: --overdue-up-to shows them');
  expect(stderr).toContain('2 terms are not owed, because their documents do not stand');
  expect(stderr).toContain('1 document of the store lacks what a term is computed from, such as its date');
});

test('the calendar has an entry for each', async () => {
  await fiscal('manifestation', 'due', '--all-companies', '--ics', 'due.ics');
  const text = readFileSync(join(service.host.cwd, 'due.ics'), 'utf8');
  expect(text.match(/^BEGIN:VEVENT/gm)).toHaveLength(5);
});

test('a plan of Ciências has the open one, and leaves out as many as are lost', async () => {
  const words = ['manifestation', 'plan', '--new', '--event', 'awareness', '--all-companies'];
  const { stdout, stderr } = await fiscal(...words, '--out', 'plan.csv', '-o', 'json');
  expect(JSON.parse(stdout)).toEqual({
    ...{ type: 'plan', out: 'plan.csv', documents: 10, planned: 1, overdue: 0, unmatched: 0 },
    ...{ manifested: 1, notOwed: 2, late: 3, earlier: 2, unproven: 0, own: 1 },
  });
  expect(stderr).toContain('2 more are left out, because the term of this event had passed before December 2025');
});

test('status has the same counts', async () => {
  const { stdout } = await fiscal('status', '-o', 'json');
  const { due } = (JSON.parse(stdout) as StatusReport).profiles[0] ?? {};
  expect(due).toMatchObject({
    terms: { ...right.c1, lost: 3 },
    ...{ since: '2025-12-01', until: '2026-01-25' },
    byCompany: [
      { companyId: 'c2', terms: right.c2 },
      { companyId: 'c1', terms: right.c1 },
    ],
  });
  const text = (await fiscal('status', '-o', 'table', '--color', 'never')).stdout.replaceAll('\n  ', ' ');
  expect(text).toContain(
    '1 term due at 1 company, the next on 2026-01-18; 4 terms lost; 2 more before December 2025; 1 document left out',
  );
});

test('the check of all companies has the same counts, also as metrics', async () => {
  const { stdout } = await fiscal('status', '--check', '-o', 'json');
  const rows = JSON.parse(stdout) as readonly CompanyCheck[];
  expect(rows.map(({ companyId, manifestations }) => [companyId, manifestations])).toEqual([
    ['c1', right.c1],
    ['c2', right.c2],
  ]);
  const metrics = (await fiscal('status', '--check', '--prometheus')).stdout.split('\n');
  const of = (companyId: 'c1' | 'c2') =>
    (['open', 'sent', 'lost', 'presumed', 'unknown', 'earlier'] as const).map(
      (state) =>
        `fiscal_company_manifestation_terms{company_id="${companyId}",state="${state}"} ${right[companyId][state]}`,
    );
  expect(metrics.filter((line) => line.startsWith('fiscal_company_manifestation_terms'))).toEqual([
    ...of('c1'),
    ...of('c2'),
  ]);
});

test('the report of any month has the same counts of the company', async () => {
  const { exitCode } = await fiscal('report', 'month', '2026-01', '--company', 'c1,c2', '--out', 'reports');
  expect(exitCode).toBe(0);
  const page = (name: string) => readFileSync(join(service.host.cwd, 'reports', name), 'utf8');
  expect(page('29638438000181-2026-01.html')).toContain(
    '1 due by 2026-01-25, 3 lost since 2025-12-01, 2 more before December 2025, 1 without a date.',
  );
  expect(page('04252011000110-2026-01.html')).toContain('0 due by 2026-01-25, 1 lost since 2025-12-01.');
  const index = page('index.html');
  expect([index.includes('>1 / 3<'), index.includes('>0 / 1<')]).toEqual([true, true]);
});
