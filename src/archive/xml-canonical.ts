import type { XmlTag } from './xml-read.js';

const XMLNS = 'http://www.w3.org/2000/xmlns/';

/** The namespaces in force, by prefix; the default one under the empty prefix. */
export type Namespaces = ReadonlyMap<string, string>;

/** The namespaces in force inside `tag`. The same map when it declares none. */
export function namespacesIn(tag: XmlTag, outside: Namespaces): Namespaces {
  if (hasNone(tag.ns)) return outside;
  const inside = new Map(outside);
  for (const [prefix, uri] of Object.entries(tag.ns)) inside.set(prefix, uri);
  return inside;
}

/** Most elements of a fiscal document have neither attributes nor declarations. */
export function hasNone(names: object): boolean {
  for (const _name in names) return false;
  return true;
}

/** The attributes `xml:*` that a canonical subtree inherits from the elements around it. */
export type Inherited = ReadonlyMap<string, string>;

const NONE: Inherited = new Map();
const special = /[&<>\r]/;

/**
 * Canonical XML 1.0 without comments (W3C, 15 March 2001) of one subtree, written while it is read: nothing is
 * kept but the names in force, so that what is hashed is by construction what was read.
 */
export class Canonical {
  private readonly rendered: Namespaces[] = [new Map()];

  constructor(
    private readonly write: (text: string) => void,
    private inherited: Inherited = NONE,
  ) {}

  open(tag: XmlTag, inForce: Namespaces): void {
    const above = this.rendered.at(-1) ?? new Map<string, string>();
    const names = inForce === above ? '' : newNames(inForce, above).join('');
    const attributes = this.attributes(tag);
    this.write(`<${tag.name}${names}${attributes}>`);
    this.rendered.push(inForce);
  }

  private attributes(tag: XmlTag): string {
    if (this.inherited === NONE && hasNone(tag.attributes)) return '';
    const attributes = ownAttributes(tag, this.inherited);
    this.inherited = NONE;
    return attributes.join('');
  }

  text(text: string): void {
    this.write(special.test(text) ? text.replaceAll(/[&<>\r]/g, escapeText) : text);
  }

  instruction(target: string, body: string): void {
    this.write(body === '' ? `<?${target}?>` : `<?${target} ${body}?>`);
  }

  close(tag: XmlTag): void {
    this.rendered.pop();
    this.write(`</${tag.name}>`);
  }
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
  const names = new Set(own.map(({ name }) => name));
  const xml = [...inherited]
    .filter(([name]) => !names.has(name))
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
