import type { Family } from '../core/records.js';
import { localTime } from '../xml/layout.js';
import { unitOf, uuidOf } from '../core/chance.js';
import type { Core } from '../core/core.js';
import { businessName, withCheckDigits } from '../core/identity.js';
import { beforeEvents, eventName, type StoredEvent } from './document-events.js';
import { type Direction, type StoredDocument, usualNote } from './documents.js';

interface Wanted {
  readonly family: Family;
  readonly companyId: string;
  /** The number of the note. It affects only the invented values. */
  readonly ordinal: number;
  readonly issuedOn: number;
  readonly direction: Direction;
  /** The NSU; defaults to the company's next. */
  readonly nsu?: number | null;
}

const suppliers = 12;
const towns = ['3550308', '3304557', '3106200', '4106902', '2927408', '4314902', '5208707', '2611606'];
const highestAmount = 50_000;

/** Invents a document: the same seed, ordinal and time of issue give the same document. */
export function inventDocument(core: Core, wanted: Wanted): StoredDocument {
  const { family, companyId, ordinal, issuedOn, direction } = wanted;
  const unit = (label: string) => core.chance.unit(`document:${family}:${ordinal}:${label}`);
  const issuer = issuerOf(core, wanted, unit('supplier'));
  const random = String(Math.floor(unit('random') * 1_000_000_000)).padStart(9, '0');
  const parts = { town: issuer.town, issuerTaxNumber: issuer.taxNumber, issuedOn, number: ordinal, random };
  const cents = 100 + Math.floor(unit('amount') * highestAmount * 100);
  const accessKey = makeKey(family, parts);
  const authorizedOn = issuedOn + 60_000;
  return {
    family,
    id: uuidOf(`${companyId}:${accessKey}`),
    companyId,
    accessKey,
    issuerTaxNumber: issuer.taxNumber,
    issuerName: issuer.name,
    totalAmount: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
    issuedOn,
    authorizedOn,
    cancelled: false,
    direction,
    nsu: wanted.nsu === undefined ? nextNsu(core, companyId, family) : wanted.nsu,
    status: 'Processed',
    // No webhook announces it.
    webhookStatus: 'Skipped',
    visibility: 'listed',
    createdOn: Math.max(authorizedOn, Math.min(authorizedOn + 300_000, core.clock.now())),
    modifiedOn: Math.max(authorizedOn, Math.min(authorizedOn + 300_000, core.clock.now())),
    stage: 'full',
    ...usualNote,
    ...intermediaryOf(core, wanted, issuer.taxNumber),
    hostile: null,
  };
}

export function nextNsu(core: Core, companyId: string, family: Family): number {
  return Math.max(core.documents.lastNsu(companyId, family), core.captures.of(companyId, family)?.fromNsu ?? 0) + 1;
}

interface Issuer {
  readonly taxNumber: string;
  readonly name: string;
  readonly town: string;
}

/** The issuer: one of a few suppliers, or the company itself. */
function issuerOf(core: Core, { companyId, direction }: Wanted, unit: number): Issuer {
  const company = direction === 'outgoing' ? core.companies.find(core.account.tenantId, companyId) : undefined;
  if (company === undefined) return supplierOf(core, Math.floor(unit * suppliers));
  const { federalTaxNumber: taxNumber, name } = company;
  return { taxNumber, name, town: townOf(core, taxNumber) };
}

/** One in n NFS-e has an intermediary: another of the suppliers. */
const withIntermediary = 6;

function intermediaryOf(
  core: Core,
  { family, ordinal, direction }: Wanted,
  issuerTaxNumber: string,
): Partial<StoredDocument> {
  if (family !== 'nfse' || direction === 'outgoing') return {};
  const unit = core.chance.unit(`document:${family}:${ordinal}:intermediary`) * withIntermediary;
  if (unit >= 1) return {};
  const { taxNumber, name } = supplierOf(core, Math.floor(unit * suppliers));
  if (taxNumber === issuerTaxNumber) return {};
  return { intermediaryTaxNumber: taxNumber, intermediaryName: name };
}

/** Caches suppliers by seed and number: inventing them takes most of the time of a large seed. */
const invented = new Map<string, Issuer>();
const mostInvented = 10_000;

function supplierOf(core: Core, ordinal: number): Issuer {
  const name = `${core.chance.seed()}:${ordinal}`;
  const known = invented.get(name);
  if (known !== undefined) return known;
  const root = Math.floor(core.chance.unit(`supplier:${ordinal}`) * 90_000_000);
  const taxNumber = withCheckDigits(`${root + 10_000_000}0001`);
  const supplier = { taxNumber, name: businessName(taxNumber), town: townOf(core, taxNumber) };
  if (invented.size >= mostInvented) invented.clear();
  invented.set(name, supplier);
  return supplier;
}

