import { reasonText } from './item-history.js';
import { inGroup, readAgain } from './cursors.js';
import {
  type DatedRecord,
  datedRange,
  type DocumentRecord,
  documentColumns,
  dueColumns,
  seenFields,
  seenRow,
  toDocument,
  toDue,
} from './document-columns.js';
import { factsOf, issuedAtOf, termDayOf } from './document-dates.js';
import type {
  ArchiveState,
  DocumentEnd,
  DocumentGroup,
  DocumentRows,
  SeenCounts,
  SeenDocument,
  WantedAgain,
} from './documents.js';
import { companiesOf } from './overview.js';
import { recordOwed } from './owed.js';
import { present } from '../domain/record.js';

import {
  all,
  among,
  type Db,
  fieldsOf,
  given,
  indexedBy,
  limited,
  Part,
  run,
  type Sql,
  sql,
  type Step,
  t,
  words,
} from './sql.js';

const byIssue = indexedBy('documents_by_issue');
const byNsu = indexedBy('documents_by_nsu');
const byNotFull = indexedBy('documents_not_full');

/** The condition of `documents_not_full`. */
const notFull = words(`xml_kind IS DISTINCT FROM 'full' AND path IS NOT NULL`);

/** The number of an NSU that is text; it may be larger than any time, so that it is read as text. */
const nsuNumber = new Part('CAST(nsu AS INTEGER)', "CASE WHEN nsu ~ '^[0-9]{1,15}$' THEN nsu::bigint END");

export const datedWithin = (
  group: DocumentGroup,
  { since, until, keyMonth }: ReturnType<typeof datedRange>,
): Sql => sql`SELECT id, state, issued_on AS "issuedOn" FROM ${t.documents} ${byIssue}
    WHERE ${inGroup(group)} AND issued_at >= ${since} AND issued_at < ${until}
  ${given(
    keyMonth,
    sql`UNION SELECT id, state, issued_on FROM ${t.documents} WHERE ${inGroup(group)}
      AND ${keyMonth} = substr(access_key, CASE WHEN length(access_key) = 50 THEN 37 ELSE 3 END, 4)`,
  )}`;

export const nsusWithin = (
  group: DocumentGroup,
  { first, last }: { readonly first: number; readonly last: number },
): Sql => sql`SELECT CAST(nsu_number AS text) AS number FROM ${t.documents} ${byNsu}
    WHERE ${inGroup(group)} AND nsu_number IS NOT NULL AND nsu_number BETWEEN ${first} AND ${last}
  UNION ALL
  SELECT CAST(number AS text) FROM (SELECT ${nsuNumber} AS number FROM ${t.document_events}
    WHERE ${inGroup(group)} AND nsu IS NOT NULL) AS events WHERE number BETWEEN ${first} AND ${last}`;

export const copiesOf = ({ profile, family, id }: Parameters<DocumentRows['capturers']>[0]): Sql =>
  // One company at a time, so that the unique index finds each row.
  sql`SELECT ${documentColumns} FROM ${t.documents} WHERE profile = ${profile} AND family = ${family} AND id = ${id}
    AND company_id IN (${companiesOf(profile)}) ORDER BY company_id`;

export function createDocumentRows(db: Db): Omit<DocumentRows, 'list' | 'open'> {
  return {
    see: (group, documents, at) =>
      db.together(function* () {
        const counts = { added: 0, changed: 0, known: 0 };
        for (const round of rounds(documents)) {
          const { added, changed } = yield* see(group, round, at);
          counts.added += added;
          counts.changed += changed;
          counts.known += round.length - added - changed;
        }
        return counts;
      }, readAgain),
    get: (group, id) =>
      db.get(sql`SELECT ${documentColumns} FROM ${t.documents} WHERE ${inGroup(group)} AND id = ${id}`, toDocument),
    withIds: async (group, ids) => {
      const records = await db.all(
        sql`SELECT ${documentColumns} FROM ${t.documents} WHERE ${inGroup(group)} AND id ${among(ids)}`,
        toDocument,
      );
      return new Map(records.map((record) => [record.id, record]));
    },
    capturers: (document) => db.all<DocumentRecord, ReturnType<typeof toDocument>>(copiesOf(document), toDocument),
    due: (group, { afterSeq, limit }) =>
      db.all(
        sql`SELECT ${dueColumns} FROM ${t.documents}
          WHERE ${inGroup(group)} AND due = 1 AND seq > ${afterSeq} ORDER BY seq ${limited(limit)}`,
        toDue,
      ),
    async dueCount(group) {
      const row = await db.get<{ count: number }>(
        sql`SELECT count(*) AS count FROM ${t.documents} WHERE ${inGroup(group)} AND due = 1`,
      );
      return row?.count ?? 0;
    },
    finish: (ends) => db.together(() => finish(ends), readAgain),
    want: (group, which, at) => db.run(wantedAgain(group, which, at)),
    dated: (group, range) => db.all(datedWithin(group, datedRange(range)), (row: DatedRecord) => present(row)),
    nsusBetween: (group, range) => db.all(nsusWithin(group, range), ({ number }: { number: string }) => Number(number)),
    async counts(group) {
      const counts = { wanted: 0, archived: 0, quarantined: 0, gone: 0 };
      const rows = await db.all<{ state: ArchiveState; count: number }>(
        sql`SELECT state, count(*) AS count FROM ${t.documents} WHERE ${inGroup(group)} GROUP BY state`,
      );
      for (const { state, count } of rows) counts[state] = count;
      return counts;
    },
    companies: (profile) => db.all(companiesOf(profile), ({ companyId }: { readonly companyId: string }) => companyId),
  };
}

