import { type DocumentDate, documentDate, localDay, monthOfKey, rowDay } from '../domain/document-date.js';
import type { XmlFacts } from '../domain/document-fact.js';
import { exactJson } from '../domain/json-numbers.js';
import { isRecord } from '../domain/record.js';
import { DamagedRow, fromJson } from './row.js';

/** Of the column `xml_facts`. */
export function factsOf(text: string | null): { readonly facts?: XmlFacts } {
  if (text === null) return {};
  const facts = fromJson(text);
  if (!isRecord(facts) || !Object.values(facts).every((value) => typeof value === 'string'))
    throw new DamagedRow({ en: 'a row has no facts of an XML', pt: 'uma linha não traz dados de um XML' });
  return { facts };
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
  return localDay(facts?.authorizedOn) ?? rowDay(authorizedOn, monthOfKey(accessKey)) ?? dateOf(dated).day ?? '';
}

/** Up to 15 digits; anything else is stored only as text. */
export function nsuNumberOf(nsu: string | undefined): number | null {
  return nsu !== undefined && /^\d{1,15}$/.test(nsu) ? Number(nsu) : null;
}

/** Larger metadata, in characters, is not stored. */
const MAX_DATA = 64 * 1024;

/** The metadata as it is stored. */
export function dataText(data: unknown): string {
  const text = exactJson(data);
  return text.length > MAX_DATA ? JSON.stringify({ tooLarge: text.length }) : text;
}

/** What of the metadata decides about terms, as its own column: the rest would dominate the cost of reading it. */
export function termDataOf(data: unknown): string {
  const { company, operationType = null, substituteAccessKey = null } = isRecord(data) ? data : {};
  const { federalTaxNumber = null } = isRecord(company) ? company : {};
  return exactJson({ company: { federalTaxNumber }, operationType, substituteAccessKey });
}

/** Of the metadata as it is stored; `undefined`: only its size is, and the column was taken from the whole. */
export function termDataOfText(data: string): string | undefined {
  return data.startsWith('{"tooLarge":') ? undefined : termDataOf(fromJson(data));
}
