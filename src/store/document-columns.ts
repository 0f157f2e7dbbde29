import {
  type ClockRange,
  type DocumentDate,
  documentDate,
  localDay,
  monthOfKey,
  rowDay,
} from '../domain/document-date.js';
import type { XmlFacts } from '../domain/document-fact.js';
import { refusalsOfCancelled } from '../domain/document-state.js';
import { isRecord } from '../domain/record.js';
import type { DocumentGroup, DocumentRow, DueDocument, SeenDocument } from './documents.js';
import { DamagedRow, fromJson, presentColumns } from './row.js';
import { exactJson } from '../domain/json-numbers.js';

/** What an engine returns in another form than the program reads. */
export type Encoded = 'data' | 'facts' | 'eventCodes' | 'unreadEvents' | 'isRefusedAsCancelled';

type Optional = Exclude<
  keyof DocumentRow,
  'seq' | 'version' | 'state' | 'id' | 'firstSeenAt' | 'updatedAt' | keyof DocumentGroup | Encoded
>;

/** The kind of `known` rows of NF-e events that this machine has sent or read; their label is the access key. */
export const knownEventsOfNfe = 'nfe-manifestation';

/** What says more of a document than its row in a list: its XML, its events, and the answers of the authority to this machine. */
export const evidenceColumns = (schema: '' | 'fiscal.', document = 'documents'): string =>
  `${document}.xml_facts AS facts,
   (SELECT string_agg(CAST(coalesce(e.code, 0) AS TEXT), ' ') FROM ${schema}document_events AS e
     WHERE e.profile = ${document}.profile AND e.company_id = ${document}.company_id AND e.family = ${document}.family
       AND e.document_id = ${document}.id AND (e.code IS NULL OR e.registered = 1)) AS "eventCodes",
   (SELECT 1 FROM ${schema}known AS k
     WHERE ${document}.family = 'nfe' AND k.profile = ${document}.profile AND k.kind = '${knownEventsOfNfe}'
       AND k.label = ${document}.id AND (${refusals}) LIMIT 1) AS refused`;

// `exactJson` writes no spaces, and escapes the quotes within a text.
const refusals = refusalsOfCancelled.map((code) => `k.data LIKE '%"errorCode":"${code}"%'`).join(' OR ');

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

/** Of the column `xml_facts`. */
export function factsOf(text: string | null): { readonly facts?: XmlFacts } {
  if (text === null) return {};
  const facts = fromJson(text);
  if (!isRecord(facts) || !Object.values(facts).every((value) => typeof value === 'string'))
    throw new DamagedRow({ en: 'a row has no facts of an XML', pt: 'uma linha não traz dados de um XML' });
  return { facts };
}

/** A row as an engine returns it: null for absent fields, metadata as text. */
export type DocumentRecord = Omit<DocumentRow, Optional | Encoded> & {
  readonly [Name in Optional]: Exclude<DocumentRow[Name], undefined> | null;
} & { readonly data: string } & EvidenceRecord;

export const documentColumns = (
  schema: '' | 'fiscal.',
): string => `seq, profile, company_id AS "companyId", family, id, access_key AS "accessKey", nsu, status,
  webhook_status AS "webhookStatus", type, issuer, issuer_name AS "issuerName", recipient, amount_text AS "amountText",
  issued_on AS "issuedOn", authorized_on AS "authorizedOn", created_on AS "createdOn", modified_on AS "modifiedOn", data, version,
  state, archive, path, sha256, bytes, xml_kind AS "xmlKind", archived_at AS "archivedAt", pdf_state AS "pdfState", pdf_path AS "pdfPath",
  pdf_sha256 AS "pdfSha256", pdf_bytes AS "pdfBytes", signature, reason, first_seen_at AS "firstSeenAt", updated_at AS "updatedAt", ${evidenceColumns(schema)}`;

export function toDocument(record: DocumentRecord): DocumentRow {
  const { facts, eventCodes, refused, ...columns } = record;
  return {
    ...presentColumns({ ...columns, data: fromJson(record.data) }),
    ...decodedEvidence({ facts, eventCodes, refused }),
  };
}

