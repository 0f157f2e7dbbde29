import { xmlReasons } from '../errors/xml-reasons.js';
import { noAttributes, refuseXml, type XmlTag, type XmlSource, type XmlText } from './xml-read.js';

/** The namespaces in scope by prefix. The default one has the empty prefix. */
type Namespaces = ReadonlyMap<string, string>;

/** The `xml:*` attributes that a canonical subtree inherits from its ancestors. */
type Inherited = ReadonlyMap<string, string>;

/** What the descendants of the element at this depth inherit. */
interface Scope {
  readonly depth: number;
  readonly namespaces: Namespaces;
  readonly inherited: Inherited;
  readonly outer: Scope | undefined;
}

const top: Scope = { depth: 0, namespaces: new Map(), inherited: new Map(), outer: undefined };

/** The scope at the current position of the reader. Most elements do not change it. */
export class XmlScopes {
  /** The number of open elements. */
  depth = 0;
  #inner = top;

  open(tag: XmlTag): void {
    this.depth += 1;
    if (hasNoAttributes(tag)) return;
    const outer = this.#inner;
    const namespaces = namespacesIn(tag, outer.namespaces);
    const inherited = inheritedIn(tag, outer.inherited);
    this.#inner = { depth: this.depth, namespaces, inherited, outer };
  }

  close(): void {
    this.#inner = this.#outer;
    this.depth -= 1;
  }

  /** Inside the innermost element. The same map as outside if it declares no namespace. */
  get namespaces(): Namespaces {
    return this.#inner.namespaces;
  }

  get namespacesOutside(): Namespaces {
    return this.#outer.namespaces;
  }

  get inheritedOutside(): Inherited {
    return this.#outer.inherited;
  }

  get #outer(): Scope {
    return this.#inner.depth === this.depth ? (this.#inner.outer ?? top) : this.#inner;
  }
}

export function hasNoAttributes({ attributes }: XmlTag): boolean {
  return attributes === noAttributes || isEmpty(attributes);
}

/** Names in scope. Fiscal documents have some five, and every element that declares one copies them. */
const MOST_IN_SCOPE = 64;

function namespacesIn({ ns }: XmlTag, outside: Namespaces): Namespaces {
  if (isEmpty(ns)) return outside;
  const inside = new Map(outside);
  for (const [prefix, uri] of Object.entries(ns)) inside.set(prefix, uri);
  return bounded(inside);
}

function bounded<Names extends ReadonlyMap<string, string>>(names: Names): Names {
  if (names.size > MOST_IN_SCOPE) refuseXml('too-many-parts', xmlReasons.tooManyParts);
  return names;
}

function inheritedIn({ attributes }: XmlTag, outside: Inherited): Inherited {
  let inside: Map<string, string> | undefined;
  for (const { prefix, name, value } of Object.values(attributes)) {
    if (prefix === 'xml') inside = (inside ?? new Map(outside)).set(name, value);
  }
  return inside === undefined ? outside : bounded(inside);
}

function isEmpty(names: object): boolean {
  for (const _name in names) return false;
  return true;
}

const XMLNS = 'http://www.w3.org/2000/xmlns/';

const none: ReadonlyMap<string, string> = new Map();
const special = /[&<>\r]/;

/** Runs of fewer bytes are cheaper as text that other text is appended to. */
const SHORT_RUN = 512;

/** A piece of a canonical form: as text, or as UTF-8 bytes of the file. */
export type CanonicalPiece = string | Uint8Array;

/** Which canonical form. */
export interface CanonicalForm {
  readonly withComments: boolean;
  /**
   * Exclusive: only namespaces that an element uses are written with it, and of these prefixes all. The default one has the empty
   * prefix. Absent: inclusive.
   */
  readonly exclusiveBut?: readonly string[];
}

/** Canonical XML 1.0 without comments. */
export const usualForm: CanonicalForm = { withComments: false };

/** The namespaces that the output has declared for the descendants of the element at this depth. */
interface Written {
  readonly depth: number;
  readonly names: Namespaces;
  readonly outer: Written | undefined;
}

const nothingWritten: Written = { depth: 0, names: none, outer: undefined };

/**
 * Canonical XML 1.0 (W3C, 15 March 2001) or Exclusive XML Canonicalization 1.0 (W3C, 18 July 2002) of subtrees, written while they
 * are read: the hash covers exactly what was read. Pieces that are canonical in the file are not written again: adjacent ones are
 * passed on as one run of bytes.
 */
export class Canonical {
  #depth = 0;
  #run: XmlRun | undefined;
  #written = nothingWritten;

  constructor(
    private readonly write: (piece: CanonicalPiece) => void,
    private readonly form: CanonicalForm = usualForm,
  ) {}

