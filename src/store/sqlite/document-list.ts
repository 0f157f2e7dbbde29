import type { InboundFamily } from '../../contract/inbound.js';
import { type DocumentRecord, documentColumns, toDocument } from '../document-columns.js';
import { issuedAtOf } from '../document-dates.js';
import type { DocumentFilter, DocumentRow, DocumentRows } from '../documents.js';
import { companiesOf } from '../overview.js';
import { among, type Db, given, indexedBy, limited, nothing, type Part, type Sql, sql, t } from '../sql.js';

const allFamilies: readonly InboundFamily[] = ['cte', 'nfe', 'nfse'];

interface Group {
  readonly companyId: string;
  readonly family: InboundFamily;
}

/**
 * Lists company by company and family by family, so that each step walks one index from the newest issue backwards and
 * stops at the limit, however many rows there are.
 */
export function createDocumentList(db: Db): Pick<DocumentRows, 'list'> {
  return {
    async list(filter) {
      const rows: DocumentRow[] = [];
      const companies =
        filter.companies?.toSorted() ??
        (await db.all(companiesOf(filter.profile), ({ companyId }: Pick<Group, 'companyId'>) => companyId));
      for (const group of groupsAfter(companies, filter)) {
        const limit = filter.limit - rows.length;
        if (limit <= 0) break;
        const index = await narrowest(candidatesOf(filter, group), async ({ probe }) =>
          Number((await db.get<{ count: number }>(probe))?.count),
        );
        rows.push(
          ...(await db.all<DocumentRecord, DocumentRow>(listQuery({ ...filter, limit }, group, index), toDocument)),
        );
      }
      return rows;
    },
  };
}

function* groupsAfter(companies: readonly string[], { families, after }: DocumentFilter): Iterable<Group> {
  const wanted = allFamilies.filter((family) => families === undefined || families.includes(family));
  for (const companyId of companies) {
    if (after !== undefined && companyId < after.companyId) continue;
    for (const family of wanted) {
      if (after !== undefined && companyId === after.companyId && family < after.family) continue;
      yield { companyId, family };
    }
  }
}

const indexes = {
  ...{ issue: indexedBy('documents_by_issue'), issuer: indexedBy('documents_by_issuer') },
  ...{ status: indexedBy('documents_by_status'), webhook: indexedBy('documents_by_webhook') },
  ...{ nsu: indexedBy('documents_by_nsu'), sight: indexedBy('documents_by_sight') },
  notFull: indexedBy('documents_not_full'),
};

/** An index that can answer a list query, and how to count the entries to read. */
interface Candidate {
  readonly index: Part;
  /** Counts the entries, up to `PROBE`, from the index alone. */
  readonly probe: Sql;
}

/**
 * Up to this many entries are cheap to read and sort. An index with this many counts as wide, and is walked from the
 * newest issue until the page is full.
 */
const PROBE = 1_000;

const inGroup = (profile: string, { companyId, family }: Group): Sql =>
  sql`profile = ${profile} AND company_id = ${companyId} AND family = ${family}`;

/** The condition of `documents_not_full`: SQLite uses the index only for exactly this one. */
const notFull = sql`AND xml_kind IS DISTINCT FROM 'full' AND path IS NOT NULL`;

const isIssuer = (issuer: string | undefined): Sql => given(issuer, sql`AND issuer = ${issuer}`);
const isStatus = (status: string | undefined): Sql => given(status, sql`AND status = ${status}`);
const isWebhook = (status: string | undefined): Sql => given(status, sql`AND webhook_status = ${status}`);
const isAfterNsu = (nsu: number | undefined): Sql => given(nsu, sql`AND nsu_number > ${nsu}`);

/** On later pages the end of the range is omitted: the previous row is a closer bound, and SQLite uses only one. */
function range({ since, until, after }: DocumentFilter, group: Group): Sql {
  const goesOn = after !== undefined && group.companyId === after.companyId && group.family === after.family;
  const end = goesOn
    ? sql`AND (issued_at, seq) < (${issuedAtOf(after)}, ${after.seq})`
    : given(until, sql`AND issued_at < ${until}`);
  return sql`${given(since, sql`AND issued_at >= ${since}`)} ${end}`;
}

function sight({ seenSince, seenUntil }: DocumentFilter): Sql {
  return sql`${given(seenSince, sql`AND first_seen_at >= ${seenSince}`)} ${given(seenUntil, sql`AND first_seen_at < ${seenUntil}`)}`;
}

/** One page of a group by this index. */
export function listQuery(filter: DocumentFilter, group: Group, index: Part): Sql {
  const { issuer, status, webhookStatus, nsuAfter, accessKey, summaries, states } = filter;
  return sql`SELECT ${documentColumns} FROM ${t.documents} ${index} WHERE ${inGroup(filter.profile, group)}
      ${isIssuer(issuer)} ${isStatus(status)} ${isWebhook(webhookStatus)} ${range(filter, group)} ${sight(filter)}
      ${isAfterNsu(nsuAfter)} ${given(accessKey, sql`AND access_key = ${accessKey}`)}
      ${summaries === undefined ? nothing : sql`${notFull} AND xml_kind = 'summary'`}
      ${given(states, sql`AND state ${among(states ?? [])}`)}
    ORDER BY issued_at DESC, seq DESC ${limited(filter.limit)}`;
}

/** The possible indexes, the best first where their sizes are equal. */
export function candidatesOf(filter: DocumentFilter, group: Group): readonly Candidate[] {
  const { issuer, status, webhookStatus, nsuAfter, seenSince, seenUntil, summaries } = filter;
  const ends = range(filter, group);
  const candidate = (index: Part, conditions: Sql): Candidate => ({
    index,
    probe: sql`SELECT count(*) AS count FROM (SELECT 1 FROM ${t.documents} ${index}
      WHERE ${inGroup(filter.profile, group)} ${conditions} ${limited(PROBE)})`,
  });
  // Few documents wait for their full XML, so no other index can be smaller.
  if (summaries !== undefined) return [candidate(indexes.notFull, sql`${notFull} ${ends}`)];
  // Selective columns first: of two wide indexes the first is used.
  const ordered = [
    ...(issuer === undefined ? [] : [candidate(indexes.issuer, sql`${isIssuer(issuer)} ${ends}`)]),
    ...(status === undefined ? [] : [candidate(indexes.status, sql`${isStatus(status)} ${ends}`)]),
    ...(webhookStatus === undefined ? [] : [candidate(indexes.webhook, sql`${isWebhook(webhookStatus)} ${ends}`)]),
  ];
  return [
    ...(ordered.length === 0 ? [candidate(indexes.issue, ends)] : ordered),
    ...(seenSince === undefined && seenUntil === undefined ? [] : [candidate(indexes.sight, sight(filter))]),
    ...(nsuAfter === undefined ? [] : [candidate(indexes.nsu, isAfterNsu(nsuAfter))]),
  ];
}

/**
 * The index with the fewest entries to read. Without statistics SQLite's planner would read the whole month for one
 * issuer, and sort a million rows for those after an early NSU.
 * @param widthOf counts the entries of a candidate, up to `PROBE`
 */
export async function narrowest(
  candidates: readonly Candidate[],
  widthOf: (candidate: Candidate) => Promise<number>,
): Promise<Part> {
  const [first, ...others] = candidates;
  if (first === undefined || others.length === 0) return first?.index ?? indexes.issue;
  let best = { index: first.index, width: await widthOf(first) };
  for (const other of others) {
    const width = await widthOf(other);
    // A wide index of another order is never used: its entries would all have to be sorted.
    if (width < best.width) best = { index: other.index, width };
  }
  return best.index;
}
