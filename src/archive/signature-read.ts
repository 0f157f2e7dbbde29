import { Canonical, type Inherited, type Namespaces } from './xml-canonical.js';
import type { XmlTag } from './xml-read.js';

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';

/** Beyond this a signature is no signature of a fiscal document: a certificate takes some 3 KB. */
const MOST_TEXT = 64 * 1024;

/** A signature as it stands in the file, not yet believed. */
export interface SignatureParts {
  /** Elements and attributes by path, e.g. `SignedInfo/Reference@URI`; several of a kind in the order of the text. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** What the issuer signed, in canonical form. */
  readonly signedInfo: string;
}

const attributesRead: Readonly<Record<string, string>> = {
  'SignedInfo/CanonicalizationMethod': 'Algorithm',
  'SignedInfo/SignatureMethod': 'Algorithm',
  'SignedInfo/Reference': 'URI',
  'SignedInfo/Reference/Transforms/Transform': 'Algorithm',
  'SignedInfo/Reference/DigestMethod': 'Algorithm',
};

const textsRead: ReadonlySet<string> = new Set([
  'SignedInfo/Reference/DigestValue',
  'SignatureValue',
  'KeyInfo/X509Data/X509Certificate',
]);

/** Reads one `Signature` element while it goes by, and writes its `SignedInfo` in canonical form. */
export class SignatureReader {
  private readonly path: string[] = [];
  private readonly values = new Map<string, string[]>();
  private readonly canonical: Canonical;
  private signedInfo = '';
  private size = 0;

  constructor(inherited: Inherited) {
    this.canonical = new Canonical((text) => {
      if (this.grows(text)) this.signedInfo += text;
    }, inherited);
  }

  open(tag: XmlTag, inForce: Namespaces): void {
    // What is not of the signature's namespace gets a name that no path has.
    this.path.push(tag.uri === DSIG ? tag.local : `?${tag.local}`);
    const path = this.path.join('/');
    if (this.inSignedInfo()) this.canonical.open(tag, inForce);
    this.add(path, '');
    const name = attributesRead[path];
    const value = name === undefined ? undefined : tag.attributes[name]?.value;
    if (value !== undefined) this.add(`${path}@`, value);
  }

  text(text: string): void {
    if (this.inSignedInfo()) this.canonical.text(text);
    const path = this.path.join('/');
    if (!textsRead.has(path) || !this.grows(text)) return;
    const values = this.values.get(path);
    if (values !== undefined) values.push((values.pop() ?? '') + text);
  }

  close(tag: XmlTag): void {
    if (this.inSignedInfo()) this.canonical.close(tag);
    this.path.pop();
  }

  instruction(target: string, body: string): void {
    if (this.inSignedInfo()) this.canonical.instruction(target, body);
  }

  /** `undefined` when it was larger than a signature can be. */
  parts(): SignatureParts | undefined {
    if (this.size > MOST_TEXT) return undefined;
    return { values: this.values, signedInfo: this.signedInfo };
  }

  private inSignedInfo(): boolean {
    return this.path[0] === 'SignedInfo';
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
