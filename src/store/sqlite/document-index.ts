import type { DocumentFilter } from '../documents.js';
import { documentColumns } from './document-columns.js';

/** What a list asks of one column, beside the range of time, and the index that begins with it. */
interface Condition {
  readonly index: string;
  readonly sql: string;
}

/** An index that may answer a list, and how many of its entries would have to be looked at. */
export interface Candidate {
  readonly index: string;
  /** Counts its entries, up to `PROBE`; from the index alone. */
  readonly probe: string;
}

/**
 * So many entries are cheap to look at and to sort. An index with as many counts as wide, and is walked from the newest
 * issue until the page is full.
 */
const PROBE = 1_000;

const inGroup = 'profile = @profile AND company_id = @companyId AND family = @family';
const byIssue = 'documents_by_issue';
const byNsu = 'documents_by_nsu';

/** What `documents_not_full` holds, in its own words: SQLite takes it for no others. */
export const notFull = `xml_kind IS NOT 'full' AND path IS NOT NULL`;

/** Narrow columns first: of two wide indexes the first is taken. */
function equalities({ issuer, status, webhookStatus }: DocumentFilter): readonly Condition[] {
  return [
    ...(issuer === undefined ? [] : [{ index: 'documents_by_issuer', sql: 'issuer = @issuer' }]),
    ...(status === undefined ? [] : [{ index: 'documents_by_status', sql: 'status = @status' }]),
    ...(webhookStatus === undefined
      ? []
      : [{ index: 'documents_by_webhook', sql: 'webhook_status = @webhookStatus' }]),
  ];
}

/** The end of the range is left out where a page goes on: the row before it is nearer, and SQLite takes one end only. */
function range({ since, until }: DocumentFilter, goesOn: boolean): readonly string[] {
  return [
    ...(since === undefined ? [] : ['issued_at >= @since']),
    ...(goesOn ? ['(issued_at, seq) < (@afterIssued, @afterSeq)'] : []),
    ...(until === undefined || goesOn ? [] : ['issued_at < @until']),
  ];
}

/** One page of a group, by this index. `goesOn`: the page begins behind a row of the same company and family. */
export function listQuery(filter: DocumentFilter, goesOn: boolean, index: string): string {
  const conditions = [
    inGroup,
    ...equalities(filter).map(({ sql }) => sql),
    ...range(filter, goesOn),
    ...(filter.nsuAfter === undefined ? [] : ['nsu_number > @nsuAfter']),
    ...(filter.summaries === undefined ? [] : [notFull, `xml_kind = 'summary'`]),
    ...(filter.states === undefined ? [] : ['state IN (SELECT value FROM json_each(@states))']),
  ];
  return `SELECT ${documentColumns} FROM documents INDEXED BY ${index} WHERE ${conditions.join(' AND ')}
    ORDER BY issued_at DESC, seq DESC LIMIT @limit`;
}

/** The indexes that may answer, the best first where their widths do not tell. */
export function candidatesOf(filter: DocumentFilter, goesOn: boolean): readonly Candidate[] {
  const ends = range(filter, goesOn);
  const candidate = (index: string, conditions: readonly string[]): Candidate => {
    const where = [inGroup, ...conditions].join(' AND ');
    const entries = `SELECT 1 FROM documents INDEXED BY ${index} WHERE ${where} LIMIT ${PROBE}`;
    return { index, probe: `SELECT count(*) FROM (${entries})` };
  };
  // Few documents wait for their full XML, so that no other index can be narrower.
  if (filter.summaries !== undefined) return [candidate('documents_not_full', [notFull, ...ends])];
  const ordered = equalities(filter).map(({ index, sql }) => candidate(index, [sql, ...ends]));
  const whole = ordered.length === 0 ? [candidate(byIssue, ends)] : [];
  const numbered = filter.nsuAfter === undefined ? [] : [candidate(byNsu, ['nsu_number > @nsuAfter'])];
  return [...ordered, ...whole, ...numbered];
}

/**
 * The index with the fewest entries to look at. The planner of SQLite knows no widths without statistics: it takes the
 * whole month for an issuer in a month, and sorts a million rows for those after an early NSU.
 * @param widthOf Counts the entries of a candidate, up to `PROBE`.
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
    // Of as many entries as are counted, those by NSU are never taken: they would all have to be sorted.
    if (width < best.width) best = { index: other.index, width };
  }
  return best.index;
}
