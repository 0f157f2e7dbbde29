import { isUtf8 } from 'node:buffer';
import { after, AMPERSAND, BLANK, GREATER, IN_TEXT, LESS, SLASH, SPACE, standsAt } from './xml-bytes.js';
import { readAttributes, type PlainAttributes } from './xml-plain-attributes.js';
import { PlainNames, type PlainName, type PlainTag } from './xml-plain-names.js';
import type { LateText, XmlLimits, XmlSource, XmlVisitor } from './xml-read.js';

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
