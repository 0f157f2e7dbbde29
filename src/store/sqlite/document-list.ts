import type { InboundFamily } from '../../contract/inbound.js';
import type { DocumentFilter, DocumentRow, DocumentRows } from '../documents.js';
import type { Connection } from './connection.js';
import { issuedAtOf, toDocument, type DocumentRecord, documentColumns } from '../document-columns.js';

const allFamilies: readonly InboundFamily[] = ['cte', 'nfe', 'nfse'];

interface Group {
  readonly companyId: string;
  readonly family: InboundFamily;
}

/**
 * Lists company by company and family by family, so that each step walks one index from the newest issue backwards and
 * stops at the limit, however many rows there are.
 */
export function createDocumentList(connection: Connection): Pick<DocumentRows, 'list' | 'companies'> {
  const { read, statement } = connection;
  const queryFor = kept((sql) => statement<[Record<string, unknown>], DocumentRecord>(sql));
  const probeFor = kept((sql) => statement<[Record<string, unknown>], number>(sql));
  const listGroup = (filter: DocumentFilter, group: Group, limit: number): readonly DocumentRow[] => {
    const goesOn = isSame(group, filter.after);
    const values = parameters(filter, group, limit);
    const widthOf = ({ probe }: Candidate) => probeFor(probe)().pluck().get(values) ?? 0;
    const index = narrowest(candidatesOf(filter, goesOn), widthOf);
    return queryFor(listQuery(filter, goesOn, index))()
      .all(values)
      .map(toDocument);
  };
  const first = statement<[string, string], string>(
    'SELECT company_id FROM documents WHERE profile = ? AND company_id > ? ORDER BY company_id LIMIT 1',
  );
  const companiesOf = (profile: string): readonly string[] => {
    const found: string[] = [];
    // One index lookup per company: SELECT DISTINCT would read every row.
    for (let next = first().pluck().get(profile, ''); next !== undefined; ) {
      found.push(next);
      next = first().pluck().get(profile, next);
    }
    return found;
  };
  return {
    companies: (profile) => read(() => companiesOf(profile)),
    list: (filter) =>
      read(() => {
        const rows: DocumentRow[] = [];
        const companies = filter.companies?.toSorted() ?? companiesOf(filter.profile);
        for (const group of groupsAfter(companies, filter)) {
          if (rows.length >= filter.limit) break;
          rows.push(...listGroup(filter, group, filter.limit - rows.length));
        }
        return rows;
      }),
  };
}

