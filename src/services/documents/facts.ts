import type { Text } from '../../contract/text.js';
import { errorIn } from '../../domain/issue.js';
import { checkKey, typeOfKey } from '../../domain/access-key.js';
import { fiscalLine } from '../../domain/command-words.js';
import { parseUtc } from '../../domain/dates.js';
import { localDay } from '../../domain/document-date.js';
import { numberToDecimalText, parseDecimalText } from '../../domain/decimal-text.js';
import type { CapturedFact, DocumentFact, DocumentType } from '../../domain/document-fact.js';
import { isNumber, NumberLiteral } from '../../domain/json-numbers.js';
import { eventOfCode } from '../../domain/event-codes.js';
import { fieldOf, present, isRecord } from '../../domain/record.js';
import { checkCnpj, checkCpf, readTaxNumber } from '../../domain/tax-number.js';
import { dateOf, termDayOf } from '../../store/document-dates.js';
import type { DocumentFilter, DocumentGroup, TermDocument } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import type { Context } from '../context.js';
import { owesTerms } from './open-terms.js';
import { documentPages } from './pages.js';
import { evidenceOf, partiesOf, recordOf, type RecordRow } from './record.js';

export interface DocumentProblem {
  readonly field: string;
  readonly message: Text;
}

export type ReadDocument = { readonly fact: DocumentFact } | { readonly problems: readonly DocumentProblem[] };

/** The values of a record by the names of `documentFields`. */
export type DocumentValues = Readonly<Record<string, unknown>>;

interface DocumentKey {
  readonly accessKey: string;
  readonly type: DocumentType;
  /** The issuer, as far as the key shows it (facts §1). */
  readonly issuer: string | undefined;
}

const MAX_TEXT = 200;

/** Builds a fact from a record of a file. `companyId`: used when the record names none. */
export function readDocumentFact(values: DocumentValues, companyId: string | undefined): ReadDocument {
  const problems: DocumentProblem[] = [];
  const read = <Value>(field: string, parse: (value: unknown) => Value | Text): Value | undefined => {
    const value = values[field];
    if (value === undefined || value === null || value === '') return undefined;
    const parsed = parse(value);
    if (!isText(parsed)) return parsed;
    problems.push({ field, message: parsed });
    return undefined;
  };
  const key = read('accessKey', parseKey);
  const issuer = read('issuerTaxNumber', parseTaxNumber) ?? key?.issuer;
  const optional = {
    companyId: read('companyId', parseWord) ?? companyId,
    recipientTaxNumber: read('recipientTaxNumber', parseTaxNumber),
    totalAmountText: read('totalAmountText', parseAmount),
    authorizedOn: read('authorizedOn', parseMoment),
    status: read('status', parseWord),
    nsu: read('nsu', parseWord),
  };
  const issuedOn = read('issuedOn', parseMoment) ?? optional.authorizedOn;
  if (key !== undefined && issuer !== undefined && issuedOn !== undefined && problems.length === 0) {
    const { accessKey, type } = key;
    return { fact: { accessKey, type, issuerTaxNumber: issuer, issuedOn, ...present(optional) } };
  }
  const found = new Set(problems.map(({ field }) => field));
  for (const [field, value] of Object.entries({ accessKey: key, issuerTaxNumber: issuer, issuedOn })) {
    // Skips the check of a field that depends on an invalid one.
    const depends =
      (field === 'issuerTaxNumber' && key === undefined) || (field === 'issuedOn' && found.has('authorizedOn'));
    if (value === undefined && !found.has(field) && !depends) problems.push({ field, message: isRequired });
  }
  return { problems };
}

function parseKey(value: unknown): DocumentKey | Text {
  if (typeof value !== 'string') return mustBeText;
  const { value: accessKey, parts, issues } = checkKey(value);
  const wrong = errorIn(issues);
  if (parts === undefined || wrong !== undefined) return wrong ?? mustBeText;
  if (parts.kind === 'nfse') return { accessKey, type: 'nfse', issuer: parts.registration };
  if (parts.kind !== 'nfe') return notManifested;
  return { accessKey, type: 'nfe', issuer: parts.registrationOf === 'tax-office' ? undefined : parts.registration };
}

