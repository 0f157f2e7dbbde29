import {
  noAttributes,
  type XmlTag,
  type XmlAttribute,
  type LateText,
  type XmlLimits,
  type XmlSource,
  type XmlVisitor,
} from './xml-read.js';
import { isUtf8 } from 'node:buffer';

/** Reading UTF-8 by its bytes: what XML is written with is ASCII, and no part of another character looks like it. */

const SPACE = 0x20;
const QUOTE = 0x22;
const AMPERSAND = 0x26;
const SLASH = 0x2f;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;

/** What a byte may be a part of. */
const IN_TEXT = 1;
const IN_VALUE = 2;
const IN_NAME = 4;
const STARTS_NAME = 8;
const BLANK = 16;

/**
 * Of texts and values all but what has a meaning there, control characters, line ends that XML would change, and the lead
 * of U+F000 to U+FFFF, of which two are no characters.
 */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return (
    (/[^\0-\x08\x0b-\x1f<&>\xef]/.test(character) ? IN_TEXT : 0) |
    (/[^\0-\x1f<&"\xef]/.test(character) ? IN_VALUE : 0) |
    (/[\w.-]/.test(character) ? IN_NAME : 0) |
    (/[A-Za-z_]/.test(character) ? STARTS_NAME : 0) |
    (/[ \n\t]/.test(character) ? BLANK : 0)
  );
});

/** The place after all the bytes of this kind that stand at `at`. */
function after(bytes: Uint8Array, at: number, kind: number): number {
  const { length } = bytes;
  let end = at;
  // Never to read beyond the end makes it twice as fast.
  while (end < length && isA(bytes[end], kind)) end += 1;
  return end;
}

function isA(byte: number | undefined, kind: number): boolean {
  return ((kinds[byte ?? 0] ?? 0) & kind) !== 0;
}

function standsAt(bytes: Uint8Array, at: number, part: Uint8Array): boolean {
  for (let index = 0; index < part.length; index += 1) {
    if (bytes[at + index] !== part[index]) return false;
  }
  return true;
}

/** So many names are remembered; the layouts of this field have some hundreds. */
const MOST_NAMES = 2_000;
/** Longer names, or namespaces, are of no layout. */
const LONGEST = 200;

/** An element as the reader of plain XML keeps it while it is open. */
interface PlainTag extends XmlTag {
  /** Its name as it stands in the file. */
  readonly bytes: Uint8Array;
}

const noDeclarations: XmlTag['ns'] = {};

/** A name without prefix, and the element without attributes that bears it. */
class PlainName {
  readonly text: string;
  #bare: PlainTag;

  constructor(readonly bytes: Uint8Array) {
    this.text = Buffer.from(bytes).toString('latin1');
    this.#bare = this.tag('');
  }

  /** Without attributes, in this namespace. */
  bare(uri: string): PlainTag {
    if (this.#bare.uri === uri) return this.#bare;
    const tag = this.tag(uri);
    if (uri.length <= LONGEST) this.#bare = tag;
    return tag;
  }

  tag(uri: string, attributes = noAttributes, ns = noDeclarations): PlainTag {
    const { text, bytes } = this;
    return { name: text, local: text, uri, attributes, ns, bytes };
  }
}

/** Names that were met, in any document: all of a layout have the same ones. */
class PlainNames {
  readonly #byHash = new Map<number, PlainName>();

  /** The name that begins at `at`; `undefined` when none does. */
  read(bytes: Uint8Array, at: number): PlainName | undefined {
    if (!isA(bytes[at], STARTS_NAME)) return undefined;
    const { length } = bytes;
    let hash = 0;
    let end = at;
    for (; end < length && isA(bytes[end], IN_NAME); end += 1) {
      hash = (Math.imul(hash, 31) + (bytes[end] ?? 0)) | 0;
    }
    const known = this.#byHash.get(hash);
    if (known?.bytes.length === end - at && standsAt(bytes, at, known.bytes)) return known;
    // A copy: a view would hold the document in memory.
    const name = new PlainName(new Uint8Array(bytes.subarray(at, end)));
    if (end - at <= LONGEST) this.#remember(hash, name);
    return name;
  }

