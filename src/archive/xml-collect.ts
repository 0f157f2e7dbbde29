import { isDeepStrictEqual } from 'node:util';
import { xmlReasons } from '../errors/xml-reasons.js';
import { Canonical, hasNoAttributes, XmlScopes } from './xml-canonical.js';
import { FieldWalk, layoutOf, type XmlLayout } from './xml-layouts.js';
import { readEitherXml } from './xml-plain.js';
import { refuseXml, type XmlLimits, type XmlSource, type XmlTag, type XmlText, type XmlVisitor } from './xml-read.js';
import {
  declaredForms,
  SignatureReader,
  type SignatureForms,
  type SignatureParts,
  type SignedElement,
  TextDigests,
  usualForms,
} from './signature.js';

/** Characters of a field: a key, a date or a tax number. */
const MOST_FIELD = 256;
const MOST_IDS = 10_000;
const idNames = ['Id', 'ID', 'id'] as const;

/**
 * Reads a document in the canonical form that its signature declares. The signature stands after what it signs: a document of
 * another form than the usual one is read twice. Throws `XmlRefused`.
 */
export function collectXml(bytes: Uint8Array, limits?: XmlLimits): XmlCollector {
  const first = readEitherXml(bytes, () => new XmlCollector(), limits);
  const parts = first.signatureParts();
  const forms = parts && declaredForms(parts);
  if (forms === undefined || isDeepStrictEqual(forms, usualForms)) return first;
  return readEitherXml(bytes, () => new XmlCollector(forms), limits);
}

/**
 * One pass over a document: collects the fields of the signed element, hashes that element in canonical form, and reads its
 * signature. Anything that could make "the element that was read" ambiguous is refused.
 */
export class XmlCollector implements XmlVisitor {
  /** The local name of the root. */
  root = '';
  layout: XmlLayout | undefined;
  id: string | undefined;
  /** Ids of more than one element. */
  readonly doubledIds = new Set<string>();
  readonly signatures: SignatureReader[] = [];
  /** The text is a guess, because the bytes are not of the encoding that the file declares. */
  isMisread = false;

  private readonly scopes = new XmlScopes();
  private readonly fields = new Map<string, string[]>();
  private readonly ids = new Set<string>();
  /** Of each form of the signed element. */
  private readonly digests: readonly TextDigests[];
  /** The names from the root to the signed element, and how many of them are open. */
  private signedPath: readonly string[] = [];
  private openOnPath = 0;
  private holders = 0;
  /** Of the signed element while it is open: its fields, and a writer of each form. */
  private signed: FieldWalk | undefined;
  private canonicals: readonly Canonical[] = [];
  private signedSeen = false;
  /** Follows the fields outside the signed element and the signature. */
  private outerWalk: FieldWalk | undefined;
  private signature: { readonly reader: SignatureReader; readonly depth: number } | undefined;

  constructor(private readonly forms: SignatureForms = usualForms) {
    this.digests = forms.element.map(() => new TextDigests());
  }

  open(tag: XmlTag, source?: XmlSource): void {
    const { scopes } = this;
    scopes.open(tag);
    if (scopes.depth === 1) this.start(tag);
    else if (this.isOutside()) this.openField(tag.local, this.outerWalk);
    if (!hasNoAttributes(tag)) this.rememberId(tag);
    if (this.signature !== undefined) {
      this.signature.reader.open(tag, scopes, source);
      return;
    }
    if (this.signed !== undefined) this.openField(tag.local, this.signed);
    else if (this.openOnPath === scopes.depth - 1) this.openChildOnPath(tag);
    for (const canonical of this.canonicals) canonical.open(tag, scopes, source);
  }

  text(text: XmlText, source?: XmlSource): void {
    this.signature?.reader.text(text, source);
    for (const canonical of this.canonicals) canonical.text(text, source);
    const field = this.signed === undefined ? this.outerWalk?.field : this.signed.field;
    if (field !== undefined) this.addToField(field, String(text));
  }

