import { createHash, type Hash, verify, type KeyObject } from 'node:crypto';
import { Canonical, type CanonicalForm, type CanonicalPiece, usualForm, type XmlScopes } from './xml-canonical.js';
import { fieldSteps, FieldWalk } from './xml-layouts.js';
import type { XmlSource, XmlTag, XmlText } from './xml-read.js';
import type { Text } from '../contract/text.js';
import { xmlReasons } from '../errors/xml-reasons.js';
import { Certificates, type SignatureCertificate } from './signature-certificate.js';

const names = ['sha1', 'sha256'] as const;
type DigestName = (typeof names)[number];

/** Text kept before it is hashed. Nearly every document fits, and then only the requested digest is computed. */
const MOST_KEPT = 64 * 1024;

/** Digests of a text that comes in pieces, in bounded memory. */
export class TextDigests {
  #kept: (string | Uint8Array)[] = [];
  /** Adjacent texts are joined, because a character may be split between them. */
  #text = '';
  #length = 0;
  #hashes: Readonly<Record<DigestName, Hash>> | undefined;

  /** Bytes are not copied, and must not change before the digest is computed. */
  add(piece: string | Uint8Array): void {
    if (typeof piece === 'string') this.#text += piece;
    else {
      this.#keepText();
      this.#kept.push(piece);
    }
    this.#length += piece.length;
    if (this.#length >= MOST_KEPT) this.#hash();
  }

  /** In base64, of everything added so far. */
  of(name: DigestName): string {
    const hash = this.#hashes?.[name].copy() ?? createHash(name);
    this.#keepText();
    for (const piece of this.#kept) hash.update(piece);
    return hash.digest('base64');
  }

  #keepText(): void {
    if (this.#text !== '') this.#kept.push(this.#text);
    this.#text = '';
  }

  #hash(): void {
    this.#hashes ??= { sha1: createHash('sha1'), sha256: createHash('sha256') };
    this.#keepText();
    for (const name of names) {
      for (const piece of this.#kept) this.#hashes[name].update(piece);
    }
    this.#kept = [];
    this.#length = 0;
  }
}

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** Characters of a signature. Those of fiscal documents are far smaller: a certificate takes about 3 KB. */
const MOST_TEXT = 64 * 1024;

/** A signature as written in the file, not verified yet. */
export interface SignatureParts {
  /** Elements and attributes by path, e.g. `SignedInfo/Reference@URI`; repeated ones in document order. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** What the issuer signed, in canonical form. */
  readonly signedInfo: string;
}

const attributesRead: Readonly<Record<string, string>> = {
  'SignedInfo/CanonicalizationMethod': 'Algorithm',
  'SignedInfo/CanonicalizationMethod/InclusiveNamespaces': 'PrefixList',
  'SignedInfo/SignatureMethod': 'Algorithm',
  'SignedInfo/Reference': 'URI',
  'SignedInfo/Reference/Transforms/Transform': 'Algorithm',
  'SignedInfo/Reference/Transforms/Transform/InclusiveNamespaces': 'PrefixList',
  'SignedInfo/Reference/DigestMethod': 'Algorithm',
};

const textsRead: ReadonlySet<string> = new Set([
  'SignedInfo/Reference/DigestValue',
  'SignatureValue',
  'KeyInfo/X509Data/X509Certificate',
]);

const steps = fieldSteps(['SignedInfo', ...Object.keys(attributesRead), ...textsRead]);

/** Reads one `Signature` element from the events of the reader, and writes its `SignedInfo` in canonical form. */
export class SignatureReader {
  private readonly walk = new FieldWalk(steps);
  private readonly values = new Map<string, string[]>();
  private readonly canonical: Canonical;
  private depth = 0;
  private pathLength = -1;
  private inSignedInfo = false;
  private signedInfo = '';
  private size = 0;

  constructor(form: CanonicalForm) {
    this.canonical = new Canonical((piece) => this.write(piece), form);
  }

  open(tag: XmlTag, scopes: XmlScopes, source?: XmlSource): void {
    const name = nameOf(tag);
    this.depth += 1;
    this.pathLength += name.length + 1;
    if (this.depth === 1) this.inSignedInfo = name === 'SignedInfo';
    if (this.inSignedInfo) this.canonical.open(tag, scopes, source);
    this.walk.open(name);
    this.openRead(tag);
  }

  text(text: XmlText, source?: XmlSource): void {
    if (this.inSignedInfo) this.canonical.text(text, source);
    const path = this.walk.field;
    if (path === undefined || !textsRead.has(path)) return;
    const value = String(text);
    const values = this.values.get(path);
    if (this.grows(value) && values !== undefined) values.push((values.pop() ?? '') + value);
  }

  close(tag: XmlTag, source?: XmlSource): void {
    if (this.inSignedInfo) this.canonical.close(tag, source);
    this.walk.close();
    this.pathLength -= nameOf(tag).length + 1;
    this.depth -= 1;
    if (this.depth === 0) this.inSignedInfo = false;
  }

  instruction(target: string, body: string): void {
    if (this.inSignedInfo) this.canonical.instruction(target, body);
  }

  comment(text: string): void {
    if (this.inSignedInfo) this.canonical.comment(text);
  }

  /** `undefined` if it exceeds the size limit. */
  parts(): SignatureParts | undefined {
    if (this.size > MOST_TEXT) return undefined;
    return { values: this.values, signedInfo: this.signedInfo };
  }

  private write(piece: CanonicalPiece): void {
    const text = typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    if (this.grows(text)) this.signedInfo += text;
  }

  private openRead(tag: XmlTag): void {
    const path = this.walk.field;
    if (path === undefined) {
      this.size += this.pathLength;
      return;
    }
    this.add(path, '');
    const name = attributesRead[path];
    const value = name === undefined ? undefined : tag.attributes[name]?.value;
    if (value !== undefined) this.add(`${path}@`, value);
  }

  private add(path: string, value: string): void {
    if (!this.grows(path) || !this.grows(value)) return;
    const values = this.values.get(path);
    if (values === undefined) this.values.set(path, [value]);
    else values.push(value);
  }

  private grows(text: string): boolean {
    this.size += text.length;
    return this.size <= MOST_TEXT;
  }
}

/** An element of another namespace gets a name that is in no path. */
function nameOf({ uri, local }: XmlTag): string {
  const isRead = uri === DSIG || (uri === EXCLUSIVE && local === 'InclusiveNamespaces');
  return isRead ? local : `?${local}`;
}

/**
 * `unverifiable`: the algorithm is not supported, or the certificate is missing. The verdict is never about trust: the
 * certificate is reported, its chain and its validity are not checked.
 */
export type SignatureVerdict = 'valid' | 'invalid' | 'absent' | 'unverifiable';

export interface SignatureResult {
  readonly verdict: SignatureVerdict;
  readonly reason?: Text;
  readonly certificate?: SignatureCertificate;
}

/** The signed element as it was read: its Id, and the digest of each canonical form that was asked for, in base64. */
export interface SignedElement {
  readonly id: string | undefined;
  digests(name: DigestName): readonly string[];
}

const CANONICAL = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

const digestNames: Readonly<Record<string, DigestName>> = {
  'http://www.w3.org/2000/09/xmldsig#sha1': 'sha1',
  'http://www.w3.org/2001/04/xmlenc#sha256': 'sha256',
};

const signatureNames: Readonly<Record<string, DigestName>> = {
  'http://www.w3.org/2000/09/xmldsig#rsa-sha1': 'sha1',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'sha256',
};

/**
 * Verifies one enveloped signature (facts §6): exactly one reference, to the element that was read, by its Id; Canonical XML
 * 1.0 or its exclusive form, in which the element was read (`declaredForms`); RSA with SHA-1 or SHA-256. Checks that can prove it invalid come before those that make it unverifiable.
 */
export function judgeSignature(
  parts: SignatureParts,
  element: SignedElement,
  certificates = new Certificates(),
): SignatureResult {
  const one = (path: string): string | undefined => single(parts, path);
  if (one('SignedInfo') === undefined || one('SignedInfo/Reference') === undefined) return notOne;
  if (element.id === undefined || one('SignedInfo/Reference@') !== `#${element.id}`) return otherElement;
  const digest = digestNames[one('SignedInfo/Reference/DigestMethod@') ?? ''];
  const algorithm = signatureNames[one('SignedInfo/SignatureMethod@') ?? ''];
  if (digest === undefined || algorithm === undefined || declaredForms(parts) === undefined) return unknownAlgorithm;
  const declared = one('SignedInfo/Reference/DigestValue')?.replaceAll(/\s/g, '') ?? '';
  if (!element.digests(digest).includes(declared)) return otherDigest;
  return judgeValue(parts, algorithm, certificates);
}

function judgeValue(parts: SignatureParts, algorithm: DigestName, certificates: Certificates): SignatureResult {
  const encoded = parts.values.get('KeyInfo/X509Data/X509Certificate')?.[0];
  const value = single(parts, 'SignatureValue');
  if (value === undefined) return notOne;
  const certificate = encoded === undefined ? undefined : certificates.read(encoded);
  if (certificate === undefined) return noCertificate;
  const { key, facts, isUsable } = certificate;
  if (!isUsable) return { ...unknownAlgorithm, certificate: facts };
  const signature = Buffer.from(value, 'base64');
  if (verifies({ algorithm, signed: parts.signedInfo, key, signature })) {
    return { verdict: 'valid', certificate: facts };
  }
  return { ...otherValue, certificate: facts };
}

function verifies(claim: { algorithm: DigestName; signed: string; key: KeyObject; signature: Buffer }): boolean {
  try {
    return verify(claim.algorithm, Buffer.from(claim.signed), claim.key, claim.signature);
  } catch {
    // The library throws for a value of the wrong length, which is an invalid signature.
    return false;
  }
}

/** The canonical forms that a signature declares. */
export interface SignatureForms {
  readonly signedInfo: CanonicalForm;
  /** One of them is what was signed. */
  readonly element: readonly CanonicalForm[];
}

export const usualForms: SignatureForms = { signedInfo: usualForm, element: [usualForm] };

/** `undefined` for another form, or a transform that could select another part of the document. */
export function declaredForms(parts: SignatureParts): SignatureForms | undefined {
  const method = 'SignedInfo/CanonicalizationMethod';
  const transform = 'SignedInfo/Reference/Transforms/Transform';
  const transforms = parts.values.get(`${transform}@`) ?? [];
  if (transforms.length !== (parts.values.get(transform)?.length ?? 0)) return undefined;
  const [name = CANONICAL, ...others] = new Set(transforms.filter((one) => one !== ENVELOPED));
  const signedInfo = formOf(parts, method, single(parts, `${method}@`));
  const element = formOf(parts, transform, name);
  if (signedInfo === undefined || element === undefined || others.length > 0) return undefined;
  return { signedInfo, element: readings(element) };
}

/**
 * A reference by Id leaves comments out, whatever its transform says (XML Signature §4.4.3.3). Some libraries keep them. Either
 * way every element and text is covered.
 */
function readings(form: CanonicalForm): readonly CanonicalForm[] {
  return form.withComments ? [{ ...form, withComments: false }, form] : [form];
}

const WITH_COMMENTS = 'WithComments';

/** The form of this name, and of the list of prefixes at this path. */
function formOf(parts: SignatureParts, path: string, name: string | undefined): CanonicalForm | undefined {
  if (name === CANONICAL || name === `${CANONICAL}#${WITH_COMMENTS}`)
    return name === CANONICAL ? usualForm : { withComments: true };
  if (name !== EXCLUSIVE && name !== `${EXCLUSIVE}${WITH_COMMENTS}`) return undefined;
  const lists = parts.values.get(`${path}/InclusiveNamespaces@`) ?? [];
  const prefixes = (lists[0] ?? '').split(/[ \t\r\n]+/).filter((prefix) => prefix !== '');
  if (lists.length > 1 || prefixes.length > MOST_PREFIXES) return undefined;
  const exclusiveBut = prefixes.map((prefix) => (prefix === '#default' ? '' : prefix));
  return { withComments: name !== EXCLUSIVE, exclusiveBut };
}

/** Every element is compared with each of them. */
const MOST_PREFIXES = 32;

function single(parts: SignatureParts, path: string): string | undefined {
  const values = parts.values.get(path);
  return values?.length === 1 ? values[0] : undefined;
}

const notOne: SignatureResult = { verdict: 'invalid', reason: xmlReasons.notOneReference };
const otherElement: SignatureResult = { verdict: 'invalid', reason: xmlReasons.otherElement };
const otherDigest: SignatureResult = { verdict: 'invalid', reason: xmlReasons.otherDigest };
const otherValue: SignatureResult = { verdict: 'invalid', reason: xmlReasons.otherValue };
const noCertificate: SignatureResult = { verdict: 'unverifiable', reason: xmlReasons.noCertificate };
const unknownAlgorithm: SignatureResult = { verdict: 'unverifiable', reason: xmlReasons.unknownAlgorithm };