  #remember(hash: number, name: PlainName): void {
    if (this.#byHash.size >= MOST_NAMES) this.#byHash.clear();
    this.#byHash.set(hash, name);
  }
}

const XMLNS = 'http://www.w3.org/2000/xmlns/';
const XML = 'http://www.w3.org/XML/1998/namespace';

/** The attributes of one start tag. */
interface PlainAttributes {
  readonly all: Readonly<Record<string, XmlAttribute>>;
  readonly count: number;
  /** The default namespace that is declared among them. */
  readonly declared: string | undefined;
  /** Whether they stand as canonical XML has them. Of one that declares a namespace that is not known here. */
  readonly isCanonical: boolean;
  /** The place after them. */
  readonly end: number;
}

/** Reads ` name="value"` as often as it stands at `at`; `undefined` for what plain XML does not have. */
function readAttributes(bytes: Buffer, at: number, names: PlainNames): PlainAttributes | undefined {
  const all: Record<string, XmlAttribute> = {};
  let count = 0;
  let end = at;
  let last = '';
  let isInOrder = true;
  for (;;) {
    const name = bytes[end] === SPACE ? names.read(bytes, end + 1) : undefined;
    if (name === undefined) break;
    const equals = end + 1 + name.bytes.length;
    const close = after(bytes, equals + 2, IN_VALUE);
    if (bytes[equals] !== EQUALS || bytes[equals + 1] !== QUOTE) return undefined;
    if (bytes[close] !== QUOTE || Object.hasOwn(all, name.text) || name.text === '__proto__')
      return undefined;
    all[name.text] = attribute(name.text, bytes.toString('utf8', equals + 2, close));
    count += 1;
    end = close + 1;
    isInOrder &&= last < name.text;
    last = name.text;
  }
  const declared = all['xmlns']?.value;
  if (declared !== undefined && !canBeDefault(declared)) return undefined;
  return { all, count, declared, isCanonical: isInOrder && declared === undefined, end };
}

function attribute(name: string, value: string): XmlAttribute {
  return { name, prefix: '', local: name, value, uri: name === 'xmlns' ? XMLNS : '' };
}

/** The two names that XML keeps for itself can be no default. */
function canBeDefault(uri: string): boolean {
  return uri !== XML && uri !== XMLNS && uri.trim() === uri;
}

/** A larger document goes the way on which it is read in pieces. */
const MOST_BYTES = 512 * 1024;

/** Nothing before the root but a declaration of the two encodings that say what the bytes show. */
const declaration =
  /^<\?xml version="1\.0"(?: encoding="(?:UTF|utf)-8")?(?: standalone="(?:yes|no)")?[ \n\t]*\?>/;
const LONGEST_DECLARATION = 100;

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};
/** What canonical XML writes in another way. */
const notCanonical = />|&quot;|&apos;/;

/**
 * Reads the XML that machines write: elements, attributes and text, UTF-8, no prefixed names, nothing else. Tells the visitor
 * what the general reader would tell it, and where it stands among the bytes. False: the document holds more than that or is
 * not well-formed, and what the visitor was told is void. What the visitor throws passes.
 */
export function readPlainXml(bytes: Uint8Array, visitor: XmlVisitor, limits: XmlLimits): boolean {
  if (bytes.length > Math.min(MOST_BYTES, limits.bytes) || !isUtf8(bytes)) return false;
  return new PlainReader(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    visitor,
    limits,
  ).read();
}

const names = new PlainNames();

/** Stands itself for the piece of the document that it tells of, so that none has to be made. */
class PlainReader implements XmlSource, LateText {
  begin = 0;
  end = 0;
  isCanonical = false;
  #parts = 0;
  /** The text that is told of, if it had to be made. */
  #text: string | undefined;
  readonly #open: PlainTag[] = [];

  constructor(
    readonly bytes: Buffer,
    private readonly visitor: XmlVisitor,
    private readonly limits: XmlLimits,
  ) {}

