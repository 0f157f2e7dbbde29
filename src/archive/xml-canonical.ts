import type { XmlSource, XmlTag, XmlText } from './xml-read.js';
import type { Inherited, Namespaces, XmlScopes } from './xml-scopes.js';

const XMLNS = 'http://www.w3.org/2000/xmlns/';

const none: ReadonlyMap<string, string> = new Map();
const special = /[&<>\r]/;

/** So few bytes cost less as a text that others are added to. */
const SHORT_RUN = 512;

/** A piece of a canonical form: as text, or as the UTF-8 that stands in the file. */
export type CanonicalPiece = string | Uint8Array;

/**
 * Canonical XML 1.0 without comments (W3C, 15 March 2001) of subtrees, written while they are read, so that what is hashed is
 * by construction what was read. What is canonical in the file already is not written anew: such pieces that follow each
 * other without a gap are given as one, when the next is another or the subtree ends.
 */
export class Canonical {
  #depth = 0;
  #run: XmlRun | undefined;

  constructor(private readonly write: (piece: CanonicalPiece) => void) {}

  /** `scopes`: as they are inside this element. */
  open(tag: XmlTag, scopes: XmlScopes, source?: XmlSource): void {
    const isRoot = this.#depth === 0;
    this.#depth += 1;
    const above = isRoot ? none : scopes.namespacesOutside;
    const inherited = isRoot ? scopes.inheritedOutside : none;
    const { namespaces } = scopes;
    if (namespaces === above && inherited.size === 0 && this.#takes(source)) return;
    const names = namespaces === above ? '' : newNames(namespaces, above).join('');
    this.#put(`<${tag.name}${names}${ownAttributes(tag, inherited).join('')}>`);
  }

  text(text: XmlText, source?: XmlSource): void {
    if (this.#takes(source)) return;
    const plain = String(text);
    this.#put(special.test(plain) ? plain.replaceAll(/[&<>\r]/g, escapeText) : plain);
  }

  instruction(target: string, body: string): void {
    this.#put(body === '' ? `<?${target}?>` : `<?${target} ${body}?>`);
  }

  close(tag: XmlTag, source?: XmlSource): void {
    if (!this.#takes(source)) this.#put(`</${tag.name}>`);
    this.#depth -= 1;
    if (this.#depth === 0) this.#finishRun();
  }

  #takes(source: XmlSource | undefined): boolean {
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

/** Bytes of the file that are canonical. */
interface XmlRun {
  readonly bytes: Buffer;
  readonly begin: number;
  end: number;
}

/** Declared here and not the same as outside, by prefix. An empty default is written only where it takes one back. */
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

/** By character, as the recommendation orders. */
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
