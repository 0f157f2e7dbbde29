import { type EventFacts, isRegistered } from '../domain/document-fact.js';
import type { EventPatch, EventRow } from './documents.js';
import { presentColumns } from './row.js';

type Optional = Exclude<
  keyof EventRow,
  'seq' | 'profile' | 'companyId' | 'family' | 'documentId' | 'eventKey' | 'state' | 'facts'
>;

/** An event as an engine returns it: null for absent fields. */
export type EventRecord = Omit<EventRow, Optional | 'facts'> & {
  readonly [Name in Optional]: Exclude<EventRow[Name], undefined> | null;
} & FactColumns;

interface FactColumns {
  readonly code: number | null;
  readonly sequence: number | null;
  readonly answerCode: string | null;
  readonly answerText: string | null;
  readonly protocol: string | null;
  readonly author: string | null;
  readonly substituteKey: string | null;
}

export function toEvent(record: EventRecord): EventRow {
  const { code, sequence, answerCode, answerText, protocol, author, substituteKey, ...row } = record;
  const facts =
    code === null
      ? {}
      : {
          facts: {
            ...{ code, sequence: sequence ?? 1 },
            ...presentColumns({ answerCode, answerText, protocol, author, substituteKey }),
          },
        };
  return { ...presentColumns(row), ...facts };
}

/** The columns of what is known of an event. `registered`: as `isRegistered` says. */
export function eventFactColumns(facts: EventFacts | undefined) {
  const { code, sequence, answerCode, answerText, protocol, author, substituteKey } =
    facts ?? ({} as Partial<EventFacts>);
  return {
    ...{ code: code ?? null, sequence: sequence ?? null, answerCode: answerCode ?? null },
    ...{ answerText: answerText ?? null, protocol: protocol ?? null, author: author ?? null },
    substituteKey: substituteKey ?? null,
    registered: facts === undefined ? null : Number(isRegistered(facts)),
  };
}

export const eventColumns = `seq, profile, company_id AS "companyId", family, document_id AS "documentId", event_key AS "eventKey", type,
  description, nsu, issued_on AS "issuedOn", created_on AS "createdOn", state, archive, path, sha256, bytes,
  archived_at AS "archivedAt", reason, code, sequence, answer_code AS "answerCode", answer_text AS "answerText", protocol, author,
  substitute_key AS "substituteKey"`;

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
    ...eventFactColumns(patch.facts),
  };
}
