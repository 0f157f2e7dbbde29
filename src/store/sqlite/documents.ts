import type {
  ArchiveState,
  DocumentCounts,
  DocumentRows,
  WantedAgain,
  DocumentGroup,
  SeenDocument,
  DocumentEnd,
} from '../documents.js';
import type { Connection } from './connection.js';
import { groupOf, readAgain } from './cursors.js';
import {
  datedRange,
  type DatedRecord,
  documentColumns,
  dueColumns,
  factsOf,
  issuedAtOf,
  termDayOf,
  toDocument,
  toDue,
  type DocumentRecord,
  type DueRecord,
  seenNames,
  seenValues,
} from '../document-columns.js';
import { presentColumns } from '../row.js';
import { notFull, createDocumentList } from './document-list.js';
import { createOpenDocuments } from './document-terms.js';
import { createOwing } from './owed.js';

const inGroup = 'profile = @profile AND company_id = @companyId AND family = @family';

function workStatements({ statement }: Connection) {
  const byId = statement<[Record<string, unknown>], DocumentRecord>(
    `SELECT ${documentColumns('')} FROM documents WHERE ${inGroup} AND id = @id`,
  );
  const work = statement<[Record<string, unknown>], DueRecord>(
    `SELECT ${dueColumns} FROM documents WHERE ${inGroup} AND due = 1 AND seq > @afterSeq ORDER BY seq LIMIT +@limit`,
  );
  const workCount = statement<[Record<string, unknown>], number>(
    `SELECT count(*) FROM documents WHERE ${inGroup} AND due = 1`,
  );
  const byState = statement<[Record<string, unknown>], { state: ArchiveState; count: number }>(
    `SELECT state, count(*) AS count FROM documents WHERE ${inGroup} GROUP BY state`,
  );
  const withIds = statement<[Record<string, unknown>], DocumentRecord>(
    `SELECT ${documentColumns('')} FROM documents WHERE ${inGroup} AND id IN (SELECT value FROM json_each(@ids))`,
  );
  const dated = statement<[Record<string, unknown>], DatedRecord>(
    `SELECT id, state, issued_on AS issuedOn FROM documents INDEXED BY documents_by_issue
     WHERE ${inGroup} AND issued_at >= @since AND issued_at < @until
     UNION SELECT id, state, issued_on FROM documents
     WHERE @keyMonth IS NOT NULL AND ${inGroup}
       AND @keyMonth = substr(access_key, iif(length(access_key) = 50, 37, 3), 4)`,
  );
  const capturers = statement<[Record<string, unknown>], DocumentRecord>(
    `SELECT ${documentColumns('')} FROM documents
     WHERE profile = @profile AND family = @family AND id = @id
       AND company_id IN (SELECT value FROM json_each(@companies))
     ORDER BY company_id`,
  );
  const nsus = statement<[Record<string, unknown>], number>(
    `SELECT nsu_number FROM documents INDEXED BY documents_by_nsu
     WHERE ${inGroup} AND nsu_number IS NOT NULL AND nsu_number BETWEEN @first AND @last
     UNION ALL
     SELECT CAST(nsu AS INTEGER) AS number FROM document_events
     WHERE ${inGroup} AND nsu IS NOT NULL AND number BETWEEN @first AND @last`,
  );
  return { byId, withIds, work, workCount, byState, dated, capturers, nsus };
}

function wantStatements({ statement }: Connection) {
  const again = (change: string, condition: string, index = '') =>
    statement<[Record<string, unknown>]>(
      `UPDATE documents ${index} SET due = 1, updated_at = @at, ${change} WHERE ${inGroup} AND ${condition}`,
    );
  return {
    notIn: again(
      `state = 'wanted', pdf_state = iif(pdf_state = 'archived', 'wanted', pdf_state)`,
      `state = 'archived' AND archive IS NOT @archive`,
    ),
    withoutPdf: again(`pdf_state = 'wanted'`, `state = 'archived' AND pdf_state IS NULL`),
    quarantined: again(`state = 'wanted', reason = NULL`, `state = 'quarantined'`),
    summaries: again(
      `state = 'wanted'`,
      `${notFull} AND state = 'archived' AND (xml_kind IS NULL OR xml_kind = 'summary' AND updated_at < @before)`,
      'INDEXED BY documents_not_full',
    ),
  };
}

