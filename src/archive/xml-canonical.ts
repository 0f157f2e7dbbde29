import { noAttributes, type XmlTag, type XmlSource, type XmlText } from './xml-read.js';

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

function namespacesIn({ ns }: XmlTag, outside: Namespaces): Namespaces {
  if (isEmpty(ns)) return outside;
  const inside = new Map(outside);
  for (const [prefix, uri] of Object.entries(ns)) inside.set(prefix, uri);
  return inside;
}

function inheritedIn({ attributes }: XmlTag, outside: Inherited): Inherited {
  let inside: Map<string, string> | undefined;
  for (const { prefix, name, value } of Object.values(attributes)) {
    if (prefix === 'xml') inside = (inside ?? new Map(outside)).set(name, value);
  }
  return inside ?? outside;
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

/**
 * Canonical XML 1.0 without comments (W3C, 15 March 2001) of subtrees, written while they are read: the hash covers exactly what
 * was read. Pieces that are canonical in the file are not written again: adjacent ones are passed on as one run of bytes.
 */
export class Canonical {
  #depth = 0;
  #run: XmlRun | undefined;

  constructor(private readonly write: (piece: CanonicalPiece) => void) {}

  /** `scopes` includes this element. */
  open(tag: XmlTag, scopes: XmlScopes, source?: XmlSource): void {
    const isRoot = this.#depth === 0;
    this.#depth += 1;
    const above = isRoot ? none : scopes.namespacesOutside;
    const inherited = isRoot ? scopes.inheritedOutside : none;
    const { namespaces } = scopes;
    if (namespaces === above && inherited.size === 0 && this.#extendRun(source)) return;
    const names = namespaces === above ? '' : newNames(namespaces, above).join('');
    this.#put(`<${tag.name}${names}${ownAttributes(tag, inherited).join('')}>`);
  }

  text(text: XmlText, source?: XmlSource): void {
    if (this.#extendRun(source)) return;
    const plain = String(text);
    this.#put(special.test(plain) ? plain.replaceAll(/[&<>\r]/g, escapeText) : plain);
  }

  instruction(target: string, body: string): void {
    this.#put(body === '' ? `<?${target}?>` : `<?${target} ${body}?>`);
  }

  close(tag: XmlTag, source?: XmlSource): void {
    if (!this.#extendRun(source)) this.#put(`</${tag.name}>`);
    this.#depth -= 1;
    if (this.#depth === 0) this.#finishRun();
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

/** Declarations that differ from the scope outside, sorted by prefix. An empty default is written only to undo another one. */
function newNames(inForce: Namespaces, above: Namespaces): string[] {
  return [...inForce]
    .filter(([prefix, uri]) => prefix !== 'xml' && (above.get(prefix) ?? '') !== uri)
    .sort(([a], [b]) => compare(a, b))
    .map(([prefix, uri]) => ` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeValue(uri)}"`);
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
