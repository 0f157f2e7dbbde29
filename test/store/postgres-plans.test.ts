import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import { isRecord } from '../../src/domain/record.js';
import { billedBefore, callsOfCompany } from '../../src/store/call-records.js';
import { eventsOfDocuments } from '../../src/store/document-events.js';
import { copiesOf, datedWithin, nsusWithin, wantedAgain } from '../../src/store/document-rows.js';
import { amongKeys, claimantsOf, ofResource, sentBefore, withBeginnings } from '../../src/store/items.js';
import { heldKeys, oldJobs } from '../../src/store/jobs.js';
import { companiesOf, seenGroups, troubledJobs } from '../../src/store/overview.js';
import { outstandingGroups } from '../../src/store/owed.js';
import { type Connection, createConnection } from '../../src/store/postgres/connection.js';
import { openDocuments } from '../../src/store/postgres/document-list.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import { knownWithLabels } from '../../src/store/known.js';
import { type Sql, writtenFor } from '../../src/store/sql.js';
import { realClock } from '../support/clock.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { rows } from '../support/rows.js';

let server: PostgresServer;
let connection: Connection;

beforeAll(async () => {
  server = await startPostgres();
  const url = await server.newDatabase();
  const address = await readStoreAddress({ secret: url, source: 'test' }, {});
  await (await openPostgresStore({ server: address, clock: realClock })).close();
  for (const statement of filling) await server.query(statement, url);
  connection = createConnection(address);
});

afterAll(async () => {
  await connection.close();
  await server.stop();
});

/** A store of some size, of which the server has statistics: 20 companies, 300 jobs, 30,000 rows in each large table. */
const filling = [
  `INSERT INTO fiscal.documents (profile, company_id, family, id, access_key, nsu, nsu_number, status, issuer, issued_on,
     issued_at, term_day, data, term_data, version, state, due, xml_kind, path, first_seen_at, updated_at)
   SELECT 'acme', 'c-' || n % 20, CASE n % 3 WHEN 0 THEN 'nfe' WHEN 1 THEN 'nfse' ELSE 'cte' END, 'd-' || n, 'd-' || n, n, n,
     'authorized', 'i-' || n % 50, '2026-05-05', 1700000000000 + n * 1000000::bigint,
     to_char(date '2025-01-01' + n / 80, 'YYYY-MM-DD'), '{}', '{}', 1, 'archived', CASE WHEN n % 1000 = 0 THEN 1 ELSE 0 END,
     CASE WHEN n % 100 = 0 THEN 'summary' ELSE 'full' END, 'p/' || n, 1700000000000 + n * 1000000::bigint, 1700000000000
   FROM generate_series(1, 30000) AS n`,
  `INSERT INTO fiscal.document_events (profile, company_id, family, document_id, event_key, nsu, state, due, first_seen_at,
     code, sequence, registered)
   SELECT profile, company_id, family, id, 'e', NULL, 'archived', due, first_seen_at,
     CASE WHEN seq % 3 = 0 THEN 210200 ELSE 110110 END, 1, 1 FROM fiscal.documents`,
  `INSERT INTO fiscal.owed (profile, company_id, family, document_id, event_key, since, tries, next_at)
   SELECT profile, company_id, family, id, '', 1700000000000, 1, 1700000000000 FROM fiscal.documents WHERE seq % 1000 = 7`,
  `INSERT INTO fiscal.jobs (id, kind, operation, profile, input_digest, command_line, scope, loader_id, state, created_at,
     updated_at, finished_at)
   SELECT 'job-' || n, 'product-create', 'product.create', 'acme', 'digest-' || n, 'fiscal', '{}', 'loader', 'done',
     1700000000000, 1700000000000, 1700000000000 FROM generate_series(1, 300) AS n`,
  `INSERT INTO fiscal.items (id, job_id, profile, kind, ordinal, label, dedupe_key, holds_key, input, billed, state,
     idempotency_key, attempts, resource_id, due_at, updated_at)
   SELECT 'item-' || n, 'job-' || 1 + n % 300, 'acme', CASE WHEN n % 3 = 0 THEN 'nfe-issue' WHEN n % 100 = 1 THEN 'invoice-general' ELSE 'product-create' END, n, 'l',
     'key-' || n, CASE WHEN n % 50 = 0 THEN 0 ELSE 1 END, 'null', 1, CASE WHEN n % 200 = 0 THEN 'rejected' ELSE 'succeeded' END,
     'idem-' || n, 1, 'r-' || n, 1700000000000, 1700000000000 FROM generate_series(1, 30000) AS n`,
  `INSERT INTO fiscal.known (profile, kind, scope, id, label, data, first_seen_at, seen_at)
   SELECT 'acme', 'k', 's', 'k-' || n, 'l-' || n, '{}', 1700000000000, 1700000000000 FROM generate_series(1, 30000) AS n`,
  `INSERT INTO fiscal.usage (at, profile, operation, billed, outcome, company_id, billed_once_for)
   SELECT 1700000000000 + n * 1000000::bigint, 'acme', 'product.create', 'engine', 'billed', 'c-' || n % 20, 'once-' || n
   FROM generate_series(1, 30000) AS n`,
  'ANALYZE',
];

