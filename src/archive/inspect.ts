import { looksLikeKey } from '../domain/access-key.js';
import type { Text } from '../contract/text.js';
import { localDay } from '../domain/document-date.js';
import { cnpjRoot, type EventFacts, type XmlFacts } from '../domain/document-fact.js';
import { formatCnpj, formatCpf } from '../domain/tax-number.js';
import { xmlReasons } from '../errors/xml-reasons.js';
import { judgeSignature, type SignatureResult, type SignatureVerdict } from './signature.js';
import type { Certificates } from './signature-certificate.js';
import { collectXml, type XmlCollector } from './xml-collect.js';
import type { XmlKind, XmlLayout } from './xml-layouts.js';
import { decoded, encodingOf } from './xml-encoding.js';
import { XmlRefused, type XmlProblem, type XmlLimits } from './xml-read.js';

/** What the file is according to its metadata. Absent fields are not compared. */
export interface ExpectedXml {
  readonly accessKey?: string | undefined;
  readonly family?: 'nfe' | 'cte' | 'nfse';
  /** Whether the file must be the document or one of its events. */
  readonly part?: 'document' | 'event';
  /** The event must have this code and sequence. */
  readonly event?: { readonly code: number; readonly sequence?: number };
  /** An XML of a layout that is not known here passes if it names the company: those of the cities are many (decision 36). */
  readonly anyLayout?: true;
  /** CNPJ or CPF of the company: it must be issuer or one of the others. Events name their author only. */
  readonly companyTaxNumber?: string | undefined;
  /** The company must be the issuer of the document. */
  readonly isIssuedByCompany?: true;
  /** Rejects a document without a valid signature. A summary passes: the authority never signs one. */
  readonly requireSignature?: boolean;
  /** The full document is archived already, so its summary is rejected. */
  readonly hasFull?: boolean;
  readonly limits?: XmlLimits;
  /** Shared by the files of one run, so that the certificate of an issuer is read once. */
  readonly certificates?: Certificates;
}

export interface XmlInspection {
  readonly kind: XmlKind;
  readonly accessKey: string | undefined;
  /** As written in the document. */
  readonly issuedOn: string | undefined;
  /** Of an event: its author. */
  readonly issuerTaxNumber: string | undefined;
  /** Everyone else with a right to the document: recipient, taker, carrier, authorised readers. */
  readonly recipientTaxNumbers: readonly string[];
  /** Of a document. */
  readonly facts?: XmlFacts;
  /** Of an event with a readable code and sequence number. */
  readonly event?: EventFacts;
  readonly signature: SignatureVerdict;
  readonly signatureReason?: Text;
  /** Subject and validity of the certificate: reported, not checked. */
  readonly certificate?: SignatureResult['certificate'];
  /** Empty: the file matches its metadata. */
  readonly problems: readonly XmlProblem[];
}

/**
 * Reads one fiscal XML (nfeProc, cteProc, NFS-e, their events) in one pass and compares it with its metadata. Never throws
 * because of the content: hostile, broken and foreign files are returned with their problems.
 */
export function inspectXml(bytes: Uint8Array, expected: ExpectedXml = {}): XmlInspection {
  try {
    const collector = collectXml(bytes, expected.limits);
    if (collector.layout === undefined) return ofNoLayout(bytes, collector.root, expected);
    return inspected(collector, collector.layout, expected);
  } catch (error) {
    if (error instanceof XmlRefused) return unreadable([error.problem]);
    throw error;
  }
}

function inspected(collector: XmlCollector, layout: XmlLayout, expected: ExpectedXml): XmlInspection {
  const accessKey = keyOf(collector, layout);
  const recipientTaxNumbers = [...new Set(collector.values(layout.others))];
  const [issuerTaxNumber] = collector.values(layout.issuer);
  const [issuedOn] = collector.values(layout.issuedOn);
  const { verdict, reason, certificate } = signatureOf(collector, expected.certificates);
  const facts = { kind: layout.kind, accessKey, issuedOn, issuerTaxNumber, recipientTaxNumbers };
  const event = eventOf(collector, layout);
  return {
    ...facts,
    ...(layout.facts === undefined ? {} : { facts: factsOf(collector, layout) }),
    ...(event === undefined ? {} : { event }),
    signature: verdict,
    ...(reason === undefined ? {} : { signatureReason: reason }),
    ...(certificate === undefined ? {} : { certificate }),
    problems: [
      ...differences(facts, expected),
      ...(isOtherEvent(event, expected) ? [otherEvent] : []),
      ...(isOfOtherKey(collector, layout, accessKey) ? [otherProtocol] : []),
      ...(layout.isUnsigned === true ? [] : signatureProblems(verdict, reason, expected)),
    ],
  };
}