/** Caches one value per text. */
function kept<Value>(make: (text: string) => Value): (text: string) => Value {
  const values = new Map<string, Value>();
  return (text) => {
    const value = values.get(text) ?? make(text);
    values.set(text, value);
    return value;
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

function isSame(group: Group, after: DocumentRow | undefined): boolean {
  return after !== undefined && group.companyId === after.companyId && group.family === after.family;
}

function parameters(filter: DocumentFilter, group: Group, limit: number): Record<string, unknown> {
  return {
    profile: filter.profile,
    ...group,
    ...(filter.status === undefined ? {} : { status: filter.status }),
    ...(filter.webhookStatus === undefined ? {} : { webhookStatus: filter.webhookStatus }),
    ...(filter.issuer === undefined ? {} : { issuer: filter.issuer }),
    ...(filter.accessKey === undefined ? {} : { accessKey: filter.accessKey }),
    ...(filter.since === undefined ? {} : { since: filter.since }),
    ...(filter.until === undefined ? {} : { until: filter.until }),
    ...(filter.seenSince === undefined ? {} : { seenSince: filter.seenSince }),
    ...(filter.seenUntil === undefined ? {} : { seenUntil: filter.seenUntil }),
    ...(filter.nsuAfter === undefined ? {} : { nsuAfter: filter.nsuAfter }),
    ...(filter.states === undefined ? {} : { states: JSON.stringify(filter.states) }),
    ...(filter.after === undefined
      ? {}
      : { afterIssued: issuedAtOf(filter.after), afterSeq: filter.after.seq }),
    limit,
  };
}

/** A condition on one column besides the time range, and the index that starts with that column. */
interface Condition {
  readonly index: string;
  readonly sql: string;
}

/** An index that can answer a list query, and how to count the entries to read. */
interface Candidate {
  readonly index: string;
  /** Counts the entries, up to `PROBE`, from the index alone. */
  readonly probe: string;
}

/**
 * Up to this many entries are cheap to read and sort. An index with this many counts as wide, and is walked from the
 * newest issue until the page is full.
 */
const PROBE = 1_000;

const inGroup = 'profile = @profile AND company_id = @companyId AND family = @family';
const byIssue = 'documents_by_issue';
const byNsu = 'documents_by_nsu';

/** The WHERE clause of `documents_not_full`: SQLite uses the index only for exactly this text. */
export const notFull = `xml_kind IS NOT 'full' AND path IS NOT NULL`;

/** Selective columns first: of two wide indexes the first is used. */
function equalities({ issuer, status, webhookStatus }: DocumentFilter): readonly Condition[] {
  return [
    ...(issuer === undefined ? [] : [{ index: 'documents_by_issuer', sql: 'issuer = @issuer' }]),
    ...(status === undefined ? [] : [{ index: 'documents_by_status', sql: 'status = @status' }]),
    ...(webhookStatus === undefined
      ? []
      : [{ index: 'documents_by_webhook', sql: 'webhook_status = @webhookStatus' }]),
  ];
}

/** On later pages the end of the range is omitted: the previous row is a closer bound, and SQLite uses only one. */
function range({ since, until }: DocumentFilter, goesOn: boolean): readonly string[] {
  return [
    ...(since === undefined ? [] : ['issued_at >= @since']),
    ...(goesOn ? ['(issued_at, seq) < (@afterIssued, @afterSeq)'] : []),
    ...(until === undefined || goesOn ? [] : ['issued_at < @until']),
  ];
}

function sight({ seenSince, seenUntil }: DocumentFilter): readonly string[] {
  return [
    ...(seenSince === undefined ? [] : ['first_seen_at >= @seenSince']),
    ...(seenUntil === undefined ? [] : ['first_seen_at < @seenUntil']),
  ];
}

/** One page of a group by this index. `goesOn`: the page starts after a row of the same company and family. */
export function listQuery(filter: DocumentFilter, goesOn: boolean, index: string): string {
  const conditions = [
    inGroup,
    ...equalities(filter).map(({ sql }) => sql),
    ...range(filter, goesOn),
    ...sight(filter),
    ...(filter.nsuAfter === undefined ? [] : ['nsu_number > @nsuAfter']),
    ...(filter.accessKey === undefined ? [] : ['access_key = @accessKey']),
    ...(filter.summaries === undefined ? [] : [notFull, `xml_kind = 'summary'`]),
    ...(filter.states === undefined ? [] : ['state IN (SELECT value FROM json_each(@states))']),
  ];
  return `SELECT ${documentColumns('')} FROM documents INDEXED BY ${index} WHERE ${conditions.join(' AND ')}
    ORDER BY issued_at DESC, seq DESC LIMIT +@limit`;
}

/** The possible indexes, the best first where their sizes are equal. */
export function candidatesOf(filter: DocumentFilter, goesOn: boolean): readonly Candidate[] {
  const ends = range(filter, goesOn);
  const candidate = (index: string, conditions: readonly string[]): Candidate => {
    const where = [inGroup, ...conditions].join(' AND ');
    const entries = `SELECT 1 FROM documents INDEXED BY ${index} WHERE ${where} LIMIT ${PROBE}`;
    return { index, probe: `SELECT count(*) FROM (${entries})` };
  };
  // Few documents wait for their full XML, so no other index can be smaller.
  if (filter.summaries !== undefined) return [candidate('documents_not_full', [notFull, ...ends])];
  const ordered = equalities(filter).map(({ index, sql }) => candidate(index, [sql, ...ends]));
  const whole = ordered.length === 0 ? [candidate(byIssue, ends)] : [];
  const numbered = filter.nsuAfter === undefined ? [] : [candidate(byNsu, ['nsu_number > @nsuAfter'])];
  const seen = sight(filter);
  const sighted = seen.length === 0 ? [] : [candidate('documents_by_sight', seen)];
  return [...ordered, ...whole, ...sighted, ...numbered];
}

/**
 * The index with the fewest entries to read. Without statistics SQLite's planner would read the whole month for one
 * issuer, and sort a million rows for those after an early NSU.
 * @param widthOf counts the entries of a candidate, up to `PROBE`
 */
export function narrowest(
  candidates: readonly Candidate[],
  widthOf: (candidate: Candidate) => number,
): string {
  const [first, ...others] = candidates;
  if (first === undefined || others.length === 0) return first?.index ?? byIssue;
  let best = { index: first.index, width: widthOf(first) };
  for (const other of others) {
    const width = widthOf(other);
    // A wide index of another order is never used: its entries would all have to be sorted.
    if (width < best.width) best = { index: other.index, width };
  }
  return best.index;
}
