import type { ClockRange } from '../domain/document-date.js';
import { refusalsOfCancelled } from '../domain/document-state.js';
import { dataText, factsOf, issuedAtOf, nsuNumberOf, termDataOf, termDayOf } from './document-dates.js';
import type { DocumentGroup, DocumentRow, DueDocument, SeenDocument, TermDocument } from './documents.js';
import { present } from '../domain/record.js';
import { reasonIn } from './item-history.js';
import { fromJson } from './row.js';
import { type Part, type Sql, sql, t, words } from './sql.js';

/** What an engine returns in another form than the program reads. */
export type Encoded = 'data' | 'facts' | 'reason' | 'eventCodes' | 'unreadEvents' | 'isRefusedAsCancelled';

type Optional = Exclude<
  keyof DocumentRow,
  'seq' | 'version' | 'state' | 'id' | 'firstSeenAt' | 'updatedAt' | keyof DocumentGroup | Encoded
>;

/** The kind of `known` rows of NF-e events that this machine has sent or read; their label is the access key. */
export const knownEventsOfNfe = 'nfe-manifestation';

// `exactJson` writes no spaces, and escapes the quotes within a text.
const refusals = words(refusalsOfCancelled.map((code) => `k.data LIKE '%"errorCode":"${code}"%'`).join(' OR '));
const kindOfEvents = words(`'${knownEventsOfNfe}'`);

/** What says more of a document than its row in a list: its XML, its events, and the answers of the authority to this machine. */
export const evidenceColumns = (document: Part): Sql => sql`${document}.xml_facts AS facts,
   (SELECT string_agg(CAST(coalesce(e.code, 0) AS TEXT), ' ') FROM ${t.document_events} AS e
     WHERE e.profile = ${document}.profile AND e.company_id = ${document}.company_id AND e.family = ${document}.family
       AND e.document_id = ${document}.id AND (e.code IS NULL OR e.registered = 1)) AS "eventCodes",
   (SELECT 1 FROM ${t.known} AS k
     WHERE ${document}.family = 'nfe' AND k.profile = ${document}.profile AND k.kind = ${kindOfEvents}
       AND k.label = ${document}.id AND (${refusals}) LIMIT 1) AS refused`;

/** The columns of `evidenceColumns`. */
export interface EvidenceRecord {
  /** JSON. */
  readonly facts: string | null;
  /** The codes of the registered events, and 0 for each whose code is not known: one text, in no order. */
  readonly eventCodes: string | null;
  readonly refused: 1 | null;
}

export function decodedEvidence({ facts, eventCodes, refused }: EvidenceRecord) {
  const codes = eventCodes === null ? [] : eventCodes.split(' ').map(Number);
  const known = codes.filter((code) => code !== 0).toSorted((one, other) => one - other);
  return {
    ...factsOf(facts),
    eventCodes: known,
    unreadEvents: codes.length - known.length,
    ...(refused !== null && { isRefusedAsCancelled: true as const }),
  };
}

/** A row as an engine returns it: null for absent fields, metadata as text. */
export type DocumentRecord = Omit<DocumentRow, Optional | Encoded> & {
  readonly [Name in Optional]: Exclude<DocumentRow[Name], undefined> | null;
} & { readonly data: string; readonly reason: string | null } & EvidenceRecord;

export const documentColumns = sql`${words(`seq, profile, company_id AS "companyId", family, id, access_key AS "accessKey", nsu, status,
  webhook_status AS "webhookStatus", type, issuer, issuer_name AS "issuerName", recipient, amount_text AS "amountText",
  issued_on AS "issuedOn", authorized_on AS "authorizedOn", created_on AS "createdOn", modified_on AS "modifiedOn", data, version,
  state, archive, path, sha256, bytes, xml_kind AS "xmlKind", archived_at AS "archivedAt", pdf_state AS "pdfState", pdf_path AS "pdfPath",
  pdf_sha256 AS "pdfSha256", pdf_bytes AS "pdfBytes", signature, reason, first_seen_at AS "firstSeenAt", updated_at AS "updatedAt"`)},
  ${evidenceColumns(words('documents'))}`;