export function createDocumentRows(connection: Connection): DocumentRows {
  const { read, write } = connection;
  const see = createSee(connection);
  const finish = createFinish(connection);
  const { byId, withIds, work, workCount, byState, dated, capturers, nsus } = workStatements(connection);
  const list = createDocumentList(connection);
  const wanted = wantStatements(connection);
  return {
    ...list,
    ...createOpenDocuments(connection),
    see: (group, documents, at) =>
      write(() => {
        const counts = { added: 0, changed: 0, known: 0 };
        for (const document of documents) counts[see(group, document, at)] += 1;
        return counts;
      }, readAgain),
    get: (group, id) =>
      read(() => {
        const record = byId().get({ ...groupOf(group), id });
        return record === undefined ? undefined : toDocument(record);
      }),
    withIds: (group, ids) =>
      read(() => {
        const records = withIds().all({ ...groupOf(group), ids: JSON.stringify(ids) });
        return new Map(records.map((record) => [record.id, toDocument(record)]));
      }),
    capturers: async ({ profile, family, id }) => {
      // One company at a time, so that the unique index finds each row.
      const companies = JSON.stringify(await list.companies(profile));
      return await read(() => capturers().all({ profile, family, id, companies }).map(toDocument));
    },
    due: (group, page) =>
      read(() =>
        work()
          .all({ ...groupOf(group), ...page })
          .map(toDue),
      ),
    dueCount: (group) => read(() => workCount().pluck().get(groupOf(group)) ?? 0),
    finish: (ends) => write(() => ends.filter((end) => finish(end)).length, readAgain),
    want: (group, which, at) =>
      write(() => wantStatement(wanted, which).run({ ...groupOf(group), at, ...valuesOf(which) }).changes),
    dated: (group, range) =>
      read(() =>
        dated()
          .all({ ...groupOf(group), ...datedRange(range) })
          .map(presentColumns),
      ),
    nsusBetween: (group, range) =>
      read(() =>
        nsus()
          .pluck()
          .all({ ...groupOf(group), ...range }),
      ),
    counts: (group) => read(() => countsOf(byState().all(groupOf(group)))),
  };
}

function wantStatement(wanted: ReturnType<typeof wantStatements>, which: WantedAgain) {
  if ('notIn' in which) return wanted.notIn();
  if ('summariesTriedBefore' in which) return wanted.summaries();
  return 'withoutPdf' in which ? wanted.withoutPdf() : wanted.quarantined();
}

function valuesOf(which: WantedAgain) {
  if ('notIn' in which) return { archive: which.notIn };
  return 'summariesTriedBefore' in which ? { before: which.summariesTriedBefore } : {};
}

function countsOf(
  found: readonly { readonly state: ArchiveState; readonly count: number }[],
): DocumentCounts {
  const counts = { wanted: 0, archived: 0, quarantined: 0, gone: 0 };
  for (const { state, count } of found) counts[state] = count;
  return counts;
}

interface KnownDocument {
  readonly seq: number;
  readonly state: ArchiveState;
  readonly data: string;
  readonly facts: string | null;
  readonly differs: 0 | 1;
}

type Seen = 'added' | 'changed' | 'known';

/** The fields whose change requires downloading the bytes again. The webhook status is not one of them. */
const telling = ['status', 'type', 'nsu', 'modified_on'];