/** The IBGE code of the holder's city. */
export function townOf(core: Core, taxNumber: string): string {
  return towns[Math.floor(core.chance.unit(`town:${taxNumber}`) * towns.length)] ?? '3550308';
}

/** Events that the issuer can register, by the codes of the layouts; an NFS-e is never corrected. */
const codes = {
  cancellation: { nfe: 110111, cte: 110111, nfse: 101101 },
  correction: { nfe: 110110, cte: 110110, nfse: undefined },
  substitution: { nfe: undefined, cte: undefined, nfse: 105102 },
} as const;

const hourMs = 3_600_000;

/** The issuer's event on a document, one hour after its authorisation; `undefined` where the layout has none. */
export function inventEvent(
  document: StoredDocument,
  kind: keyof typeof codes,
  detail: StoredEvent['detail'] = {},
): StoredEvent | undefined {
  const { family, accessKey, companyId, authorizedOn, nsu } = document;
  const eventCode = codes[kind][family];
  if (eventCode === undefined) return undefined;
  const type = String(eventCode);
  const at = authorizedOn + hourMs;
  const number = String(Math.floor(unitOf(`event:${accessKey}:${type}`) * 1e9)).padStart(10, '0');
  const eventKey = family === 'nfse' ? `EVT${accessKey}${type}001` : `ID${type}${accessKey}01`;
  return {
    ...{ family, accessKey, companyId, eventKey, type, description: eventName(eventCode), sequence: 1 },
    protocol: `1${accessKey.slice(0, 2)}${accessKey.slice(2, 4)}${number}`,
    author: null,
    detail,
    nsu: nsu === null ? null : nsu + beforeEvents,
    issuedOn: at,
    createdOn: Math.max(document.createdOn, at),
  };
}

/** facts §1: weights 2 to 9 from the right; a remainder below 2 gives 0. */
function withKeyDigit(base: string): string {
  let sum = 0;
  for (let fromRight = 0; fromRight < base.length; fromRight += 1) {
    const value = base.charCodeAt(base.length - 1 - fromRight) - 48;
    sum += value * (2 + (fromRight % 8));
  }
  const rest = sum % 11;
  return base + (rest < 2 ? '0' : String(11 - rest));
}

/** True if the last character of a key is its check digit. */
export function hasKeyDigit(accessKey: string): boolean {
  return withKeyDigit(accessKey.slice(0, -1)) === accessKey;
}

interface KeyParts {
  /** IBGE code of the issuer's city; its first two digits are the state. */
  readonly town: string;
  readonly issuerTaxNumber: string;
  readonly issuedOn: number;
  readonly number: number;
  /** Random digits; the key uses as many as it has room for. */
  readonly random: string;
}

export function makeKey(family: Family, parts: KeyParts): string {
  switch (family) {
    case 'nfe':
      return makeInvoiceKey('55', parts);
    case 'cte':
      return makeInvoiceKey('57', parts);
    case 'nfse':
      return makeNfseKey(parts);
  }
}

/** facts §1: 44 digits. `emission` is `tpEmis`: 1 is normal, 4 is EPEC. */
export function makeInvoiceKey(
  model: string,
  { town, issuerTaxNumber, issuedOn, number, random }: KeyParts,
  { serie = 1, emission = '1' }: { readonly serie?: number; readonly emission?: '1' | '4' } = {},
): string {
  const state = town.slice(0, 2);
  const place = `${model}${String(serie).padStart(3, '0')}${String(number).padStart(9, '0')}`;
  return withKeyDigit(`${state}${yearAndMonth(issuedOn)}${issuerTaxNumber}${place}${emission}${random.slice(0, 8)}`);
}

/** facts §2: 50 digits, issued at the national environment by the holder of a CNPJ. */
function makeNfseKey({ town, issuerTaxNumber, issuedOn, number, random }: KeyParts): string {
  const ordinal = String(number).padStart(13, '0');
  return withKeyDigit(`${town}22${issuerTaxNumber}${ordinal}${yearAndMonth(issuedOn)}${random.slice(0, 9)}`);
}

/** Year and month of the local date in the document, two digits each. */
function yearAndMonth(at: number): string {
  const [year = '', month = ''] = localTime(at).split('-');
  return year.slice(2) + month;
}
