import { Canonical, type CanonicalPiece } from './xml-canonical.js';
import { fieldSteps, FieldWalk } from './xml-fields.js';
import type { XmlSource, XmlTag, XmlText } from './xml-read.js';
import type { XmlScopes } from './xml-scopes.js';

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

const steps = fieldSteps(['SignedInfo', ...Object.keys(attributesRead), ...textsRead]);

/** Reads one `Signature` element while it goes by, and writes its `SignedInfo` in canonical form. */
export class SignatureReader {
  private readonly walk = new FieldWalk(steps);
  private readonly values = new Map<string, string[]>();
  private readonly canonical = new Canonical((piece) => this.write(piece));
  private depth = 0;
  private pathLength = -1;
  private inSignedInfo = false;
  private signedInfo = '';
  private size = 0;

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

  /** `undefined` when it was larger than a signature can be. */
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

/** What is not of the signature's namespace gets a name that no path has. */
function nameOf({ uri, local }: XmlTag): string {
  return uri === DSIG ? local : `?${local}`;
}