/** A date that is none is left out: the row of the list or the access key then date the document. */
function factsOf(collector: XmlCollector, layout: XmlLayout): XmlFacts {
  const { issuedOn, authorizedOn, ...facts } = textsAt(
    collector,
    { issuedOn: layout.issuedOn, ...layout.facts },
    layout,
  );
  return {
    ...facts,
    ...(issuedOn !== undefined && localDay(issuedOn) !== undefined && { issuedOn }),
    ...(authorizedOn !== undefined && localDay(authorizedOn) !== undefined && { authorizedOn }),
  };
}

/** Several codes or sequences, or none, tell nothing. */
function eventOf(collector: XmlCollector, layout: XmlLayout): EventFacts | undefined {
  const { event } = layout;
  if (event?.code === undefined || event.sequence === undefined) return undefined;
  const codes = collector.values(event.code).flatMap((text) => /^e?(\d{6})$/.exec(text)?.[1] ?? []);
  const sequences = event.sequence.map((path) => collector.values([path]));
  const [sequence = '1', ...more] = sequences.find(({ length }) => length > 0) ?? [];
  if (codes.length !== 1 || more.length > 0 || !/^\d{1,3}$/.test(sequence)) return undefined;
  const { code: _code, sequence: _sequence, ...others } = event;
  return { ...textsAt(collector, others, layout), code: Number(codes[0]), sequence: Number(sequence) };
}

/** The first text at each of these places, and in the answer of the authority. */
function textsAt(
  collector: XmlCollector,
  paths: Readonly<Partial<Record<string, readonly string[]>>>,
  { protocol }: XmlLayout,
): Readonly<Record<string, string>> {
  const ofProtocol = Object.entries(protocol?.facts ?? {}).map(
    ([name, fact]) => [fact, [`${protocol?.path}/${name}`]] as const,
  );
  const texts = [...Object.entries(paths), ...ofProtocol].flatMap(([name, places = []]) => {
    const [text] = collector.values(places);
    return text === undefined ? [] : [[name, text] as const];
  });
  return Object.fromEntries(texts);
}

function keyOf(collector: XmlCollector, { key }: XmlLayout): string | undefined {
  const values = 'path' in key ? collector.values([key.path]) : [withoutPrefix(collector.id, key.prefix)];
  const [value = ''] = values;
  return values.length === 1 && looksLikeKey(value) ? value : undefined;
}

/** Whether the protocol in the file registers another access key than that of the document. */
function isOfOtherKey(collector: XmlCollector, layout: XmlLayout, accessKey: string | undefined): boolean {
  const { protocol } = layout;
  if (protocol === undefined || accessKey === undefined) return false;
  return collector.values([`${protocol.path}/${protocol.key}`]).some((key) => key !== accessKey);
}

function withoutPrefix(id: string | undefined, prefix: string): string {
  return id?.startsWith(prefix) === true ? id.slice(prefix.length) : '';
}

function signatureOf(collector: XmlCollector, certificates?: Certificates): SignatureResult {
  if (collector.signatures.length === 0) return { verdict: 'absent' };
  const parts = collector.signatureParts();
  if (collector.signatures.length > 1 || parts === undefined) return wrongSignatures;
  if (collector.id !== undefined && collector.doubledIds.has(collector.id)) return doubledId;
  if (collector.isMisread) return otherEncoding;
  return judgeSignature(parts, collector.element(), certificates);
}

type Facts = Pick<XmlInspection, 'kind' | 'accessKey' | 'issuedOn' | 'issuerTaxNumber' | 'recipientTaxNumbers'>;

function differences(facts: Facts, expected: ExpectedXml): readonly XmlProblem[] {
  const [family, part] = facts.kind.split('-');
  const isEvent = part === 'event';
  const problems: XmlProblem[] = [];
  if (facts.accessKey === undefined) problems.push(noKey);
  else if (expected.accessKey !== undefined && facts.accessKey !== expected.accessKey) problems.push(otherKey);
  if (expected.family !== undefined && family !== expected.family) problems.push(otherType);
  if (expected.part !== undefined && (expected.part === 'event') !== isEvent) problems.push(otherPart);
  if (part === 'summary' && expected.hasFull === true) problems.push(summaryAfterFull);
  if (part === undefined) problems.push(...companyProblems(facts, expected));
  return problems;
}

