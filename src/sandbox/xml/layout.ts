import type { KnownCompany } from '../core/records.js';
import { businessName, withCheckDigits } from '../core/identity.js';
import type { StoredDocument } from '../document/documents.js';

/** The parties of a document. */
export interface Parties {
  readonly issuer: Party;
  /** Recipient or taker. */
  readonly recipient: Party;
}

export interface Party {
  readonly taxNumber: string;
  readonly name: string;
}

export interface LayoutInput {
  readonly document: StoredDocument;
  readonly parties: Parties;
}

/** A document with one signed element. */
export interface Signable {
  /** Value of the attribute `Id`. */
  readonly id: string;
  /** The element in C14N form; inside its parents it inherits their namespace. */
  signed(asCanonical: boolean): string;
  /** The whole document around the signed element and its signature. */
  wrap(signature: string, digest: string): string;
}

/** The signed element of a layout. */
interface SignedElement {
  readonly name: string;
  /** Value of its attribute `Id`. */
  readonly id: string;
  readonly namespace: string;
  /** Absent if only the root of the layout has the version. */
  readonly version?: string;
  readonly content: readonly Xml[];
}

/**
 * Builds a signable document. `around` writes the root, the signed element, the signature and the authority's answer.
 */
export function signable(
  { name, id, namespace, version, content }: SignedElement,
  around: (signed: string, signature: string, digest: string) => string,
): Signable {
  const inner = written(content);
  const attributes = ` Id="${id}"${version === undefined ? '' : ` versao="${version}"`}`;
  const signed = (asCanonical: boolean) =>
    `<${name}${asCanonical ? ` xmlns="${namespace}"` : ''}${attributes}>${inner}</${name}>`;
  return { id, signed, wrap: (signature, digest) => xmlHead + around(signed(false), signature, digest) };
}

/** The authorisation of a document. Times are milliseconds since the epoch. */
export interface Authorization {
  readonly accessKey: string;
  readonly authorizedOn: number;
  readonly protocol: string;
}

/** `protNFe` or `protCTe` 4.00: the answer of the authority that authorized the document. */
export function authorizationProtocol(
  document: 'NFe' | 'CTe',
  { accessKey, authorizedOn, protocol }: Authorization,
  digest: string,
): string {
  const content = group('infProt', {
    tpAmb: 2,
    verAplic: 'SANDBOX',
    [`ch${document}`]: accessKey,
    dhRecbto: localTime(authorizedOn),
    nProt: protocol,
    digVal: digest,
    cStat: 100,
    xMotivo: document === 'NFe' ? 'Autorizado o uso da NF-e' : 'Autorizado o uso do CT-e',
  });
  return `<prot${document} versao="4.00">${content.xml}</prot${document}>`;
}

/** The protocol of a captured document, derived from its key. */
export function protocolOf(accessKey: string): string {
  return `1${accessKey.slice(0, 4)}${accessKey.slice(25, 35)}`;
}

export const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>';

/** `2026-10-03T10:00:00-03:00`: the authority writes Brasília time with its offset. */
export function localTime(at: number): string {
  return `${new Date(at - 10_800_000).toISOString().slice(0, 19)}-03:00`;
}

/** Converts text with two decimals to cents, and back. */
export function centsOf(amountText: string): number {
  return Number(amountText.replace('.', ''));
}

export function amountText(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A tax in cents. `rate`: hundredths of a percent; `cents`: the base. */
export function taxOf(cents: number, rate: number): number {
  return Math.round((cents * rate) / 10_000);
}

/** The content of an element: text, or written elements. */
type Content = string | number | readonly Xml[];

/** Written XML, a type of its own, so that text is always escaped. */
export interface Xml {
  readonly xml: string;
}

/** `<name>content</name>`, never self-closing, as in C14N. */
export function element(name: string, content: Content = ''): Xml {
  const inner = typeof content === 'object' ? written(content) : escapeText(String(content));
  return { xml: `<${name}>${inner}</${name}>` };
}

export function written(parts: readonly Xml[]): string {
  return parts.map(({ xml }) => xml).join('');
}

/** Elements with text only, in order. */
export function leaves(fields: Readonly<Record<string, string | number>>): readonly Xml[] {
  return Object.entries(fields).map(([name, text]) => element(name, text));
}

export function group(name: string, fields: Readonly<Record<string, string | number>>): Xml {
  return element(name, leaves(fields));
}

/** C14N 1.0 §2.3: escapes these three characters and carriage return. XML allows no other control characters. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#xD;');
}

const customerTaxNumber = withCheckDigits('111222330001');
/** The customer of invented notes that a company issues. */
export const customer: Party = { taxNumber: customerTaxNumber, name: businessName(customerTaxNumber) };

/**
 * Buyer or taker: the stored one, else derived from the direction. The names are empty if the document names none.
 */
export function recipientOf(
  {
    direction,
    recipientTaxNumber,
    recipientName,
  }: Pick<StoredDocument, 'direction' | 'recipientTaxNumber' | 'recipientName'>,
  company: KnownCompany | undefined,
): Party {
  if (recipientTaxNumber !== null) return { taxNumber: recipientTaxNumber, name: recipientName ?? '' };
  if (direction === 'outgoing' || company === undefined) return customer;
  return { taxNumber: company.federalTaxNumber, name: company.name };
}