/** How the server finds the rows of the large tables: the indexes, and the tables that it reads as a whole. Sorted, each once. */
async function waysOf(query: Sql): Promise<readonly string[]> {
  const { text, values } = writtenFor('postgres', query);
  const [row] = await connection.all<{ 'QUERY PLAN': unknown }>({ text: `EXPLAIN (FORMAT JSON) ${text}`, values });
  const ways = nodesOf(row?.['QUERY PLAN']).flatMap(({ 'Node Type': type, 'Index Name': index, ...node }) => {
    if (typeof index === 'string') return [index];
    return type === 'Seq Scan' ? [`all ${String(node['Relation Name'])}`] : [];
  });
  return [...new Set(ways)].toSorted();
}

function nodesOf(plan: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(plan)) return plan.flatMap(nodesOf);
  if (!isRecord(plan)) return [];
  return [plan, ...nodesOf(plan['Plan']), ...nodesOf(plan['Plans'])];
}

const group = { profile: 'acme', companyId: 'c-1', family: 'nfe' } as const;
const key = { profile: 'acme', kind: 'product-create' };
const issued = { since: 1_705_000_000_000, until: 1_705_100_000_000, keyMonth: undefined };
const days = [{ from: '2025-03-01', to: '2025-03-02' }];

/** A table of few rows, and that of jobs, of which each row is wanted, are read as a whole. */
const ways: readonly (readonly [name: string, query: Sql, ...ways: string[]])[] = [
  ['what is outstanding', outstandingGroups('acme'), 'all owed', 'document_events_due', 'documents_due'],
  [
    'open documents',
    openDocuments({ profile: 'acme', families: ['nfe', 'nfse'], days }),
    'all document_events',
    'document_events_key',
    'documents_by_day',
    'known_by_label',
  ],
  [
    'open documents of a company',
    openDocuments({ profile: 'acme', families: ['nfe'], days, companies: ['c-1'] }),
    'document_events_key',
    'documents_key',
    'known_by_label',
  ],
  ['old jobs', oldJobs(1_700_000_000_001), 'all jobs', 'all workers', 'items_by_state'],
  ['jobs in trouble', troubledJobs('acme', { since: 1, now: 2 }), 'all jobs', 'all workers', 'items_by_state'],
  ['held keys', heldKeys({ ...key, keys: ['key-1'] }), 'items_holding_key'],
  ['the items of keys', amongKeys(key, ['key-1']), 'items_holding_key'],
  ['the items whose key begins so', withBeginnings(key, ['key-1']), 'items_holding_key', 'items_pkey'],
  ['items that were sent before', sentBefore(key, 'key-50'), 'items_sent_before'],
  [
    'the invoices that may have an id',
    claimantsOf('nfe-issue', ['r-3']),
    'invoices_by_resource',
    'invoices_without_resource',
  ],
  ['the items of a resource', ofResource({ ...key, kind: 'invoice-general' }, 'r-1'), 'items_holding_key'],
  ['what is known under a label', knownWithLabels('acme', 'k', ['l-1']), 'known_by_label'],
  [
    'the calls of a company',
    callsOfCompany({ profile: 'acme', companyId: 'c-1', since: 1_715_000_000_000, until: 1_730_000_000_000 }),
    'usage_of_company',
  ],
  ['an earlier call of what is billed once', billedBefore(1), 'usage_billed_once', 'usage_pkey'],
  ['the companies', companiesOf('acme'), 'documents_key'],
  ['new documents, by company', seenGroups('acme', 1_729_000_000_000), 'documents_by_sight', 'documents_key'],
  [
    'the events of documents',
    eventsOfDocuments({ profile: 'acme', family: 'nfe', documents: [['c-3', 'd-3']] }),
    'document_events_key',
  ],
  [
    'the copies of a document',
    copiesOf({ profile: 'acme', family: 'nfe', id: 'd-3' }),
    'document_events_key',
    'documents_key',
    'known_by_label',
  ],
  ['the documents of a month', datedWithin(group, issued), 'documents_by_issue'],
  [
    'the documents of a range of NSUs',
    nsusWithin(group, { first: 1, last: 100 }),
    'document_events_key',
    'documents_by_nsu',
  ],
  ['summaries that are asked for again', wantedAgain(group, { summariesTriedBefore: 1 }, 1), 'documents_not_full'],
];

test.each(rows(ways))('%s: found on a server by these indexes', async (_name, [query, ...wanted]) => {
  expect(await waysOf(query)).toEqual(wanted);
});