/** A number, or the service's own form of a party: an object with its `federalTaxNumber`. */
function parseTaxNumber(value: unknown): string | Text {
  const inner = isRecord(value) ? value['federalTaxNumber'] : value;
  if (typeof inner !== 'string') return mustBeText;
  const cnpj = checkCnpj(inner);
  const { valid, value: number } = cnpj.valid ? cnpj : checkCpf(inner);
  return valid ? number : { en: 'is not a CNPJ or CPF', pt: 'não é um CNPJ nem um CPF' };
}

/** `1500.00`, or as Brazil writes it: `1.500,00`. */
function parseAmount(value: unknown): string | Text {
  const written = value instanceof NumberLiteral ? value.text : value;
  const text = typeof written === 'number' ? numberToDecimalText(written) : written;
  if (typeof text !== 'string') return notAmount;
  const isBrazilian = /^-?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+$/.test(text);
  const plain = isBrazilian ? text.replaceAll('.', '').replace(',', '.') : text;
  return parseDecimalText(plain) === undefined || plain.length > 30 ? notAmount : plain;
}

/** A day, a moment in UTC, the local day of a time with its offset, or a day as Brazil writes it. A time without a place is no moment. */
function parseMoment(value: unknown): string | Text {
  if (typeof value !== 'string') return notMoment;
  const brazilian = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(value);
  const text = brazilian === null ? value : `${brazilian[3]}-${brazilian[2]}-${brazilian[1]}`;
  if (parseUtc(text) !== undefined) return text;
  return (/[+-]\d{2}:\d{2}$/.test(text) ? localDay(text) : undefined) ?? notMoment;
}

function parseWord(value: unknown): string | Text {
  const text = isNumber(value) ? String(value) : value;
  if (typeof text !== 'string' || text.length > MAX_TEXT || /\p{Cc}/u.test(text)) return mustBeText;
  return text;
}

function isText(value: unknown): value is Text {
  return isRecord(value) && 'en' in value && 'pt' in value;
}

const isRequired: Text = { en: 'is required', pt: 'é obrigatório' };
const mustBeText: Text = { en: 'must be text', pt: 'deve ser um texto' };
const notAmount: Text = { en: 'is not an amount, e.g. 1500.00', pt: 'não é um valor, p. ex. 1500.00' };
const notManifested: Text = {
  en: 'is the key of a document without manifestations: only NF-e (model 55) and NFS-e have them',
  pt: 'é a chave de um documento sem manifestação: só NF-e (modelo 55) e NFS-e têm',
};
const notMoment: Text = {
  en: 'is not a date or a time with zone, e.g. 2026-11-21 or 2026-11-21T10:00:00Z',
  pt: 'não é um dia nem um momento com fuso, p. ex. 2026-11-21 ou 2026-11-21T10:00:00Z',
};

/** A CT-e has no events of the recipient. */
const families = ['nfe', 'nfse'] as const;
const PAGE = 500;

/**
 * The documents that the sync has brought, as they are judged; page by page, memory stays flat. Rows that lack what a
 * judgement needs, and may owe a term, are counted in `left`.
 */
export async function* storedFacts(
  context: Pick<Context, 'settings' | 'store'>,
  narrow: Pick<DocumentFilter, 'companies' | 'families' | 'since'>,
  left: { unreadable: number },
): AsyncGenerator<DocumentFact> {
  const { storeNamespace } = await context.settings();
  const { documents } = await context.store();
  const filter: DocumentFilter = { families, ...narrow, profile: storeNamespace, limit: PAGE };
  for await (const page of documentPages(documents, filter)) {
    for (const row of page) {
      const fact = factOfRow(row);
      if (fact !== undefined) yield fact;
      else if (mayOweTerm(row)) left.unreadable += 1;
    }
  }
}