  read(): boolean {
    const head = this.bytes.toString('latin1', 0, LONGEST_DECLARATION);
    this.end = after(this.bytes, declaration.exec(head)?.[0].length ?? 0, BLANK);
    if (!this.#startTag()) return false;
    while (this.#open.length > 0) {
      if (!this.#content()) return false;
      const isRead = this.bytes[this.end + 1] === SLASH ? this.#endTag() : this.#startTag();
      if (!isRead) return false;
    }
    return after(this.bytes, this.end, BLANK) === this.bytes.length;
  }

  toString(): string {
    return this.#text ?? this.bytes.toString('utf8', this.begin, this.end);
  }

  /** The text up to the next tag. */
  #content(): boolean {
    const { bytes, end: begin } = this;
    let isSimple = true;
    let end = after(bytes, begin, IN_TEXT);
    while (bytes[end] !== LESS) {
      if (bytes[end] !== AMPERSAND && bytes[end] !== GREATER) return false;
      isSimple = false;
      end = after(bytes, end + 1, IN_TEXT);
    }
    if (end === begin) return true;
    this.#piece(end, isSimple);
    this.#text = undefined;
    if (!isSimple && !this.#resolve()) return false;
    this.visitor.text(this, this);
    return true;
  }

  /** Makes a text that holds more than itself. */
  #resolve(): boolean {
    const written = this.toString();
    if (written.includes(']]>')) return false;
    this.#text = withoutEntities(written);
    this.isCanonical = !notCanonical.test(written);
    return this.#text !== undefined;
  }

  #startTag(): boolean {
    const { bytes, end: begin } = this;
    const name = bytes[begin] === LESS ? names.read(bytes, begin + 1) : undefined;
    if (name === undefined) return false;
    const end = begin + 1 + name.bytes.length;
    if (bytes[end] !== GREATER) return this.#startTagWith(name, end);
    this.#piece(end + 1, true);
    return this.#enter(name.bare(this.#namespace()));
  }

  #startTagWith(name: PlainName, at: number): boolean {
    const { bytes } = this;
    const given = readAttributes(bytes, at, names);
    if (given === undefined) return false;
    const slash = given.end + (bytes[given.end] === SPACE ? 1 : 0);
    const isEmpty = bytes[slash] === SLASH;
    const last = isEmpty ? slash + 1 : slash;
    if (bytes[last] !== GREATER) return false;
    this.#piece(last + 1, given.isCanonical && last === given.end);
    this.#parts += given.count;
    const tag = tagWith(name, given, this.#namespace());
    if (!this.#enter(tag)) return false;
    if (isEmpty) this.#leave(this.end, false);
    return true;
  }

  #enter(tag: PlainTag): boolean {
    this.#parts += 1;
    if (this.#parts > this.limits.parts || this.#open.length >= this.limits.depth) return false;
    this.#open.push(tag);
    this.visitor.open(tag, this);
    return true;
  }

  #endTag(): boolean {
    const { bytes, end: begin } = this;
    const name = this.#open.at(-1)?.bytes ?? nothing;
    const end = begin + 2 + name.length;
    if (!standsAt(bytes, begin + 2, name) || bytes[end] !== GREATER) return false;
    this.#leave(end + 1, true);
    return true;
  }

  #leave(end: number, isCanonical: boolean): void {
    this.#piece(end, isCanonical);
    const tag = this.#open.pop();
    if (tag !== undefined) this.visitor.close(tag, this);
  }

  #piece(end: number, isCanonical: boolean): void {
    this.begin = this.end;
    this.end = end;
    this.isCanonical = isCanonical;
  }

  /** Without prefixes an element is in the namespace that is the default inside it. */
  #namespace(): string {
    return this.#open.at(-1)?.uri ?? '';
  }
}

const nothing = new Uint8Array();

function tagWith(name: PlainName, { all, count, declared }: PlainAttributes, around: string): PlainTag {
  if (count === 0) return name.bare(around);
  if (declared === undefined) return name.tag(around, all);
  return name.tag(declared, all, { '': declared });
}

/** `undefined` for a reference beyond the five names that XML itself has. */
function withoutEntities(text: string): string | undefined {
  let isKnown = true;
  const plain = text.replaceAll(/&[^;&]*;?/g, (reference) => {
    const character = entities[reference];
    if (character === undefined) isKnown = false;
    return character ?? '';
  });
  return isKnown ? plain : undefined;
}
