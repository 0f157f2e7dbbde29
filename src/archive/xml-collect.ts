import { Canonical, hasNone, namespacesIn, type Inherited, type Namespaces } from './xml-canonical.js';
import type { FieldStep } from './xml-fields.js';
import { fieldsOf, layoutOf, signedPath, type XmlLayout } from './xml-layouts.js';
import { refuseXml } from './xml-problem.js';
import type { XmlTag, XmlVisitor } from './xml-read.js';
import { SignatureReader, type SignatureParts } from './signature-read.js';
import type { SignedElement } from './signature.js';
import { TextDigests } from './text-digests.js';

/** A field is a key, a date or a tax number: what is longer is none of them. */
const MOST_FIELD = 256;
const MOST_IDS = 10_000;

/**
 * One pass over a document: takes the fields of the signed element, hashes that same element in canonical form, and reads
 * the signature beside it. Anything that could make "the element that was read" ambiguous is refused on the way.
 */
export class XmlCollector implements XmlVisitor {
  layout: XmlLayout | undefined;
  id: string | undefined;
  /** Elements beside the signed one that bear the same Id. */
  readonly doubledIds = new Set<string>();
  readonly signatures: SignatureReader[] = [];

  private readonly path: string[] = [];
  private readonly namespaces: Namespaces[] = [new Map()];
  private readonly inherited: Inherited[] = [new Map()];
  private readonly fields = new Map<string, string[]>();
  /** Where each open element inside the signed one stands among the fields; `undefined`: no field lies in it. */
  private readonly steps: (FieldStep | undefined)[] = [];
  private fieldRoot: FieldStep | undefined;
  private holders = 0;
  private readonly ids = new Set<string>();
  private readonly digests = new TextDigests();
  private signedPath = '';
  private signedDepth = 0;
  private canonical: Canonical | undefined;
  private signature: { readonly reader: SignatureReader; readonly depth: number } | undefined;
  private signedSeen = false;

  open(tag: XmlTag): void {
    const inForce = namespacesIn(tag, this.namespaces.at(-1) ?? new Map());
    const around = this.inherited.at(-1) ?? new Map<string, string>();
    this.path.push(tag.local);
    if (this.path.length === 1) this.start(tag);
    const isBare = hasNone(tag.attributes);
    if (!isBare) this.rememberId(tag);
    this.namespaces.push(inForce);
    this.inherited.push(isBare ? around : inheritedIn(tag, around));
    if (this.signature !== undefined) {
      this.signature.reader.open(tag, inForce);
      return;
    }
    // Holder, signed element and signature stand at the top: deeper down no path is to be made.
    if (this.path.length <= this.signedDepth && this.openAtTop(tag, around)) return;
    if (this.canonical === undefined) return;
    this.canonical.open(tag, inForce);
    this.openField(tag.local);
  }

  text(text: string): void {
    if (this.signature !== undefined) this.signature.reader.text(text);
    if (this.canonical === undefined) return;
    this.canonical.text(text);
    const field = this.steps.at(-1)?.field;
    const values = field === undefined ? undefined : this.fields.get(field);
    const before = values?.pop();
    if (values !== undefined && before !== undefined) values.push((before + text).slice(0, MOST_FIELD + 1));
  }

  close(tag: XmlTag): void {
    if (this.signature !== undefined) {
      if (this.path.length === this.signature.depth) this.signature = undefined;
      else this.signature.reader.close(tag);
    }
    if (this.canonical !== undefined) {
      this.canonical.close(tag);
      this.steps.pop();
      if (this.path.length === this.signedDepth) this.canonical = undefined;
    }
    this.path.pop();
    this.namespaces.pop();
    this.inherited.pop();
  }

  instruction(target: string, body: string): void {
    this.signature?.reader.instruction(target, body);
    this.canonical?.instruction(target, body);
  }

  /** What stands at these paths, in their order. What is too long for a field is left out. */
  values(paths: readonly string[]): readonly string[] {
    return paths
      .flatMap((path) => this.fields.get(path) ?? [])
      .map((value) => value.trim())
      .filter((value) => value !== '' && value.length <= MOST_FIELD);
  }

  element(): SignedElement {
    return { id: this.id, digest: (name) => this.digests.of(name) };
  }

  signatureParts(): SignatureParts | undefined {
    return this.signatures[0]?.parts();
  }

  private start(tag: XmlTag): void {
    this.layout = layoutOf(tag.local, tag.uri);
    if (this.layout === undefined) return;
    this.signedPath = signedPath(this.layout);
    this.signedDepth = this.signedPath.split('/').length;
    this.fieldRoot = fieldsOf(this.layout);
  }

  /** True when a signature begins here. */
  private openAtTop(tag: XmlTag, around: Inherited): boolean {
    const here = this.path.join('/');
    if (here === this.layout?.holder) this.startHolder();
    else if (here === this.signedPath) this.startSigned(tag, around);
    else if (this.isSignature(here)) {
      this.signature = { reader: new SignatureReader(around), depth: this.path.length };
      this.signatures.push(this.signature.reader);
      return true;
    }
    return false;
  }

  private openField(name: string): void {
    const isSigned = this.path.length === this.signedDepth;
    const step = isSigned ? this.fieldRoot : this.steps.at(-1)?.inside.get(name);
    this.steps.push(step);
    if (step?.field === undefined) return;
    const values = this.fields.get(step.field);
    if (values === undefined) this.fields.set(step.field, ['']);
    else values.push('');
  }

  private startHolder(): void {
    this.holders += 1;
    if (this.holders > 1) several();
  }

  private startSigned(tag: XmlTag, around: Inherited): void {
    if (this.signedSeen || tag.uri !== this.layout?.namespace) several();
    this.signedSeen = true;
    this.id = tag.attributes['Id']?.value;
    this.canonical = new Canonical((text) => this.digests.add(text), around);
  }

  private isSignature(here: string): boolean {
    return this.layout !== undefined && here === `${this.layout.holder}/Signature`;
  }

  private rememberId(tag: XmlTag): void {
    for (const name of ['Id', 'ID', 'id']) {
      const value = tag.attributes[name]?.value;
      if (value === undefined) continue;
      if (this.ids.has(value)) this.doubledIds.add(value);
      if (this.ids.size >= MOST_IDS) {
        refuseXml('too-many-parts', 'the XML has too many Ids', 'o XML tem Ids demais');
      }
      this.ids.add(value);
    }
  }
}

function inheritedIn(tag: XmlTag, around: Inherited): Inherited {
  const own = Object.values(tag.attributes).filter(({ prefix }) => prefix === 'xml');
  if (own.length === 0) return around;
  const inside = new Map(around);
  for (const { name, value } of own) inside.set(name, value);
  return inside;
}

function several(): never {
  return refuseXml(
    'several-documents',
    'the file holds more than one document, so it is not clear which one is meant',
    'o arquivo tem mais de um documento, e não fica claro qual deles vale',
  );
}
