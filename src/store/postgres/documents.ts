import {
  type DatedRecord,
  datedRange,
  type DocumentRecord,
  documentColumns,
  dueColumns,
  type DueRecord,
  seenNames,
  factsOf,
  issuedAtOf,
  seenValues,
  termDayOf,
  toDocument,
  toDue,
} from '../document-columns.js';
import type {
  ArchiveState,
  DocumentEnd,
  DocumentGroup,
  DocumentRows,
  SeenCounts,
  SeenDocument,
  WantedAgain,
} from '../documents.js';
import { type Connection, type Queries, rowsOf } from './connection.js';
import { groupOf, inGroup } from './cursors.js';
import { presentColumns } from '../row.js';
import { createDocumentList } from './document-list.js';
import { createOpenDocuments, termDataOf } from './document-terms.js';
import { recordOwed } from './owed.js';

export function createDocumentRows(connection: Connection): DocumentRows {
  const { all, get, run, together } = connection;
  return {
    ...createDocumentList(connection),
    ...createOpenDocuments(connection),
    see: (group, documents, at) =>
      together(async (queries) => {
        const counts = { added: 0, changed: 0, known: 0 };
        for (const round of rounds(documents)) {
          const { added, changed } = await see(queries, { group, at }, round);
          counts.added += added;
          counts.changed += changed;
          counts.known += round.length - added - changed;
        }
        return counts;
      }),
    async get(group, id) {
      const record = await get<DocumentRecord>(
        `SELECT ${documentColumns('fiscal.')} FROM fiscal.documents WHERE ${inGroup} AND id = @id`,
        { ...groupOf(group), id },
      );
      return record === undefined ? undefined : toDocument(record);
    },
    withIds: async (group, ids) => {
      const records = await all<DocumentRecord>(
        `SELECT ${documentColumns('fiscal.')} FROM fiscal.documents WHERE ${inGroup} AND id = ANY (@ids::text[])`,
        { ...groupOf(group), ids },
      );
      return new Map(records.map((record) => [record.id, toDocument(record)]));
    },
    capturers: async ({ profile, family, id }) =>
      (
        await all<DocumentRecord>(
          `SELECT ${documentColumns('fiscal.')} FROM fiscal.documents WHERE profile = @profile AND family = @family AND id = @id
           ORDER BY company_id`,
          { profile, family, id },
        )
      ).map(toDocument),
    due: async (group, page) =>
      (
        await all<DueRecord>(
          `SELECT ${dueColumns} FROM fiscal.documents
           WHERE ${inGroup} AND due = 1 AND seq > @afterSeq ORDER BY seq LIMIT @limit`,
          { ...groupOf(group), ...page },
        )
      ).map(toDue),
    async dueCount(group) {
      const row = await get<{ count: number }>(
        `SELECT count(*) AS count FROM fiscal.documents WHERE ${inGroup} AND due = 1`,
        groupOf(group),
      );
      return row?.count ?? 0;
    },
    finish: (ends) => together((queries) => finish(queries, ends)),
    want(group, which, at) {
      const { change, condition } = wantedAgain(which);
      return run(
        `UPDATE fiscal.documents SET due = 1, updated_at = @at, ${change} WHERE ${inGroup} AND ${condition}`,
        {
          ...groupOf(group),
          ...which,
          at,
        },
      );
    },
    dated: async (group, range) =>
      (
        await all<DatedRecord>(
          `SELECT id, state, issued_on AS "issuedOn" FROM fiscal.documents
           WHERE ${inGroup} AND (issued_at >= @since AND issued_at < @until
             OR @keyMonth = substr(access_key, CASE WHEN length(access_key) = 50 THEN 37 ELSE 3 END, 4))`,
          { ...groupOf(group), ...datedRange(range) },
        )
      ).map(presentColumns),
    nsusBetween: async (group, range) =>
      // As text: a number of a row is a time or a count, and an NSU may be larger.
      (
        await all<{ number: string }>(
          `SELECT nsu_number::text AS number FROM fiscal.documents
           WHERE ${inGroup} AND nsu_number IS NOT NULL AND nsu_number BETWEEN @first AND @last
           UNION ALL
           SELECT number::text FROM (SELECT CASE WHEN nsu ~ '^[0-9]{1,15}$' THEN nsu::bigint END AS number
             FROM fiscal.document_events WHERE ${inGroup}) AS events WHERE number BETWEEN @first AND @last`,
          { ...groupOf(group), ...range },
        )
      ).map(({ number }) => Number(number)),
    async counts(group) {
      const counts = { wanted: 0, archived: 0, quarantined: 0, gone: 0 };
      const rows = await all<{ state: ArchiveState; count: number }>(
        `SELECT state, count(*) AS count FROM fiscal.documents WHERE ${inGroup} GROUP BY state`,
        groupOf(group),
      );
      for (const { state, count } of rows) counts[state] = count;
      return counts;
    },
  };
}