  close(tag: XmlTag, source?: XmlSource): void {
    const { depth } = this.scopes;
    if (this.signature !== undefined) {
      if (depth === this.signature.depth) this.signature = undefined;
      else this.signature.reader.close(tag, source);
    }
    if (this.signed !== undefined) {
      for (const canonical of this.canonicals) canonical.close(tag, source);
      this.signed.close();
      if (depth === this.signedPath.length) this.leaveSigned();
    }
    if (depth > 1 && this.isOutside()) this.outerWalk?.close();
    if (depth === this.openOnPath) this.openOnPath -= 1;
    this.scopes.close();
  }

  instruction(target: string, body: string): void {
    this.signature?.reader.instruction(target, body);
    for (const canonical of this.canonicals) canonical.instruction(target, body);
  }

  misread(): void {
    this.isMisread = true;
  }

  comment(text: string): void {
    this.signature?.reader.comment(text);
    for (const canonical of this.canonicals) canonical.comment(text);
  }

  /** The values at these paths, in this order, without those that are too long. */
  values(paths: readonly string[]): readonly string[] {
    const found: string[] = [];
    for (const path of paths) {
      for (const value of this.fields.get(path) ?? []) {
        const text = value.trim();
        if (text !== '' && text.length <= MOST_FIELD) found.push(text);
      }
    }
    return found;
  }

  element(): SignedElement {
    return { id: this.id, digests: (name) => this.digests.map((one) => one.of(name)) };
  }

  signatureParts(): SignatureParts | undefined {
    return this.signatures[0]?.parts();
  }

  private start(tag: XmlTag): void {
    this.root = tag.local;
    this.layout = layoutOf(tag.local, tag.uri);
    this.signedPath = this.layout?.signedPath ?? [];
    this.outerWalk = this.layout && new FieldWalk(this.layout.outerFields);
  }

  private isOutside(): boolean {
    return this.signed === undefined && this.signature === undefined;
  }

  /** An element whose ancestors are all on the path to the signed one. */
  private openChildOnPath(tag: XmlTag): void {
    const { depth } = this.scopes;
    const { length, [depth - 1]: name } = this.signedPath;
    if (tag.local === name) {
      this.openOnPath = depth;
      if (depth === length) this.startSigned(tag);
      if (depth === length - 1) this.startHolder();
    } else if (depth === length && tag.local === 'Signature') {
      this.signature = { reader: new SignatureReader(this.forms.signedInfo), depth };
      this.signatures.push(this.signature.reader);
    }
  }

  private startHolder(): void {
    this.holders += 1;
    if (this.holders > 1) several();
  }

  private startSigned(tag: XmlTag): void {
    const { layout } = this;
    if (layout === undefined || this.signedSeen) several();
    if (tag.uri !== layout.namespace) refuseXml('unknown-layout', xmlReasons.unknownLayout);
    this.signedSeen = true;
    this.id = tag.attributes['Id']?.value;
    this.signed = new FieldWalk(layout.fields);
    this.canonicals = this.digests.map(
      (digests, index) => new Canonical((piece) => digests.add(piece), this.forms.element[index]),
    );
  }

  private leaveSigned(): void {
    this.signed = undefined;
    this.canonicals = [];
  }

  private openField(name: string, walk: FieldWalk | undefined): void {
    walk?.open(name);
    if (walk?.field === undefined) return;
    // The name of such an element is what is wanted of it.
    const value = walk.field.endsWith('/*') ? name : '';
    const values = this.fields.get(walk.field);
    if (values === undefined) this.fields.set(walk.field, [value]);
    else values.push(value);
  }

  private addToField(field: string, text: string): void {
    if (field.endsWith('/*')) return;
    const values = this.fields.get(field);
    const before = values?.pop();
    if (values !== undefined && before !== undefined) values.push((before + text).slice(0, MOST_FIELD + 1));
  }

  private rememberId(tag: XmlTag): void {
    for (const name of idNames) {
      const value = tag.attributes[name]?.value;
      if (value === undefined) continue;
      if (this.ids.has(value)) this.doubledIds.add(value);
      if (this.ids.size >= MOST_IDS) {
        refuseXml('too-many-parts', xmlReasons.tooManyIds);
      }
      this.ids.add(value);
    }
  }
}

function several(): never {
  return refuseXml('several-documents', xmlReasons.severalDocuments);
}
