import type { ArchiveState, DocumentCounts, DocumentRows, WantedAgain } from '../documents.js';
import type { Connection } from './connection.js';
import { groupOf, readAgain } from './cursors.js';
import {
  documentColumns,
  dueColumns,
  toDocument,
  type DocumentRecord,
  type DueRecord,
} from './document-columns.js';
import { notFull } from './document-index.js';
import { createDocumentList } from './document-list.js';
import { createSee } from './document-see.js';
import { createSettle } from './document-settle.js';
import { present } from './row.js';

const inGroup = 'profile = @profile AND company_id = @companyId AND family = @family';

function workStatements({ statement }: Connection) {
  const byId = statement<[Record<string, unknown>], DocumentRecord>(
    `SELECT ${documentColumns} FROM documents WHERE ${inGroup} AND id = @id`,
  );
  const work = statement<[Record<string, unknown>], DueRecord>(
    `SELECT ${dueColumns} FROM documents WHERE ${inGroup} AND due = 1 AND seq > @afterSeq ORDER BY seq LIMIT @limit`,
  );
  const workCount = statement<[Record<string, unknown>], number>(
    `SELECT count(*) FROM documents WHERE ${inGroup} AND due = 1`,
  );
  const byState = statement<[Record<string, unknown>], { state: ArchiveState; count: number }>(
    `SELECT state, count(*) AS count FROM documents WHERE ${inGroup} GROUP BY state`,
  );
  const archived = statement<[Record<string, unknown>], string>(
    `SELECT id FROM documents INDEXED BY documents_by_issue
     WHERE ${inGroup} AND issued_at >= @since AND issued_at < @until AND state = 'archived'`,
  );
  const capturers = statement<[Record<string, unknown>], DocumentRecord>(
    `SELECT ${documentColumns} FROM documents
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
  return { byId, work, workCount, byState, archived, capturers, nsus };
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
  const settle = createSettle(connection);
  const { byId, work, workCount, byState, archived, capturers, nsus } = workStatements(connection);
  const list = createDocumentList(connection);
  const wanted = wantStatements(connection);
  return {
    ...list,
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
    capturers: async ({ profile, family, id }) => {
      // Company by company, so that the unique index finds each row.
      const companies = JSON.stringify(await list.companies(profile));
      return await read(() => capturers().all({ profile, family, id, companies }).map(toDocument));
    },
    due: (group, page) =>
      read(() =>
        work()
          .all({ ...groupOf(group), ...page })
          .map((row) => present(row)),
      ),
    dueCount: (group) => read(() => workCount().pluck().get(groupOf(group)) ?? 0),
    settle: (ends) => write(() => ends.filter((end) => settle(end)).length, readAgain),
    want: (group, which, at) =>
      write(() => wantStatement(wanted, which).run({ ...groupOf(group), at, ...valuesOf(which) }).changes),
    archivedIds: (group, { since, until }) =>
      read(() =>
        archived()
          .pluck()
          .all({ ...groupOf(group), since, until }),
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