function statements({ statement }: Connection) {
  const marks = (names: readonly string[]) => names.map(() => '?').join(', ');
  const insert = statement(
    `INSERT INTO documents (profile, company_id, family, id, first_seen_at, updated_at, version, state, due,
       ${seenNames.join(', ')})
     VALUES (?, ?, ?, ?, ?, ?, 1, 'wanted', 1, ${marks(seenNames)})
     ON CONFLICT (profile, company_id, family, id) DO NOTHING`,
  );
  const known = statement<unknown[], KnownDocument>(
    `SELECT seq, state, data, xml_facts AS facts, (${telling.join(', ')}) IS NOT (${marks(telling)}) AS differs FROM documents
     WHERE profile = ? AND company_id = ? AND family = ? AND id = ?`,
  );
  const update = statement(
    `UPDATE documents SET ${seenNames.map((name) => `${name} = ?`).join(', ')}, updated_at = ? WHERE seq = ?`,
  );
  const wantAgain = statement<[number]>(
    `UPDATE documents SET version = version + 1, due = 1, state = 'wanted', reason = NULL WHERE seq = ?`,
  );
  return { insert, known, update, wantAgain };
}

/** Stores one list row; an unchanged one is not written. */
function createSee(connection: Connection) {
  const { insert, known, update, wantAgain } = statements(connection);
  return ({ profile, companyId, family }: DocumentGroup, seen: SeenDocument, at: number): Seen => {
    const values = seenValues(seen);
    // Most rows of a list are new, so the insert is tried first.
    const { changes } = insert().run(profile, companyId, family, seen.id, at, at, ...values);
    if (changes === 1) return 'added';
    const comparable = telling.map((name) => values[seenNames.indexOf(name)]);
    const before = known().get(...comparable, profile, companyId, family, seen.id);
    if (before === undefined) return 'known';
    if (before.data === values[seenNames.indexOf('data')]) return 'known';
    const whole = before.facts === null ? values : seenValues({ ...seen, ...factsOf(before.facts) });
    update().run(...whole, at, before.seq);
    if (before.differs === 0) return 'known';
    wantAgain().run(before.seq);
    return 'changed';
  };
}

/** Stores the result of the work on a document; false when the service changed it in the meantime. */
function createFinish(connection: Connection): (end: DocumentEnd) => boolean {
  const { statement } = connection;
  const owing = createOwing(connection, 'documents');
  const finish = statement(
    `UPDATE documents SET state = ?, due = ?, archive = coalesce(?, archive), path = coalesce(?, path),
       sha256 = coalesce(?, sha256), bytes = coalesce(?, bytes), xml_kind = coalesce(?, xml_kind), archived_at = coalesce(?, archived_at),
       pdf_state = coalesce(?, pdf_state), pdf_path = coalesce(?, pdf_path),
       pdf_sha256 = coalesce(?, pdf_sha256), pdf_bytes = coalesce(?, pdf_bytes),
       signature = coalesce(?, signature), xml_facts = coalesce(?, xml_facts), issued_at = coalesce(?, issued_at),
       term_day = coalesce(?, term_day), reason = iif(?, reason, ?), updated_at = ?
     WHERE seq = ? AND version = ?`,
  );
  return ({ row, patch, at }) => {
    const { file, pdf, reason, facts } = patch;
    const dated = facts && { ...row, facts };
    const { changes } = finish().run(
      ...[patch.state, patch.due ? 1 : 0, patch.archive, file?.path, file?.sha256, file?.bytes],
      ...[
        patch.xmlKind,
        patch.archivedAt,
        patch.pdfState,
        pdf?.path,
        pdf?.sha256,
        pdf?.bytes,
        patch.signature,
      ],
      ...[facts && JSON.stringify(facts), dated && issuedAtOf(dated), dated && termDayOf(dated)],
      ...[reason === undefined ? 1 : 0, reason, at, row.seq, row.version],
    );
    // A document with work left keeps its entry: its try is still to come.
    if (changes === 1 && !patch.due) owing(row.seq, patch.owed, at);
    return changes === 1;
  };
}