function companyProblems(facts: Facts, expected: ExpectedXml): readonly XmlProblem[] {
  const { companyTaxNumber, isIssuedByCompany = false } = expected;
  if (!concerns(facts, companyTaxNumber)) return [otherCompany];
  const isIssuer = companyTaxNumber === undefined || facts.issuerTaxNumber === companyTaxNumber;
  return isIssuedByCompany && !isIssuer ? [otherIssuer] : [];
}

function concerns({ issuerTaxNumber, recipientTaxNumbers }: Facts, company: string | undefined): boolean {
  if (company === undefined) return true;
  // The establishments of a company are one: a document of a branch is distributed to the others.
  const root = cnpjRoot(company);
  return [issuerTaxNumber ?? '', ...recipientTaxNumbers].some((number) => cnpjRoot(number) === root);
}

function signatureProblems(
  verdict: SignatureVerdict,
  reason: Text | undefined,
  { requireSignature = false }: ExpectedXml,
): readonly XmlProblem[] {
  if (!requireSignature || verdict === 'valid') return [];
  if (verdict === 'absent') return [noSignature];
  return [{ code: 'bad-signature', message: reason ?? xmlReasons.badSignature }];
}

/** Whether a code or sequence was expected that this event does not have. */
function isOtherEvent(event: XmlInspection['event'], { event: expected }: ExpectedXml): boolean {
  if (expected === undefined) return false;
  if (event?.code !== expected.code) return true;
  return expected.sequence !== undefined && event.sequence !== expected.sequence;
}

/**
 * Well-formed, and nothing in it is at a known place: only the tax number of the company can be looked for. A page or an error
 * about the document may repeat the key that was asked for, so a key says nothing.
 */
function ofNoLayout(
  bytes: Uint8Array,
  root: string,
  { anyLayout, companyTaxNumber, requireSignature = false }: ExpectedXml,
): XmlInspection {
  if (root.toLowerCase() === 'html') return unreadable([html]);
  if (anyLayout !== true || companyTaxNumber === undefined || !names(bytes, companyTaxNumber))
    return unreadable([unknownLayout]);
  return { ...unreadable(requireSignature ? [noSignature] : []), signature: 'unverifiable' };
}

/** Whether the number stands in the text, with or without punctuation. Within a longer one, such as an access key, it is another. */
function names(bytes: Uint8Array, taxNumber: string): boolean {
  const text = [...decoded(bytes, encodingOf(bytes).name)].join('');
  const written = [taxNumber, formatCnpj(taxNumber), formatCpf(taxNumber)];
  const forms = written.map((form) => form.replaceAll(/\W/g, String.raw`\$&`)).join('|');
  return new RegExp(`(?<![0-9A-Z])(?:${forms})(?![0-9A-Z])`, 'i').test(text);
}

function unreadable(problems: readonly XmlProblem[]): XmlInspection {
  return {
    kind: 'unknown',
    accessKey: undefined,
    issuedOn: undefined,
    issuerTaxNumber: undefined,
    recipientTaxNumbers: [],
    signature: 'absent',
    problems,
  };
}

const wrongSignatures: SignatureResult = { verdict: 'invalid', reason: xmlReasons.wrongSignatures };
const otherEncoding: SignatureResult = { verdict: 'unverifiable', reason: xmlReasons.otherEncoding };
const doubledId: SignatureResult = { verdict: 'invalid', reason: xmlReasons.doubledId };

const unknownLayout: XmlProblem = { code: 'unknown-layout', message: xmlReasons.unknownLayout };
const html: XmlProblem = { code: 'html', message: xmlReasons.html };
const noKey: XmlProblem = { code: 'no-key', message: xmlReasons.noKey };
const otherKey: XmlProblem = { code: 'other-key', message: xmlReasons.otherKey };
const otherProtocol: XmlProblem = { code: 'other-protocol', message: xmlReasons.otherProtocol };
const summaryAfterFull: XmlProblem = { code: 'summary-after-full', message: xmlReasons.summaryAfterFull };
const otherType: XmlProblem = { code: 'other-type', message: xmlReasons.otherType };
const otherPart: XmlProblem = { code: 'other-event', message: xmlReasons.otherPart };
const otherEvent: XmlProblem = { code: 'other-event', message: xmlReasons.otherEvent };
const otherCompany: XmlProblem = { code: 'other-company', message: xmlReasons.otherCompany };
const otherIssuer: XmlProblem = { code: 'other-company', message: xmlReasons.otherIssuer };
const noSignature: XmlProblem = { code: 'no-signature', message: xmlReasons.noSignature };
