import { owedWaitsMs, type OwedFilter, type OwedRow, type OwedRows } from '../documents.js';
import type { Connection } from './connection.js';
import { groupOf } from './cursors.js';
import { presentColumns } from '../row.js';

/**
 * Documents and events that are listed but could not be fetched, with their attempts. An event has the key of its
 * document as well; a document has no event key.
 */
export const owedSchema = `
  CREATE TABLE owed (
    profile TEXT NOT NULL,
    company_id TEXT NOT NULL,
    family TEXT NOT NULL CHECK (family IN ('nfe', 'cte', 'nfse')),
    document_id TEXT NOT NULL,
    event_key TEXT NOT NULL,
    reason TEXT,
    since INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    tried_at INTEGER,
    next_at INTEGER NOT NULL,
    written_off_at INTEGER,
    written_off_reason TEXT,
    PRIMARY KEY (profile, company_id, family, document_id, event_key)
  ) STRICT;
  INSERT INTO owed (profile, company_id, family, document_id, event_key, reason, since, tries, tried_at, next_at)
    SELECT profile, company_id, family, id, '', coalesce(reason, state), first_seen_at, 1, updated_at, 0
    FROM documents WHERE state IN ('gone', 'quarantined');
  INSERT INTO owed (profile, company_id, family, document_id, event_key, reason, since, tries, tried_at, next_at)
    SELECT profile, company_id, family, document_id, event_key, coalesce(reason, state), first_seen_at, 1, NULL, 0
    FROM document_events WHERE state IN ('gone', 'quarantined');
`;

type Values = Record<string, unknown>;

const inGroup = 'profile = @profile AND company_id = @companyId AND family = @family';

type Optional = 'eventKey' | 'reason' | 'triedAt' | 'writtenOffAt' | 'writtenOffReason';
type OwedRecord = Omit<OwedRow, Optional> & {
  readonly [Name in Optional]: Exclude<OwedRow[Name], undefined> | null;
};

/**
 * What failed, and what no run has reached yet. A summary requested again is neither: it waits for an event of the
 * recipient. Few rows are due, and only their own indexes know them: the planner would read every row of the profile.
 */
const everything = (where: string) => `
  SELECT profile, company_id AS companyId, family, document_id AS documentId, nullif(event_key, '') AS eventKey, reason, since,
    tries, tried_at AS triedAt, next_at AS nextAt, written_off_at AS writtenOffAt, written_off_reason AS writtenOffReason
  FROM owed WHERE ${where}
  UNION ALL
  SELECT profile, company_id, family, id, NULL, NULL, first_seen_at, 0, NULL, first_seen_at, NULL, NULL
  FROM documents AS d INDEXED BY documents_due WHERE due = 1 AND xml_kind IS NOT 'summary' AND ${where} AND NOT EXISTS (SELECT 1 FROM owed AS o
    WHERE (o.profile, o.company_id, o.family, o.document_id, o.event_key) = (d.profile, d.company_id, d.family, d.id, ''))
  UNION ALL
  SELECT profile, company_id, family, document_id, event_key, NULL, first_seen_at, 0, NULL, first_seen_at, NULL, NULL
  FROM document_events AS e INDEXED BY document_events_due WHERE due = 1 AND ${where} AND NOT EXISTS (SELECT 1 FROM owed AS o
    WHERE (o.profile, o.company_id, o.family, o.document_id, o.event_key)
      = (e.profile, e.company_id, e.family, e.document_id, e.event_key))`;

/** What is not written off, by company and family. */
export const outstandingGroups = `SELECT companyId, family, count(*) AS count
  FROM (${everything('profile = @profile')}) WHERE writtenOffAt IS NULL GROUP BY companyId, family`;