function wantedAgain(which: WantedAgain): { readonly change: string; readonly condition: string } {
  if ('notIn' in which)
    return {
      change: `state = 'wanted', pdf_state = CASE WHEN pdf_state = 'archived' THEN 'wanted' ELSE pdf_state END`,
      condition: `state = 'archived' AND archive IS DISTINCT FROM @notIn`,
    };
  if ('summariesTriedBefore' in which)
    return {
      change: `state = 'wanted'`,
      condition: `xml_kind IS DISTINCT FROM 'full' AND path IS NOT NULL AND state = 'archived'
        AND (xml_kind IS NULL OR xml_kind = 'summary' AND updated_at < @summariesTriedBefore)`,
    };
  if ('withoutPdf' in which)
    return { change: `pdf_state = 'wanted'`, condition: `state = 'archived' AND pdf_state IS NULL` };
  return { change: `state = 'wanted', reason = NULL`, condition: `state = 'quarantined'` };
}

/** Each id once per round, in the order of the list: a statement changes a row only once. */
function rounds(documents: readonly SeenDocument[]): readonly (readonly SeenDocument[])[] {
  const made: SeenDocument[][] = [];
  const times = new Map<string, number>();
  for (const document of documents) {
    const turn = times.get(document.id) ?? 0;
    times.set(document.id, turn + 1);
    (made[turn] ??= []).push(document);
  }
  return made;
}

/** The fields whose change requires downloading the bytes again. The webhook status is not one of them. */
const telling = ['status', 'type', 'nsu', 'modified_on'];

const numbers = ['nsu_number', 'issued_at'];
const columns = [...seenNames, 'term_data'];
const record = [
  'id text',
  ...columns.map((name) => `${name} ${numbers.includes(name) ? 'bigint' : 'text'}`),
].join(', ');

function seenRow(seen: SeenDocument, known: ReadonlyMap<string, string>): object {
  const values = seenValues({ ...seen, ...factsOf(known.get(seen.id) ?? null) });
  const named = Object.fromEntries(seenNames.map((name, index) => [name, values[index]]));
  return { ...named, id: seen.id, term_data: termDataOf(seen.data) };
}

/** Stores list rows; an unchanged one is not written. */
async function see(
  queries: Queries,
  { group, at }: { readonly group: DocumentGroup; readonly at: number },
  documents: readonly SeenDocument[],
): Promise<Pick<SeenCounts, 'added' | 'changed'>> {
  const facts = await queries.all<{ id: string; facts: string }>(
    `SELECT id, xml_facts AS facts FROM fiscal.documents
     WHERE ${inGroup} AND id = ANY (@ids) AND xml_facts IS NOT NULL FOR UPDATE`,
    { ...groupOf(group), ids: documents.map(({ id }) => id) },
  );
  const known = new Map(facts.map((row) => [row.id, row.facts]));
  const rows = rowsOf(documents.map((seen) => seenRow(seen, known)));
  const values = { ...groupOf(group), at, rows };
  const set = columns.map((name) => `${name} = r.${name}`).join(', ');
  const differs = `(${telling.map((name) => `d.${name}`).join(', ')}) IS DISTINCT FROM
    (${telling.map((name) => `r.${name}`).join(', ')})`;
  const ifDiffers = (then: string, otherwise: string) =>
    `CASE WHEN ${differs} THEN ${then} ELSE ${otherwise} END`;
  const updated = await queries.all<{ isWanted: boolean }>(
    `UPDATE fiscal.documents AS d SET ${set}, updated_at = @at::bigint,
       version = ${ifDiffers('d.version + 1', 'd.version')}, due = ${ifDiffers('1', 'd.due')},
       state = ${ifDiffers("'wanted'", 'd.state')}, reason = ${ifDiffers('NULL', 'd.reason')}
     FROM json_to_recordset(@rows::json) AS r (${record})
     JOIN fiscal.documents AS before ON before.profile = @profile AND before.company_id = @companyId
       AND before.family = @family AND before.id = r.id
     WHERE d.seq = before.seq AND d.data <> r.data
     RETURNING d.version > before.version AS "isWanted"`,
    values,
  );
  const added = await queries.run(
    `INSERT INTO fiscal.documents (profile, company_id, family, id, first_seen_at, updated_at, version, state, due,
       ${columns.join(', ')})
     SELECT @profile, @companyId, @family, id, @at::bigint, @at::bigint, 1, 'wanted', 1, ${columns.join(', ')}
     FROM ROWS FROM (json_to_recordset(@rows::json) AS (${record})) WITH ORDINALITY AS r
     WHERE NOT EXISTS (SELECT 1 FROM fiscal.documents AS d WHERE d.profile = @profile AND d.company_id = @companyId
       AND d.family = @family AND d.id = r.id)
     ORDER BY ordinality
     ON CONFLICT (profile, company_id, family, id) DO NOTHING`,
    values,
  );
  return { added, changed: updated.filter(({ isWanted }) => isWanted).length };
}

