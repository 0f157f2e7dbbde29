import { isUtf8 } from 'node:buffer';
import {
  noAttributes,
  readXml,
  xmlLimits,
  type XmlTag,
  type XmlAttribute,
  type LateText,
  type XmlLimits,
  type XmlSource,
  type XmlVisitor,
} from './xml-read.js';

/* The markup of XML is ASCII, and in UTF-8 no part of another character has the value of an ASCII byte. */
const SPACE = 0x20;
const QUOTE = 0x22;
const AMPERSAND = 0x26;
const SLASH = 0x2f;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;

/** What a byte can be part of. */
const IN_TEXT = 1;
const IN_VALUE = 2;
const IN_NAME = 4;
const STARTS_NAME = 8;
const BLANK = 16;

/**
 * Texts and values exclude markup, control characters, line ends that XML would change, and the lead byte of U+F000 to
 * U+FFFF, of which two are not characters.
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

/** The position after the bytes of this kind that start at `at`. */
function after(bytes: Uint8Array, at: number, kind: number): number {
  const { length } = bytes;
  let end = at;
  // The check of the length makes this twice as fast: V8 never reads beyond the end.
  while (end < length && isA(bytes[end], kind)) end += 1;
  return end;
}

function isA(byte: number | undefined, kind: number): boolean {
  return ((kinds[byte ?? 0] ?? 0) & kind) !== 0;
}

function matchesAt(bytes: Uint8Array, at: number, part: Uint8Array): boolean {
  for (let index = 0; index < part.length; index += 1) {
    if (bytes[at + index] !== part[index]) return false;
  }
  return true;
}

/** Cached names. The layouts of fiscal documents have some hundreds. */
const MOST_NAMES = 2_000;
/** Longer names and namespaces belong to no layout. */
const LONGEST = 200;

/** An open element. */
interface PlainTag extends XmlTag {
  /** Its name as bytes of the file. */
  readonly bytes: Uint8Array;
}

const noDeclarations: XmlTag['ns'] = {};

/** A name without prefix, with its element without attributes. */
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

/** Names of all documents read so far: documents of a layout share them. */
class PlainNames {
  readonly #byHash = new Map<number, PlainName>();

  /** The name that starts at `at`; `undefined` if there is none. */
  read(bytes: Uint8Array, at: number): PlainName | undefined {
    if (!isA(bytes[at], STARTS_NAME)) return undefined;
    const { length } = bytes;
    let hash = 0;
    let end = at;
    for (; end < length && isA(bytes[end], IN_NAME); end += 1) {
      hash = (Math.imul(hash, 31) + (bytes[end] ?? 0)) | 0;
    }
    const known = this.#byHash.get(hash);
    if (known?.bytes.length === end - at && matchesAt(bytes, at, known.bytes)) return known;
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
  /** The default namespace that they declare. */
  readonly declared: string | undefined;
  /** Whether they are written as in canonical XML. A declared namespace counts as not canonical. */
  readonly isCanonical: boolean;
  /** The position after them. */
  readonly end: number;
}

/** Reads every ` name="value"` from `at`; `undefined` for anything that plain XML does not have. */
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
    if (bytes[close] !== QUOTE || Object.hasOwn(all, name.text) || name.text === '__proto__') return undefined;
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

/** XML reserves two namespaces, which cannot be the default. */
function canBeDefault(uri: string): boolean {
  return uri !== XML && uri !== XMLNS && uri.trim() === uri;
}

/** Larger documents are left to the general reader, which works in pieces. */
const MOST_BYTES = 512 * 1024;

/** The only thing allowed before the root: a declaration with UTF-8 or without an encoding. */
const declaration = /^<\?xml version="1\.0"(?: encoding="(?:UTF|utf)-8")?(?: standalone="(?:yes|no)")?[ \n\t]*\?>/;
const LONGEST_DECLARATION = 100;

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};
/** What canonical XML writes differently. */
const notCanonical = />|&quot;|&apos;/;

/**
 * Reads the XML that machines write: elements, attributes and text in UTF-8, no prefixed names, nothing else. The visitor
 * receives what the general reader would send, with the position in the file. Returns false for a document that contains
 * anything else or is not well-formed; the events sent so far are void then. Errors of the visitor are passed on.
 */
export function readPlainXml(bytes: Uint8Array, visitor: XmlVisitor, limits: XmlLimits): boolean {
  if (bytes.length > Math.min(MOST_BYTES, limits.bytes) || !isUtf8(bytes)) return false;
  return new PlainReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), visitor, limits).read();
}

/**
 * Nearly every document is plain. The others are read again, into another visitor, by the general reader, which reports what is
 * wrong. Throws `XmlRefused`.
 */
export function readEitherXml<Visitor extends XmlVisitor>(
  bytes: Uint8Array,
  createVisitor: () => Visitor,
  limits: XmlLimits = xmlLimits,
): Visitor {
  const plain = createVisitor();
  if (readPlainXml(bytes, plain, limits)) return plain;
  const visitor = createVisitor();
  readXml(bytes, visitor, limits);
  return visitor;
}

const names = new PlainNames();

/** Is itself the source and the text of each event, so that no object is created for them. */
class PlainReader implements XmlSource, LateText {
  begin = 0;
  end = 0;
  isCanonical = false;
  #parts = 0;
  /** The text of the current event, if it differs from the bytes. */
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

  /** Resolves the entities of the current text. */
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
    if (!matchesAt(bytes, begin + 2, name) || bytes[end] !== GREATER) return false;
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

  /** Without prefixes, an element is in the default namespace. */
  #namespace(): string {
    return this.#open.at(-1)?.uri ?? '';
  }
}

const nothing = new Uint8Array();

function tagWith(name: PlainName, { all, count, declared }: PlainAttributes, outside: string): PlainTag {
  if (count === 0) return name.bare(outside);
  if (declared === undefined) return name.tag(outside, all);
  return name.tag(declared, all, { '': declared });
}

/** `undefined` for a reference other than the five entities of XML. */
function withoutEntities(text: string): string | undefined {
  let isKnown = true;
  const plain = text.replaceAll(/&[^;&]*;?/g, (reference) => {
    const character = entities[reference];
    if (character === undefined) isKnown = false;
    return character ?? '';
  });
  return isKnown ? plain : undefined;
}