function statements({ statement }: Connection) {
  const all = statement<[Values], OwedRecord>(
    `${everything(`profile = @profile
      AND (@companies IS NULL OR company_id IN (SELECT value FROM json_each(@companies)))
      AND (@families IS NULL OR family IN (SELECT value FROM json_each(@families)))`)}
     ORDER BY companyId, family, since, documentId, eventKey`,
  );
  const counted = statement<[Values], { outstanding: number; writtenOff: number }>(
    `SELECT count(*) - count(writtenOffAt) AS outstanding, count(writtenOffAt) AS writtenOff
     FROM (${everything(inGroup)})`,
  );
  const due = `${inGroup} AND written_off_at IS NULL AND next_at <= @until`;
  const wantDocuments = statement<[Values]>(
    `UPDATE documents SET due = 1 WHERE ${inGroup} AND due = 0
       AND id IN (SELECT document_id FROM owed WHERE ${due} AND event_key = '')`,
  );
  const wantEvents = statement<[Values]>(
    `UPDATE document_events SET due = 1 WHERE ${inGroup} AND due = 0
       AND (document_id, event_key) IN (SELECT document_id, event_key FROM owed WHERE ${due})`,
  );
  const writeOff = statement<[Values]>(
    `INSERT INTO owed (profile, company_id, family, document_id, event_key, reason, since, tries, next_at,
       written_off_at, written_off_reason)
     VALUES (@profile, @companyId, @family, @documentId, @eventKey, NULL, @since, 0, @since, @at, @reason)
     ON CONFLICT DO UPDATE SET written_off_at = @at, written_off_reason = @reason`,
  );
  const restDocument = statement<[Values]>(
    `UPDATE documents SET due = @due WHERE ${inGroup} AND id = @documentId`,
  );
  const restEvent = statement<[Values]>(
    `UPDATE document_events SET due = @due
     WHERE ${inGroup} AND document_id = @documentId AND event_key = @eventKey`,
  );
  return { all, counted, wantDocuments, wantEvents, writeOff, restDocument, restEvent };
}

export function createOwedRows(connection: Connection): OwedRows {
  const { read, write } = connection;
  const { all, counted, wantDocuments, wantEvents, writeOff, restDocument, restEvent } =
    statements(connection);
  return {
    list: (filter) =>
      read(() =>
        all()
          .all(parameters(filter))
          .map((row) => presentColumns(row)),
      ),
    count: (group) => read(() => counted().get(groupOf(group)) ?? { outstanding: 0, writtenOff: 0 }),
    want: (group, until) =>
      write(() => {
        const values = { ...groupOf(group), until };
        return wantDocuments().run(values).changes + wantEvents().run(values).changes;
      }),
    writeOff: (row, { reason, at }) =>
      write(() => {
        const { documentId, eventKey = '', since } = row;
        const off = reason === undefined ? { at: null, reason: null } : { at, reason };
        const values = { ...groupOf(row), documentId, eventKey };
        writeOff().run({ ...values, since, ...off });
        const { eventKey: _none, ...ofDocument } = values;
        const due = reason === undefined ? 1 : 0;
        if (eventKey === '') restDocument().run({ ...ofDocument, due });
        else restEvent().run({ ...values, due });
      }),
  };
}

function parameters({ profile, companies, families }: OwedFilter): Values {
  return {
    profile,
    companies: companies === undefined ? null : JSON.stringify(companies),
    families: families === undefined ? null : JSON.stringify(families),
  };
}

/** Records at the end of an attempt whether the row is outstanding, within the attempt's transaction. */
export function createOwing({ statement }: Connection, table: 'documents' | 'document_events') {
  const names = table === 'documents' ? "id, ''" : 'document_id, event_key';
  const found = (where: string) =>
    `SELECT profile, company_id, family, ${names} FROM ${table} WHERE ${where}`;
  const key = '(profile, company_id, family, document_id, event_key)';
  const before = statement<[number], number>(`SELECT tries FROM owed WHERE ${key} = (${found('seq = ?')})`);
  const paid = statement<[number]>(`DELETE FROM owed WHERE ${key} = (${found('seq = ?')})`);
  const owing = statement<[Values]>(
    `INSERT INTO owed (profile, company_id, family, document_id, event_key, reason, since, tries, tried_at, next_at)
     SELECT profile, company_id, family, ${names}, @reason, @at, @tries, @at, @nextAt FROM ${table} WHERE seq = @seq
     ON CONFLICT DO UPDATE SET reason = @reason, tries = @tries, tried_at = @at, next_at = @nextAt`,
  );
  return (seq: number, reason: string | undefined, at: number): void => {
    if (reason === undefined) {
      paid().run(seq);
      return;
    }
    const tries = (before().pluck().get(seq) ?? 0) + 1;
    const wait = owedWaitsMs[Math.min(tries, owedWaitsMs.length) - 1] ?? 0;
    owing().run({ seq, reason, at, tries, nextAt: at + wait });
  };
}