export function wantedAgain(group: DocumentGroup, which: WantedAgain, at: number): Sql {
  const again = sql`SET due = 1, updated_at = ${at}`;
  if ('notIn' in which)
    return sql`UPDATE ${t.documents} ${again}, state = 'wanted',
        pdf_state = CASE WHEN pdf_state = 'archived' THEN 'wanted' ELSE pdf_state END
      WHERE ${inGroup(group)} AND state = 'archived' AND archive IS DISTINCT FROM ${which.notIn}`;
  if ('summariesTriedBefore' in which)
    return sql`UPDATE ${t.documents} ${byNotFull} ${again}, state = 'wanted' WHERE ${inGroup(group)} AND ${notFull}
      AND state = 'archived' AND (xml_kind IS NULL OR xml_kind = 'summary' AND updated_at < ${which.summariesTriedBefore})`;
  if ('withoutPdf' in which)
    return sql`UPDATE ${t.documents} ${again}, pdf_state = 'wanted'
      WHERE ${inGroup(group)} AND state = 'archived' AND pdf_state IS NULL`;
  return sql`UPDATE ${t.documents} ${again}, state = 'wanted', reason = NULL
    WHERE ${inGroup(group)} AND state = 'quarantined'`;
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

const names = words(Object.keys(seenFields).join(', '));
const seen = fieldsOf({ id: 'text', ...seenFields });
const changed = { ...fieldsOf({ ...seenFields, seq: 'int', differs: 'int' }), set: fieldsOf(seenFields).set };
const locked = new Part('', 'FOR UPDATE OF d');

/** `place`: where the row stands in the list; its id may be another text in the store, which has no halves of a pair. */
const sought = fieldsOf({
  place: 'int',
  id: 'text',
  status: 'text',
  type: 'text',
  nsu: 'text',
  modified_on: 'text',
  data: 'text',
});

interface Changed {
  readonly seq: number;
  readonly place: number;
  readonly facts: string | null;
  readonly differs: number | boolean;
}

/** Stores list rows; an unchanged one is not written. */
function* see(
  group: DocumentGroup,
  documents: readonly SeenDocument[],
  at: number,
): Step<Pick<SeenCounts, 'added' | 'changed'>> {
  const { profile, companyId, family } = group;
  const rows = documents.map(seenRow);
  // Most rows of a list are new, so the insert is tried first.
  const added = yield* run(
    sql`INSERT INTO ${t.documents} (profile, company_id, family, first_seen_at, updated_at, version, state, due, id, ${names})
      ${seen.each} ${profile}, ${companyId}, ${family}, CAST(${at} AS bigint), CAST(${at} AS bigint), 1, 'wanted', 1, ${seen.list} ${seen.end}
      ON CONFLICT (profile, company_id, family, id) DO NOTHING`.for(rows),
  );
  if (added === documents.length) return { added, changed: 0 };
  // Of these fields a change requires downloading the bytes again. The webhook status is not one of them.
  const found = yield* all<Changed>(
    sql`SELECT d.seq, CAST(${sought.place} AS bigint) AS place, d.xml_facts AS facts, (d.status, d.type, d.nsu, d.modified_on)
        IS DISTINCT FROM (${sought.status}, ${sought.type}, ${sought.nsu}, ${sought.modified_on}) AS differs
      FROM ${t.documents} AS d ${sought.and}
      WHERE d.profile = ${profile} AND d.company_id = ${companyId} AND d.family = ${family} AND d.id = ${sought.id}
        AND d.data <> ${sought.data} ${locked}`.for(rows.map((row, place) => ({ ...row, place }))),
  );
  if (found.length === 0) return { added, changed: 0 };
  const changes = found.flatMap(({ seq, place, facts, differs }) => {
    const document = documents[place];
    if (document === undefined) return [];
    // Its row in the list has dated it; only an XML may say otherwise.
    const dated = facts === null ? undefined : { ...document, ...factsOf(facts) };
    const ofXml = dated && { issued_at: issuedAtOf(dated), term_day: termDayOf(dated) };
    return { ...rows[place], ...ofXml, seq, differs: Number(differs) };
  });
  yield* run(
    sql`UPDATE ${t.documents} AS d SET ${changed.set}, updated_at = ${at}, version = d.version + ${changed.differs},
        due = CASE WHEN ${changed.differs} = 1 THEN 1 ELSE d.due END,
        state = CASE WHEN ${changed.differs} = 1 THEN 'wanted' ELSE d.state END,
        reason = CASE WHEN ${changed.differs} = 1 THEN NULL ELSE d.reason END
      ${changed.from} WHERE d.seq = ${changed.seq}`.for(changes),
  );
  return { added, changed: changes.filter(({ differs }) => differs === 1).length };
}

const ended = fieldsOf({
  ...({
    number: 'int',
    version: 'int',
    state: 'text',
    due: 'int',
    archive: 'text',
    path: 'text',
    sha256: 'text',
  } as const),
  ...({ bytes: 'int', xmlKind: 'text', archivedAt: 'int', pdfState: 'text', pdfPath: 'text' } as const),
  ...({ pdfSha256: 'text', pdfBytes: 'int', signature: 'text', facts: 'text', issuedAt: 'int' } as const),
  ...({ termDay: 'text', keepReason: 'int', reason: 'text', at: 'int' } as const),
});

/** Stores the results of work on documents, without those that the service changed in the meantime. */
function* finish(ends: readonly DocumentEnd[]): Step<number> {
  const finished = yield* all<{ seq: number }>(
    sql`UPDATE ${t.documents} AS d SET state = ${ended.state}, due = ${ended.due}, archive = coalesce(${ended.archive}, d.archive),
        path = coalesce(${ended.path}, d.path), sha256 = coalesce(${ended.sha256}, d.sha256),
        bytes = coalesce(${ended.bytes}, d.bytes), xml_kind = coalesce(${ended.xmlKind}, d.xml_kind),
        archived_at = coalesce(${ended.archivedAt}, d.archived_at), pdf_state = coalesce(${ended.pdfState}, d.pdf_state),
        pdf_path = coalesce(${ended.pdfPath}, d.pdf_path), pdf_sha256 = coalesce(${ended.pdfSha256}, d.pdf_sha256),
        pdf_bytes = coalesce(${ended.pdfBytes}, d.pdf_bytes), signature = coalesce(${ended.signature}, d.signature),
        xml_facts = coalesce(${ended.facts}, d.xml_facts), issued_at = coalesce(${ended.issuedAt}, d.issued_at),
        term_day = coalesce(${ended.termDay}, d.term_day),
        reason = CASE WHEN ${ended.keepReason} = 1 THEN d.reason ELSE ${ended.reason} END, updated_at = ${ended.at}
      ${ended.from} WHERE d.seq = ${ended.number} AND d.version = ${ended.version} RETURNING seq`.for(
      ends.map(finishedRow),
    ),
  );
  const done = new Set(finished.map(({ seq }) => seq));
  // A document with work left keeps its entry: its try is still to come.
  const settled = ends.filter(({ row, patch }) => done.has(row.seq) && !patch.due);
  yield* recordOwed(
    'documents',
    settled.map(({ row, patch, at }) => ({ seq: row.seq, at, reason: patch.owed })),
  );
  return finished.length;
}

function finishedRow({ row, patch, at }: DocumentEnd): object {
  const { file, pdf, reason, owed: _owed, due, facts, ...fields } = patch;
  const dated = facts && { ...row, facts };
  return {
    ...{ ...fields, ...file, number: row.seq, version: row.version, at, due: due ? 1 : 0, reason: reasonText(reason) },
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