  /** `scopes` includes this element. */
  open(tag: XmlTag, scopes: XmlScopes, source?: XmlSource): void {
    const isRoot = this.#depth === 0;
    this.#depth += 1;
    const isExclusive = this.form.exclusiveBut !== undefined;
    const names = isExclusive ? this.#exclusiveNames(tag, scopes) : inclusiveNames(scopes, isRoot);
    const inherited = isRoot && !isExclusive ? scopes.inheritedOutside : none;
    if (names.length === 0 && inherited.size === 0 && this.#extendRun(source)) return;
    this.#put(`<${tag.name}${written(names)}${ownAttributes(tag, inherited).join('')}>`);
  }

  text(text: XmlText, source?: XmlSource): void {
    if (this.#extendRun(source)) return;
    const plain = String(text);
    this.#put(special.test(plain) ? plain.replaceAll(/[&<>\r]/g, escapeText) : plain);
  }

  instruction(target: string, body: string): void {
    this.#put(body === '' ? `<?${target}?>` : `<?${target} ${body}?>`);
  }

  comment(text: string): void {
    if (this.form.withComments) this.#put(`<!--${text}-->`);
  }

  close(tag: XmlTag, source?: XmlSource): void {
    if (!this.#extendRun(source)) this.#put(`</${tag.name}>`);
    if (this.#written.depth === this.#depth) this.#written = this.#written.outer ?? nothingWritten;
    this.#depth -= 1;
    if (this.#depth === 0) this.#finishRun();
  }

  #exclusiveNames(tag: XmlTag, { namespaces }: XmlScopes): readonly Name[] {
    const outer = this.#written;
    const used: Name[] = [];
    for (const prefix of usedPrefixes(tag, this.form.exclusiveBut)) {
      const uri = namespaces.get(prefix) ?? '';
      if (isNew(prefix, uri, outer.names)) used.push([prefix, uri]);
    }
    if (used.length > 0) this.#written = { depth: this.#depth, names: new Map([...outer.names, ...used]), outer };
    return used;
  }

  #extendRun(source: XmlSource | undefined): boolean {
    if (source?.isCanonical !== true) return false;
    if (source.begin !== this.#run?.end) {
      this.#finishRun();
      this.#run = { bytes: source.bytes, begin: source.begin, end: source.end };
    }
    this.#run.end = source.end;
    return true;
  }

  #put(text: string): void {
    this.#finishRun();
    this.write(text);
  }

  #finishRun(): void {
    if (this.#run === undefined) return;
    const { bytes, begin, end } = this.#run;
    this.write(end - begin < SHORT_RUN ? bytes.toString('utf8', begin, end) : bytes.subarray(begin, end));
    this.#run = undefined;
  }
}

/** Canonical bytes of the file. */
interface XmlRun {
  readonly bytes: Buffer;
  readonly begin: number;
  end: number;
}

/** A declared namespace: its prefix and its name. */
type Name = readonly [prefix: string, uri: string];

const noNames: readonly Name[] = [];

function inclusiveNames(scopes: XmlScopes, isRoot: boolean): readonly Name[] {
  const above = isRoot ? none : scopes.namespacesOutside;
  const { namespaces } = scopes;
  if (namespaces === above) return noNames;
  return [...namespaces].filter(([prefix, uri]) => isNew(prefix, uri, above));
}

/** An empty default is written only to undo another one. */
function isNew(prefix: string, uri: string, above: Namespaces): boolean {
  return prefix !== 'xml' && (above.get(prefix) ?? '') !== uri;
}

/** The prefixes that an element uses, itself or in its attributes. An attribute without prefix is in no namespace. */
function usedPrefixes(tag: XmlTag, always: readonly string[] = []): Iterable<string> {
  const own = tag.name.slice(0, Math.max(0, tag.name.length - tag.local.length - 1));
  if (always.length === 0 && hasNoAttributes(tag)) return [own];
  const used = new Set([own, ...always]);
  for (const { prefix, uri } of Object.values(tag.attributes)) {
    if (prefix !== '' && uri !== XMLNS) used.add(prefix);
  }
  return used;
}

/** Sorted by prefix. */
function written(names: readonly Name[]): string {
  return [...names]
    .sort(([a], [b]) => compare(a, b))
    .map(([prefix, uri]) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeValue(uri)}"`)
    .join('');
}

function ownAttributes(tag: XmlTag, inherited: Inherited): string[] {
  const own = Object.values(tag.attributes).filter(({ uri }) => uri !== XMLNS);
  const xml = [...inherited]
    .filter(([name]) => !Object.hasOwn(tag.attributes, name))
    .map(([name, value]) => ({ name, value, local: name.slice(4), uri: XML }));
  return [...own, ...xml]
    .sort((a, b) => compare(a.uri, b.uri) || compare(a.local, b.local))
    .map(({ name, value }) => ` ${name}="${escapeValue(value)}"`);
}

const XML = 'http://www.w3.org/XML/1998/namespace';

/** The order of the recommendation: by character. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

function escapeText(character: string): string {
  return escapes[character] ?? character;
}

function escapeValue(value: string): string {
  return value.replaceAll(/[&<"\t\n\r]/g, escapeText);
}
