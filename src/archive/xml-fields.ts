import { filled } from '../errors/text-template.js';
import { xmlReasons } from '../errors/xml-reasons.js';
import { FieldWalk, fieldSteps, layoutOf, type XmlKind, type XmlLayout } from './xml-layouts.js';
import { readEitherXml } from './xml-plain.js';
import { noAttributes, refuseXml, type XmlTag, type XmlText, type XmlVisitor } from './xml-read.js';

/** Far more than the 990 items of an NF-e. */
const MOST_GROUPS = 20_000;
/** What a cell of a spreadsheet holds; no field of a layout is as long. */
const MOST_FIELD = 32_767;

/**
 * The fields that are read from a document. Paths are local names from the signed element; one that begins with `/` starts below
 * the root, outside the signed element; `*` is any element, `@` an attribute of a group.
 */
export class WantedFields {
  readonly inside: ReturnType<typeof fieldSteps>;
  readonly outside: ReturnType<typeof fieldSteps>;
  readonly groups: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;

  constructor(
    paths: readonly string[],
    groups: readonly string[],
    readonly others?: OtherFields,
  ) {
    this.paths = new Set(paths);
    this.groups = new Set(groups);
    const elements = [...paths.filter((path) => !path.includes('@')), ...groups];
    this.inside = fieldSteps(elements.filter((path) => !path.startsWith('/')));
    this.outside = fieldSteps(elements.filter((path) => path.startsWith('/')).map((path) => path.slice('/'.length)));
  }
}

/** Elements of the signed one that no wanted path names: each is a group of its own, with its text. */
export interface OtherFields {
  readonly name: RegExp;
  has(path: string): boolean;
}

/** Trimmed texts by path; of an element that is repeated, the first. */
export type Fields = ReadonlyMap<string, string>;

/** An element that is repeated, such as an item, or one of the others, with its own fields. */
export interface FieldGroup {
  readonly path: string;
  readonly fields: Fields;
}

export interface DocumentFields {
  /** `unknown`: no layout has this root. */
  readonly kind: XmlKind;
  readonly document: Fields;
  readonly groups: readonly FieldGroup[];
}

/** Reads the wanted fields of a document of each kind. Throws `XmlRefused`. */
export function readFields(
  bytes: Uint8Array,
  wanted: Partial<Readonly<Record<XmlKind, WantedFields>>>,
): DocumentFields {
  return readEitherXml(bytes, () => new FieldReader(wanted)).fields();
}

class FieldReader implements XmlVisitor {
  readonly #document = new Map<string, string>();
  readonly #groups: { readonly path: string; readonly fields: Map<string, string> }[] = [];
  /** The open elements below the signed one, where others are wanted. */
  readonly #names: string[] = [];
  #layout: XmlLayout | undefined;
  #wanted: WantedFields | undefined;
  #depth = 0;
  #inside: FieldWalk | undefined;
  #outside: FieldWalk | undefined;
  /** The fields of the open group, and how deep its element is. */
  #group: { readonly depth: number; readonly fields: Map<string, string> } | undefined;
  /** The field whose text is being read. */
  #field: { readonly path: string; readonly fields: Map<string, string> } | undefined;

  constructor(private readonly wanted: Partial<Readonly<Record<XmlKind, WantedFields>>>) {}

  open(tag: XmlTag): void {
    this.#depth += 1;
    this.#field = undefined;
    if (this.#depth === 1) return this.#openRoot(tag);
    if (this.#inside !== undefined) {
      this.#inside.open(tag.local);
      if (this.#wanted?.others !== undefined) this.#names.push(tag.local);
      return this.#inside.field === undefined ? this.#enterOther(tag.local) : this.#enter(this.#inside.field, tag);
    }
    this.#outside?.open(tag.local);
    if (this.#isSigned(tag)) this.#inside = this.#wanted && new FieldWalk(this.#wanted.inside);
    else if (this.#outside?.field !== undefined) this.#enter(`/${this.#outside.field}`, tag);
  }

  text(text: XmlText): void {
    if (this.#field === undefined) return;
    const { path, fields } = this.#field;
    const value = (fields.get(path) ?? '') + String(text);
    if (value.trim().length > MOST_FIELD) tooLong(path);
    fields.set(path, value);
  }

  close(): void {
    this.#field = undefined;
    this.#names.pop();
    if (this.#group?.depth === this.#depth) this.#group = undefined;
    if (this.#inside === undefined) this.#outside?.close();
    else if (this.#depth === this.#layout?.signedPath.length) {
      this.#inside = undefined;
      this.#outside?.close();
    } else this.#inside.close();
    this.#depth -= 1;
  }

  instruction(): void {
    // Processing instructions are no fields.
  }

  fields(): DocumentFields {
    for (const fields of [this.#document, ...this.#groups.map((group) => group.fields)]) trimAll(fields);
    return { kind: this.#layout?.kind ?? 'unknown', document: this.#document, groups: this.#groups };
  }

  #openRoot({ local, uri }: XmlTag): void {
    this.#layout = layoutOf(local, uri);
    this.#wanted = this.#layout && this.wanted[this.#layout.kind];
    this.#outside = this.#wanted && new FieldWalk(this.#wanted.outside);
  }

  #isSigned({ local }: XmlTag): boolean {
    const path = this.#layout?.signedPath ?? [];
    return this.#depth === path.length && local === path.at(-1);
  }

  #enter(path: string, tag: XmlTag): void {
    if (this.#wanted?.groups.has(path) === true) this.#openGroup(path, tag);
    const fields = this.#group?.fields ?? this.#document;
    if (this.#wanted?.paths.has(path) !== true || fields.has(path)) return;
    fields.set(path, '');
    this.#field = { path, fields };
  }

  /** An element that no wanted path names. */
  #enterOther(local: string): void {
    const others = this.#wanted?.others;
    if (others?.name.test(local) !== true) return;
    const path = this.#names.join('/');
    if (others.has(path)) this.#field = { path, fields: this.#addGroup(path) };
  }

  #openGroup(path: string, { attributes }: XmlTag): void {
    const fields = this.#addGroup(path);
    this.#group = { depth: this.#depth, fields };
    if (attributes === noAttributes) return;
    for (const { local, value } of Object.values(attributes)) {
      const name = `${path}/@${local}`;
      if (this.#wanted?.paths.has(name) !== true) continue;
      if (value.length > MOST_FIELD) tooLong(name);
      fields.set(name, value);
    }
  }

  #addGroup(path: string): Map<string, string> {
    if (this.#groups.length === MOST_GROUPS)
      refuseXml('too-many-parts', filled(xmlReasons.tooManyItems, { limit: MOST_GROUPS }));
    const fields = new Map<string, string>();
    this.#groups.push({ path, fields });
    return fields;
  }
}

function tooLong(name: string): never {
  refuseXml('too-large', filled(xmlReasons.tooLongField, { name, limit: MOST_FIELD }));
}

/** An element without text has no value. */
function trimAll(fields: Map<string, string>): void {
  for (const [path, value] of fields) {
    const text = value.trim();
    if (text === '') fields.delete(path);
    else if (text !== value) fields.set(path, text);
  }
}