/** A document with work to do, as an engine returns it. */
export type DueRecord = Pick<DocumentRecord, keyof DueDocument>;

export const dueColumns = `seq, version, id, access_key AS "accessKey", issuer, issued_on AS "issuedOn", authorized_on AS "authorizedOn",
  status, state, archive, path, xml_kind AS "xmlKind", pdf_state AS "pdfState", xml_facts AS facts`;

export function toDue({ facts, ...columns }: DueRecord): DueDocument {
  return { ...presentColumns(columns), ...factsOf(facts) };
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
  return { since, until, keyMonth: keyMonth ?? null };
}

type Value = string | number | null;

/** A list row, and what the XML of the document says where one was read. */
interface Seen extends SeenDocument {
  readonly facts?: XmlFacts | undefined;
}

/** The columns filled from a list row. */
const seenColumns: Readonly<Record<string, (seen: Seen) => Value>> = {
  access_key: ({ accessKey = null }) => accessKey,
  nsu: ({ nsu = null }) => nsu,
  nsu_number: ({ nsu }) => nsuNumberOf(nsu),
  status: ({ status = null }) => status,
  webhook_status: ({ webhookStatus = null }) => webhookStatus,
  type: ({ type = null }) => type,
  issuer: ({ issuer = null }) => issuer,
  issuer_name: ({ issuerName = null }) => issuerName,
  recipient: ({ recipient = null }) => recipient,
  amount_text: ({ amountText = null }) => amountText,
  issued_on: ({ issuedOn = null }) => issuedOn,
  issued_at: (seen) => issuedAtOf(seen),
  term_day: (seen) => termDayOf(seen),
  authorized_on: ({ authorizedOn = null }) => authorizedOn,
  created_on: ({ createdOn = null }) => createdOn,
  modified_on: ({ modifiedOn = null }) => modifiedOn,
  data: ({ data }) => dataText(data),
};

export const seenNames = Object.keys(seenColumns);
const seenReaders = Object.values(seenColumns);

/** In the order of `seenNames`: binding twenty values by name would cost more than inserting them. */
export function seenValues(seen: Seen): Value[] {
  return seenReaders.map((read) => read(seen));
}

/** Larger metadata, in characters, is not stored. */
const MAX_DATA = 64 * 1024;

function dataText(data: unknown): string {
  const text = exactJson(data);
  return text.length > MAX_DATA ? JSON.stringify({ tooLarge: text.length }) : text;
}

/** What dates a document. */
export interface Dated {
  readonly id: string;
  readonly accessKey?: string | undefined;
  readonly issuedOn?: string | undefined;
  readonly authorizedOn?: string | undefined;
  readonly facts?: XmlFacts | undefined;
}

/** The day and month of a document of the store. */
export function dateOf({ id, accessKey = id, issuedOn, facts }: Dated): DocumentDate {
  return documentDate({ xml: facts?.issuedOn, row: issuedOn, key: accessKey });
}

/**
 * The date of a document by its own clock, in milliseconds, as if that were UTC: a month holds the documents between its first
 * midnight and that of the next one. Where only the key names a month, its first midnight; without any date 0, the oldest.
 */
export function issuedAtOf(dated: Dated): number {
  const { clockMs, month } = dateOf(dated);
  return clockMs ?? (month === undefined ? 0 : Date.parse(`${month}-01T00:00:00Z`));
}

/** The day from which the terms of a document count; empty: none is known. */
export function termDayOf(dated: Dated): string {
  const { facts, authorizedOn, id, accessKey = id } = dated;
  return (
    localDay(facts?.authorizedOn) ?? rowDay(authorizedOn, monthOfKey(accessKey)) ?? dateOf(dated).day ?? ''
  );
}

/** Up to 15 digits; anything else is stored only as text. */
export function nsuNumberOf(nsu: string | undefined): number | null {
  return nsu !== undefined && /^\d{1,15}$/.test(nsu) ? Number(nsu) : null;
}
