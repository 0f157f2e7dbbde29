import type { EventPatch, EventRow } from './documents.js';

type Optional = Exclude<
  keyof EventRow,
  'seq' | 'profile' | 'companyId' | 'family' | 'documentId' | 'eventKey' | 'state'
>;

/** An event as an engine returns it: null for absent fields. */
export type EventRecord = Omit<EventRow, Optional> & {
  readonly [Name in Optional]: Exclude<EventRow[Name], undefined> | null;
};

export const eventColumns = `seq, profile, company_id AS "companyId", family, document_id AS "documentId", event_key AS "eventKey", type,
  description, nsu, issued_on AS "issuedOn", created_on AS "createdOn", state, archive, path, sha256, bytes,
  archived_at AS "archivedAt", reason`;

/** The columns that the work on an event changes. */
export function finishedEvent({ file, ...patch }: EventPatch) {
  return {
    state: patch.state,
    due: patch.due ? 1 : 0,
    archive: patch.archive ?? null,
    path: file?.path ?? null,
    sha256: file?.sha256 ?? null,
    bytes: file?.bytes ?? null,
    archivedAt: patch.archivedAt ?? null,
    keepReason: patch.reason === undefined ? 1 : 0,
    reason: patch.reason ?? null,
  };
}
