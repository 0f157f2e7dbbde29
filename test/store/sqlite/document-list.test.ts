import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DocumentFilter, DocumentRow, SeenDocument } from '../../../src/store/documents.js';
import { candidatesOf, listQuery, narrowest } from '../../../src/store/sqlite/document-list.js';
import { create } from '../../../src/store/sqlite/schema.js';
import { indexedBy, type Part, type Sql, writtenFor } from '../../../src/store/sql.js';
import { openStore } from '../../../src/store/sqlite/open.js';
import { realClock } from '../../support/clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { noon } from '../samples.js';

const group = { profile: 'acme', companyId: 'c-1', family: 'nfe' } as const;
const month = { since: noon, until: noon + 9 };
const base = { profile: 'acme', limit: 9 };
const byIssue = indexedBy('documents_by_issue');

/** The last row of the page before, in the same group. */
const after: DocumentRow = {
  ...{ ...group, seq: 7, version: 1, id: 'k-7', issuedOn: '2026-05-04', data: {}, state: 'wanted' },
  ...{ eventCodes: [], unreadEvents: 0, firstSeenAt: noon, updatedAt: noon },
};

const nameOf = ({ sqlite }: Part) => sqlite.replace('INDEXED BY ', '');

const alone: Readonly<Record<string, Partial<DocumentFilter>>> = {
  issuer: { issuer: '1' },
  status: { status: 'A' },
  webhook: { webhookStatus: 'W' },
  since: { since: noon },
  until: { until: noon },
  month,
  nsu: { nsuAfter: 5 },
  seen: { seenSince: noon, seenUntil: noon + 9 },
};

/** Their entries are not in the order of issue. */
const otherOrder = ['documents_by_nsu', 'documents_by_sight'];

const pairs = Object.values(alone).flatMap((one, index) =>
  Object.values(alone)
    .slice(index)
    .map((other): DocumentFilter => ({ ...base, ...one, ...other })),
);

/** How SQLite finds the rows, without the condition that all share and without the search for the events of a row. */
function plansOf(query: Sql): readonly string[] {
  const database = new Sqlite(':memory:');
  try {
    create(database);
    const { text, values } = writtenFor('sqlite', query);
    const plan = database.prepare<unknown[], { id: number; parent: number; detail: string }>(
      `EXPLAIN QUERY PLAN ${text}`,
    );
    const rows = plan.all(values);
    const ofEvents = new Set(rows.flatMap(({ id, detail }) => (detail.startsWith('CORRELATED') ? [id] : [])));
    const own = rows.filter(({ id, parent }) => !ofEvents.has(id) && !ofEvents.has(parent));
    return own.map(({ detail }) =>
      detail.replace('SEARCH documents USING ', '').replace('profile=? AND company_id=? AND family=?', 'group'),
    );
  } finally {
    database.close();
  }
}

test('every filter and every pair of filters uses each of its indexes, and only NSUs and new documents are sorted', () => {
  for (const filter of [{ ...base }, ...pairs]) {
    for (const page of [filter, { ...filter, after }]) {
      for (const { index, probe } of candidatesOf(page, group)) {
        const [search, ...rest] = plansOf(listQuery(page, group, index));
        expect(search).toMatch(new RegExp(`^INDEX ${nameOf(index)} \\(group`));
        expect(rest).toEqual(otherOrder.includes(nameOf(index)) ? ['USE TEMP B-TREE FOR ORDER BY'] : []);
        expect(plansOf(probe).join(' ')).toContain(`COVERING INDEX ${nameOf(index)} (group`);
      }
    }
  }
});

test('an issuer in a month is searched by both, and the next page begins where the last ended', () => {
  const filter = { ...base, ...month, issuer: '1' };
  expect(plansOf(listQuery(filter, group, indexedBy('documents_by_issuer')))).toEqual([
    'INDEX documents_by_issuer (group AND issuer=? AND issued_at>? AND issued_at<?)',
  ]);
  const [page, ...rest] = plansOf(listQuery({ ...base, until: noon, after }, group, byIssue));
  // Newer versions of SQLite tell only of the first of the two.
  expect(page).toMatch(/^INDEX documents_by_issue \(group AND (\(issued_at,rowid\)<\(\?,\?\)|issued_at<\?)\)$/);
  expect(rest).toEqual([]);
});