/** A row that cannot be judged: not those that owe no term by their state or their events, or as an NFC-e. */
export function mayOweTerm(row: RecordRow): boolean {
  const { key, state } = recordOf(row);
  const groups = row.eventCodes.map((code) => eventOfCode(code)?.group);
  const isSettled = groups.includes('conclusive') || groups.includes('taker');
  return owesTerms({ state }) && !isSettled && typeOfKey(key) !== 'nfce';
}

/** A document of the store as it is judged; `undefined`: it lacks what a judgement needs. */
export function factOfRow(row: TermDocument): DocumentFact | undefined {
  const read = readDocumentFact(valuesOfRow(row), row.companyId);
  return 'fact' in read ? { captured: capturedOf(row), ...read.fact } : undefined;
}

/**
 * When a sync has last read the lists of one family of a company to their end: documents and events. `undefined`: never. Milliseconds.
 */
export async function listsReadAt(
  { cursors }: { readonly cursors: Pick<Store['cursors'], 'get'> },
  group: DocumentGroup,
): Promise<number | undefined> {
  const documents = await cursors.get({ ...group, stream: 'documents' });
  const endedAt = fieldOf(documents?.position, 'endedAt');
  if (typeof endedAt !== 'number') return undefined;
  // The cursor of the events moves at the end of their list only.
  const events = await cursors.get({ ...group, stream: 'events' });
  return events === undefined ? undefined : Math.min(endedAt, events.at);
}

/** When a sync has last read the whole list of one model of issued invoices to its end; `undefined`: never. Milliseconds. */
export async function issuedReadAt(
  { cursors }: { readonly cursors: Pick<Store['cursors'], 'get'> },
  group: DocumentGroup,
): Promise<number | undefined> {
  const cursor = await cursors.get({ ...group, stream: 'issued' });
  const endedAt = fieldOf(cursor?.position, 'endedAt');
  return typeof endedAt === 'number' ? endedAt : undefined;
}

/** A printed command names at most this many companies; with more it uses all. */
const MOST_NAMED = 5;

/** The sync command for these companies. */
export async function syncLine(
  context: Pick<Context, 'settings'>,
  companies: readonly (string | undefined)[],
  command: 'inbound sync' | 'invoice sync' = 'inbound sync',
): Promise<string> {
  const { profile } = await context.settings();
  const ids = [...new Set(companies.flatMap((id) => (id === undefined ? [] : [id])))];
  const isAll = ids.length === 0 || ids.length > MOST_NAMED;
  return isAll
    ? fiscalLine({ command, flags: [['--all-companies', true]], profile })
    : fiscalLine({ command, company: ids.join(','), profile });
}

/** The company in the metadata captured the document. */
function capturedOf(row: TermDocument): CapturedFact {
  const { data, xmlKind } = row;
  const holder = fieldOf(fieldOf(data, 'company'), 'federalTaxNumber');
  const operationType = fieldOf(data, 'operationType');
  const holderTaxNumber = readTaxNumber(holder);
  return {
    ...(holderTaxNumber === undefined ? {} : { holderTaxNumber }),
    ...(typeof operationType === 'string' ? { operationType } : {}),
    ...(xmlKind === undefined ? {} : { xmlKind }),
    evidence: evidenceOf(row),
  };
}

/** What the sync keeps of a document, by the names of a fact. Terms count from its day of authorisation, as its XML or row has it. */
function valuesOfRow(row: TermDocument): DocumentValues {
  const { issuer, recipient, amountText } = partiesOf(row);
  const termDay = row.termDay ?? termDayOf(row);
  return {
    accessKey: row.accessKey ?? row.id,
    issuerTaxNumber: issuer,
    recipientTaxNumber: recipient,
    totalAmountText: amountText,
    issuedOn: dateOf(row).day ?? termDay,
    authorizedOn: termDay,
    status: row.status,
    nsu: row.nsu,
  };
}
