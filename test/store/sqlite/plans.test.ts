import { expect, test } from 'vitest';
import { billedBefore, callsOfCompany } from '../../../src/store/call-records.js';
import { eventsOfDocuments } from '../../../src/store/document-events.js';
import { copiesOf, datedWithin, nsusWithin, wantedAgain } from '../../../src/store/document-rows.js';
import { amongKeys, claimantsOf, ofResource, sentBefore, withBeginnings } from '../../../src/store/items.js';
import { heldKeys } from '../../../src/store/jobs.js';
import { knownWithLabels } from '../../../src/store/known.js';
import { companiesOf, seenGroups } from '../../../src/store/overview.js';
import { outstandingGroups } from '../../../src/store/owed.js';
import { Sql } from '../../../src/store/sql.js';
import { openDocumentsBetween } from '../../../src/store/sqlite/document-terms.js';
import { dueItems } from '../../../src/store/sqlite/item-work.js';
import { rows } from '../../support/rows.js';
import { plansOfSqlite } from '../plans.js';

const group = { profile: 'acme', companyId: 'c-1', family: 'nfe' } as const;
const key = { profile: 'acme', kind: 'product-create' };
const inGroup = 'profile=? AND company_id=? AND family=?';
const ofKind = 'profile=? AND kind=?';

/** What a statement reads of the large tables: each of their rows by an index, however many there are. */
const searches: readonly (readonly [name: string, query: Sql, ...searches: string[]])[] = [
  [
    'what is outstanding',
    outstandingGroups('acme'),
    'owed USING INDEX sqlite_autoindex_owed_1 (profile=?)',
    'd USING INDEX documents_due',
    'e USING INDEX document_events_due',
  ],
  [
    'open documents, by their days',
    openDocumentsBetween({ profile: 'acme', companies: ['c-1'] }, 'nfe', { from: '', to: '' }),
    'o USING PRIMARY KEY (profile=? AND family=? AND day>? AND day<?)',
    'd USING INTEGER PRIMARY KEY (rowid=?)',
  ],
  [
    'the due items of a job',
    new Sql([dueItems.replaceAll(/@\w+/g, '1')], []),
    'items USING INDEX items_by_state (job_id=? AND state=? AND due_at<?)',
  ],
  ['held keys', heldKeys({ ...key, keys: ['a'] }), `items USING INDEX items_holding_key (${ofKind} AND dedupe_key=?)`],
  ['the items of keys', amongKeys(key, ['a']), `items USING INDEX items_holding_key (${ofKind} AND dedupe_key=?)`],
  [
    'the items whose key begins so',
    withBeginnings(key, ['a']),
    `items USING COVERING INDEX items_holding_key (${ofKind} AND dedupe_key>? AND dedupe_key<?)`,
  ],
  [
    'items that were sent before',
    sentBefore(key, 'a'),
    `items USING INDEX items_sent_before (${ofKind} AND dedupe_key=?)`,
  ],
  [
    'the invoices that may have an id',
    claimantsOf('nfe-issue', ['a']),
    'items USING INDEX invoices_by_resource (kind=? AND resource_id=?)',
    'items USING INDEX invoices_without_resource (kind=?)',
  ],
  ['the items of a resource', ofResource(key, 'a'), `items USING INDEX items_holding_key (${ofKind})`],
  [
    'what is known under a label',
    knownWithLabels('acme', 'k', ['a']),
    `known USING INDEX known_by_label (${ofKind} AND label=?)`,
  ],
  [
    'the calls of a company',
    callsOfCompany({ profile: 'acme', companyId: 'c-1', since: 1, until: 2 }),
    'usage USING COVERING INDEX usage_of_company (profile=? AND company_id=? AND at>? AND at<?)',
  ],
  [
    'an earlier call of what is billed once',
    billedBefore(1),
    'one USING INTEGER PRIMARY KEY (rowid=?)',
    'earlier USING INDEX usage_billed_once (profile=? AND operation=? AND company_id=? AND billed_once_for=?)',
  ],
  [
    'new documents, by company',
    seenGroups('acme', 1),
    `d USING COVERING INDEX documents_by_sight (${inGroup} AND first_seen_at>?)`,
  ],
  [
    'the events of documents',
    eventsOfDocuments({ profile: 'acme', family: 'nfe', documents: [['c-1', 'd']] }),
    `document_events USING INDEX sqlite_autoindex_document_events_1 (${inGroup} AND document_id=?)`,
  ],
  [
    'the copies of a document',
    copiesOf({ profile: 'acme', family: 'nfe', id: 'd' }),
    `documents USING INDEX sqlite_autoindex_documents_1 (${inGroup} AND id=?)`,
  ],
  [
    'the documents of a month',
    datedWithin(group, { since: 1, until: 2, keyMonth: undefined }),
    `documents USING INDEX documents_by_issue (${inGroup} AND issued_at>? AND issued_at<?)`,
  ],
  [
    'the documents of a range of NSUs',
    nsusWithin(group, { first: 1, last: 2 }),
    `documents USING COVERING INDEX documents_by_nsu (${inGroup} AND nsu_number>? AND nsu_number<?)`,
  ],
  [
    'summaries that are asked for again',
    wantedAgain(group, { summariesTriedBefore: 1 }, 1),
    `documents USING INDEX documents_not_full (${inGroup})`,
  ],
];

test.each(rows(searches))('%s: every row is found by an index', (_name, [query, ...wanted]) => {
  const plan = plansOfSqlite(query);
  for (const search of wanted) expect(plan).toContainEqual(expect.stringContaining(`SEARCH ${search}`));
  expect(plan.filter((step) => /^SCAN (?:items|documents|document_events|known|usage|[doe])\b/.test(step))).toEqual([]);
});

test('the companies are found one after another, without their documents', () => {
  expect(plansOfSqlite(companiesOf('acme')).filter((step) => step.includes('documents'))).toEqual([
    expect.stringMatching(/^SEARCH documents USING COVERING INDEX \w+ \(profile=\?\)$/),
    expect.stringMatching(/^SEARCH documents USING COVERING INDEX \w+ \(profile=\? AND company_id>\?\)$/),
  ]);
});