test('the events of each row, and the answers about it, are found by their document', () => {
  const database = new Sqlite(':memory:');
  create(database);
  const { text, values } = writtenFor('sqlite', listQuery(base, group, byIssue));
  const plan = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`);
  expect(plan.all(values).map(({ detail }) => detail)).toEqual([
    'SEARCH documents USING INDEX documents_by_issue (profile=? AND company_id=? AND family=?)',
    'CORRELATED SCALAR SUBQUERY 1',
    'SEARCH e USING INDEX sqlite_autoindex_document_events_1 (profile=? AND company_id=? AND family=? AND document_id=?)',
    'CORRELATED SCALAR SUBQUERY 2',
    'SEARCH k USING INDEX known_by_label (profile=? AND kind=? AND label=?)',
  ]);
  database.close();
});

test('the most selective index is used, or the first of two that are too large to count', async () => {
  const filter = { ...base, issuer: '1', status: 'A', nsuAfter: 5 };
  const taken = async (...widths: readonly number[]) => {
    const left = [...widths];
    return nameOf(await narrowest(candidatesOf(filter, group), () => Promise.resolve(left.shift() ?? 0)));
  };
  expect(await taken(3, 2, 9)).toBe('documents_by_status');
  expect(await taken(1_000, 1_000, 9)).toBe('documents_by_nsu');
  expect(await taken(1_000, 1_000, 1_000)).toBe('documents_by_issuer');
  const unasked = () => expect.fail('one index needs no count');
  expect(nameOf(await narrowest(candidatesOf(base, group), unasked))).toBe('documents_by_issue');
});

test('any filter, page by page, returns the same as a scan of every row', async () => {
  const store = await openStore({ path: `${temporaryFolder()}/store.db`, clock: realClock });
  const some = Array.from({ length: 240 }, (_, n): SeenDocument => {
    const issuedOn = new Date(noon + (n % 13) * 1_000).toISOString();
    const facts = { issuer: String(n % 3), status: n % 7 === 0 ? 'A' : 'B', webhookStatus: `W${n % 2}` };
    return { id: `k-${n}`, nsu: String((n * 7) % 240), issuedOn, ...facts, data: null };
  });
  await store.documents.see(group, some.slice(0, 150), noon);
  await store.documents.see({ ...group, companyId: 'c-2' }, some.slice(150, 200), noon + 5);
  await store.documents.see({ ...group, companyId: 'c-2' }, some.slice(200), noon + 9);
  const all = await store.documents.list({ profile: 'acme', limit: 999 });
  const filters = fc.record(
    {
      issuer: fc.constantFrom('0', '1', '9'),
      status: fc.constantFrom('A', 'B'),
      webhookStatus: fc.constantFrom('W0', 'W1'),
      since: fc.integer({ min: 0, max: 13 }).map((n) => noon + brasilia + n * 1_000),
      until: fc.integer({ min: 0, max: 13 }).map((n) => noon + brasilia + n * 1_000),
      seenSince: fc.integer({ min: 0, max: 10 }).map((n) => noon + n),
      seenUntil: fc.integer({ min: 0, max: 10 }).map((n) => noon + n),
      nsuAfter: fc.integer({ min: 0, max: 240 }),
      companies: fc.constantFrom(['c-1'], ['c-2', 'c-1']),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 1, max: 60 }), async (filter, limit) => {
      const found: string[] = [];
      let after: DocumentRow | undefined;
      do {
        const page = await store.documents.list({ profile: 'acme', limit, ...filter, ...(after && { after }) });
        found.push(...page.map(({ id }) => id));
        after = page.at(-1);
      } while (after !== undefined);
      expect(found).toEqual(all.filter((row) => isAsked(row, filter)).map(({ id }) => id));
    }),
    { numRuns: 60 },
  );
  await store.close();
});

/** A range is asked by the clock of the document: for a time in UTC that of Brasília. */
const brasilia = -3 * 3_600_000;

function isAsked(row: DocumentRow, filter: Partial<DocumentFilter>): boolean {
  const issuedAt = Date.parse(row.issuedOn ?? '') + brasilia;
  return (
    (filter.companies ?? [row.companyId]).includes(row.companyId) &&
    row.issuer === (filter.issuer ?? row.issuer) &&
    row.status === (filter.status ?? row.status) &&
    row.webhookStatus === (filter.webhookStatus ?? row.webhookStatus) &&
    issuedAt >= (filter.since ?? 0) &&
    issuedAt < (filter.until ?? Infinity) &&
    row.firstSeenAt >= (filter.seenSince ?? 0) &&
    row.firstSeenAt < (filter.seenUntil ?? Infinity) &&
    Number(row.nsu) > (filter.nsuAfter ?? -1)
  );
}
