import { isAscii, isUtf8 } from 'node:buffer';
import { ownText } from './own-text.js';
import type { XmlAttribute, XmlLimits, XmlTag, XmlVisitor } from './xml-read.js';

/** A larger document goes the way on which it is read in pieces. */
const MOST_BYTES = 512 * 1024;

const XMLNS = 'http://www.w3.org/2000/xmlns/';
const XML = 'http://www.w3.org/XML/1998/namespace';

/** Nothing before the root but a declaration of the two encodings that say what the bytes show. */
const prologue =
  /^(?:<\?xml version="1\.0"(?: encoding="(?:UTF|utf)-8")?(?: standalone="(?:yes|no)")?[ \n\t]*\?>)?[ \n\t]*/;
/** Control characters, line ends that XML would change, and the two that are no characters. */
const special = /[\0-\x08\x0b-\x1f\ufffe\uffff]/;
const attribute = / ([\w.-]+)="([^"]*)"/g;
const blank = /^[ \n\t]*$/;

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

/**
 * Reads the XML that machines write: elements, attributes and text, UTF-8, no prefixed names, nothing else. Tells the visitor
 * what the general reader would tell it, some five times faster. False: the document holds more than that or is not
 * well-formed, and what the visitor was told is void. What the visitor throws passes.
 */
export function readPlainXml(bytes: Uint8Array, visitor: XmlVisitor, limits: XmlLimits): boolean {
  if (bytes.length > Math.min(MOST_BYTES, limits.bytes) || !isUtf8(bytes)) return false;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new PlainReader(text.toString(isAscii(bytes) ? 'latin1' : 'utf8'), visitor, limits).read();
}

/** So many elements are remembered; the layouts of this field have some hundreds. */
const MOST_BARE = 2_000;
/** Longer names, or namespaces, are of no layout. */
const LONGEST_BARE = 200;

/** Elements without attributes that were met, in any document: all of a layout have the same ones. */
class BareTags {
  readonly #byName = new Map<string, XmlTag>();

  get(name: string, uri: string): XmlTag | undefined {
    const tag = this.#byName.get(name);
    return tag?.uri === uri ? tag : undefined;
  }

  add(tag: XmlTag): void {
    if (tag.name.length > LONGEST_BARE || tag.uri.length > LONGEST_BARE) return;
    if (this.#byName.size >= MOST_BARE) this.#byName.clear();
    const own = plainTag(ownText(tag.name), ownText(tag.uri));
    this.#byName.set(own.name, own);
  }
}

const bareTags = new BareTags();

class PlainReader {
  #at = 0;
  #parts = 0;
  readonly #start = /<([A-Za-z_][\w.-]*)(?:>|((?: [A-Za-z_][\w.-]*="[^"<&\t\n]*")*) ?(\/?)>)/y;
  readonly #open: XmlTag[] = [];
  /** The default namespace inside each open element. */
  readonly #namespaces: string[] = [''];

  constructor(
    private readonly text: string,
    private readonly visitor: XmlVisitor,
    private readonly limits: XmlLimits,
  ) {}

  read(): boolean {
    const { text } = this;
    if (special.test(text) || text.includes(']]>') || text.includes('<!')) return false;
    this.#at = prologue.exec(text)?.[0].length ?? 0;
    if (!this.#openTag()) return false;
    while (this.#open.length > 0) {
      if (!this.#content()) return false;
      const isRead = text.startsWith('</', this.#at) ? this.#closeTag() : this.#openTag();
      if (!isRead) return false;
    }
    return blank.test(text.slice(this.#at));
  }

  #content(): boolean {
    const end = this.text.indexOf('<', this.#at);
    if (end < 0) return false;
    if (end > this.#at) {
      const content = withoutEntities(this.text.slice(this.#at, end));
      if (content === undefined) return false;
      this.visitor.text(content);
    }
    this.#at = end;
    return true;
  }

  #openTag(): boolean {
    const end = this.text.indexOf('>', this.#at);
    const known = bareTags.get(this.text.slice(this.#at + 1, end), this.#namespace());
    if (known === undefined) return this.#openNew();
    this.#at = end + 1;
    return this.#enter(known, false);
  }

  #openNew(): boolean {
    this.#start.lastIndex = this.#at;
    const found = this.#start.exec(this.text);
    if (found === null) return false;
    this.#at = this.#start.lastIndex;
    const [, name = '', given = '', slash = ''] = found;
    const tag = given === '' ? plainTag(name, this.#namespace()) : this.#tagWith(name, given);
    if (tag === undefined) return false;
    if (given === '') bareTags.add(tag);
    return this.#enter(tag, slash === '/');
  }

  #enter(tag: XmlTag, isEmpty: boolean): boolean {
    if (!this.#isWithin()) return false;
    this.visitor.open(tag);
    if (isEmpty) {
      this.visitor.close(tag);
      return true;
    }
    this.#open.push(tag);
    this.#namespaces.push(tag.uri);
    return true;
  }

  #closeTag(): boolean {
    const tag = this.#open.pop();
    this.#namespaces.pop();
    if (tag === undefined) return false;
    const end = this.#at + 2 + tag.name.length;
    if (!this.text.startsWith(tag.name, this.#at + 2) || this.text[end] !== '>') return false;
    this.#at = end + 1;
    this.visitor.close(tag);
    return true;
  }

  #tagWith(name: string, given: string): XmlTag | undefined {
    const attributes: Record<string, XmlAttribute> = {};
    for (const [, attributeName = '', value = ''] of given.matchAll(attribute)) {
      if (Object.hasOwn(attributes, attributeName) || attributeName === '__proto__') return undefined;
      attributes[attributeName] = readAttribute(attributeName, value);
      this.#parts += 1;
    }
    const declared = attributes['xmlns']?.value;
    if (declared === undefined) return { ...plainTag(name, this.#namespace()), attributes };
    // The two names that XML keeps for itself can be no default.
    if (declared === XML || declared === XMLNS || declared.trim() !== declared) return undefined;
    return { name, local: name, uri: declared, attributes, ns: { '': declared } };
  }

  #namespace(): string {
    return this.#namespaces.at(-1) ?? '';
  }

  #isWithin(): boolean {
    this.#parts += 1;
    return this.#parts <= this.limits.parts && this.#open.length < this.limits.depth;
  }
}

const none: Readonly<Record<string, never>> = {};

function plainTag(name: string, uri: string): XmlTag {
  return { name, local: name, uri, attributes: none, ns: none };
}

function readAttribute(name: string, value: string): XmlAttribute {
  return { name, prefix: '', local: name, value, uri: name === 'xmlns' ? XMLNS : '' };
}

/** `undefined` for a reference beyond the five names that XML itself has. */
function withoutEntities(text: string): string | undefined {
  if (!text.includes('&')) return text;
  let isKnown = true;
  const plain = text.replaceAll(/&[^;&]*;?/g, (reference) => {
    const character = entities[reference];
    if (character === undefined) isKnown = false;
    return character ?? '';
  });
  return isKnown ? plain : undefined;
}