/** Stores the results of work on documents, without those that the service changed in the meantime. */
async function finish(queries: Queries, ends: readonly DocumentEnd[]): Promise<number> {
  const kept = (name: string, from: string) => `${name} = coalesce(r.${from}, d.${name})`;
  const finished = await queries.all<{ seq: number }>(
    `UPDATE fiscal.documents AS d SET state = r.state, due = r.due, ${kept('archive', 'archive')},
       ${kept('path', 'path')}, ${kept('sha256', 'sha256')}, ${kept('bytes', 'bytes')}, ${kept('xml_kind', '"xmlKind"')},
       ${kept('archived_at', '"archivedAt"')}, ${kept('pdf_state', '"pdfState"')}, ${kept('pdf_path', '"pdfPath"')},
       ${kept('pdf_sha256', '"pdfSha256"')}, ${kept('pdf_bytes', '"pdfBytes"')}, ${kept('signature', 'signature')},
       ${kept('xml_facts', 'facts')}, ${kept('issued_at', '"issuedAt"')}, ${kept('term_day', '"termDay"')},
       reason = CASE WHEN r."keepReason" = 1 THEN d.reason ELSE r.reason END, updated_at = r.at
     FROM json_to_recordset(@rows::json) AS r (seq bigint, version bigint, state text, due smallint, archive text,
       path text, sha256 text, bytes bigint, "xmlKind" text, "archivedAt" bigint, "pdfState" text, "pdfPath" text,
       "pdfSha256" text, "pdfBytes" bigint, signature text, facts text, "issuedAt" bigint, "termDay" text, "keepReason" smallint, reason text, at bigint)
     WHERE d.seq = r.seq AND d.version = r.version
     RETURNING d.seq`,
    { rows: rowsOf(ends.map(finishedRow)) },
  );
  const done = new Set(finished.map(({ seq }) => seq));
  // A document with work left keeps its entry: its try is still to come.
  const ended = ends.filter(({ row, patch }) => done.has(row.seq) && !patch.due);
  await recordOwed(
    queries,
    'documents',
    ended.map(({ row, patch, at }) => ({ seq: row.seq, at, reason: patch.owed })),
  );
  return finished.length;
}

function finishedRow({ row, patch, at }: DocumentEnd): object {
  const { file, pdf, reason, owed: _owed, due, facts, ...fields } = patch;
  const dated = facts && { ...row, facts };
  return {
    ...{ ...fields, ...file, seq: row.seq, version: row.version, at, due: due ? 1 : 0, reason },
    ...{
      pdfPath: pdf?.path,
      pdfSha256: pdf?.sha256,
      pdfBytes: pdf?.bytes,
      keepReason: reason === undefined ? 1 : 0,
      facts: facts && JSON.stringify(facts),
      issuedAt: dated && issuedAtOf(dated),
      termDay: dated && termDayOf(dated),
    },
  };
}