export function toDocument(record: DocumentRecord): DocumentRow {
  const { facts, eventCodes, refused, ...columns } = record;
  return {
    ...present({ ...columns, reason: reasonIn(columns.reason), data: fromJson(record.data) }),
    ...decodedEvidence({ facts, eventCodes, refused }),
  };
}

/** A document with work to do, as an engine returns it. */
export type DueRecord = Pick<DocumentRecord, keyof DueDocument>;

export const dueColumns =
  words(`seq, version, id, access_key AS "accessKey", issuer, issued_on AS "issuedOn", authorized_on AS "authorizedOn",
  status, state, archive, path, xml_kind AS "xmlKind", pdf_state AS "pdfState", xml_facts AS facts`);

export function toDue({ facts, ...columns }: DueRecord): DueDocument {
  return { ...present(columns), ...factsOf(facts) };
}

/** A document with what the list dates it by. */
export type DatedRecord = Pick<DocumentRecord, 'id' | 'state' | 'issuedOn'>;

/** No moment of a document is outside. */
const AGES_MS = 8.64e15;

export function datedRange({
  since = -AGES_MS,
  until = AGES_MS,
  keyMonth,
}: ClockRange & { readonly keyMonth?: string }) {
  return { since, until, keyMonth };
}

/** The columns that a list row fills. */
export function seenRow(seen: SeenDocument) {
  const { accessKey, webhookStatus, issuerName, amountText, issuedOn, authorizedOn, createdOn, modifiedOn } = seen;
  const { id, nsu, status, type, issuer, recipient, data } = seen;
  return {
    id,
    access_key: accessKey,
    nsu,
    nsu_number: nsuNumberOf(nsu),
    status,
    webhook_status: webhookStatus,
    type,
    issuer,
    issuer_name: issuerName,
    recipient,
    amount_text: amountText,
    issued_on: issuedOn,
    issued_at: issuedAtOf(seen),
    term_day: termDayOf(seen),
    authorized_on: authorizedOn,
    created_on: createdOn,
    modified_on: modifiedOn,
    data: dataText(data),
    term_data: termDataOf(data),
  };
}

type SeenColumn = keyof ReturnType<typeof seenRow>;

/** What a statement takes of a list row, without its id. */
export const seenFields: Readonly<Record<Exclude<SeenColumn, 'id'>, 'int' | 'text'>> = {
  ...{ access_key: 'text', nsu: 'text', nsu_number: 'int', status: 'text', webhook_status: 'text', type: 'text' },
  ...{ issuer: 'text', issuer_name: 'text', recipient: 'text', amount_text: 'text', issued_on: 'text' },
  ...{ issued_at: 'int', term_day: 'text', authorized_on: 'text', created_on: 'text', modified_on: 'text' },
  ...{ data: 'text', term_data: 'text' },
};

type RequiredTerm = 'companyId' | 'family' | 'id';
type OptionalTerm = Exclude<keyof TermDocument, RequiredTerm | Encoded>;

/** What decides about the terms of a document, as an engine returns it. */
export type TermRecord = Pick<TermDocument, RequiredTerm> & {
  readonly [Name in OptionalTerm]: Exclude<TermDocument[Name], undefined> | null;
} & { readonly data: string; readonly reason: string | null } & EvidenceRecord;

export const termColumns = sql`${words(`company_id AS "companyId", d.family, id, access_key AS "accessKey", nsu, status, issuer,
  recipient, amount_text AS "amountText", issued_on AS "issuedOn", authorized_on AS "authorizedOn", xml_kind AS "xmlKind",
  term_day AS "termDay", term_data AS data`)}, ${evidenceColumns(words('d'))}`;

export function toTermDocument({ facts, eventCodes, refused, data, ...columns }: TermRecord): TermDocument {
  return { ...present(columns), ...decodedEvidence({ facts, eventCodes, refused }), data: fromJson(data) };
}
