import type { Text } from '../contract/text.js';
import { filled } from '../errors/text-template.js';
import { xmlReasons } from '../errors/xml-reasons.js';
import { SaxesParser } from 'saxes';
import { decoded, encodingOf } from './xml-encoding.js';

/** Why a file is not the expected document. A closed list, stored in rows and in verdicts. */
type XmlProblemCode =
  | 'empty'
  | 'too-large'
  | 'malformed'
  | 'doctype'
  | 'too-deep'
  | 'too-many-parts'
  | 'unknown-layout'
  | 'html'
  | 'several-documents'
  | 'no-key'
  | 'other-key'
  | 'other-protocol'
  | 'other-type'
  | 'other-event'
  | 'other-company'
  | 'summary-after-full'
  | 'no-signature'
  | 'bad-signature';

export interface XmlProblem {
  readonly code: XmlProblemCode;
  readonly message: Text;
}

/** Thrown by the XML reader only. `inspectXml` returns it as a problem of the document. */
export class XmlRefused extends Error {
  constructor(readonly problem: XmlProblem) {
    super(problem.message.en);
  }
}

export function refuseXml(code: XmlProblemCode, message: Text): never {
  throw new XmlRefused({ code, message });
}

/** An attribute with its resolved name. */
export interface XmlAttribute {
  readonly name: string;
  readonly prefix: string;
  readonly local: string;
  readonly value: string;
  readonly uri: string;
}

/** An element with its resolved name. `ns`: the namespaces that it declares, by prefix. */
export interface XmlTag {
  readonly name: string;
  readonly local: string;
  readonly uri: string;
  readonly attributes: Readonly<Record<string, XmlAttribute>>;
  readonly ns: Readonly<Record<string, string>>;
}

/** The attributes of an element without any. A reader may pass this object, which makes the check cheap. */
export const noAttributes: XmlTag['attributes'] = {};

/** A text, or an object that creates it: most texts are never used. */
export type XmlText = string | LateText;

export interface LateText {
  toString(): string;
}

/** The position of a piece of the document in the file. Valid only during the call of the visitor. */
export interface XmlSource {
  readonly bytes: Buffer;
  readonly begin: number;
  readonly end: number;
  /** Whether these bytes are also the canonical form of the piece, given that the namespaces in scope are already written. */
  readonly isCanonical: boolean;
}

/**
 * Receives the events of a document in order. A reader that does not know its position passes no source.
 */
export interface XmlVisitor {
  open(tag: XmlTag, source?: XmlSource): void;
  text(text: XmlText, source?: XmlSource): void;
  close(tag: XmlTag, source?: XmlSource): void;
  instruction(target: string, body: string): void;
  comment?(text: string): void;
  /** Before the first event: the bytes are not of the encoding that the file declares. */
  misread?(): void;
}

export interface XmlLimits {
  readonly bytes: number;
  readonly depth: number;
  /** Elements and attributes together. */
  readonly parts: number;
}

/** Far above the largest documents in use (990 items, many text attachments). */
export const xmlLimits: XmlLimits = { bytes: 16 * 1024 * 1024, depth: 64, parts: 1_000_000 };

/**
 * Reads XML once, from the first byte to the last. A document type is refused, so only the five entities of XML exist.
 * Throws `XmlRefused` for XML that is not well-formed or exceeds the limits.
 */
export function readXml(bytes: Uint8Array, visitor: XmlVisitor, limits: XmlLimits = xmlLimits): void {
  if (bytes.length === 0) refuseXml('empty', xmlReasons.empty);
  if (bytes.length > limits.bytes) {
    refuseXml('too-large', filled(xmlReasons.tooLarge, { bytes: bytes.length, limit: limits.bytes }));
  }
  const parser = guarded(visitor, limits);
  const { name, isAssumed } = encodingOf(bytes);
  if (isAssumed) visitor.misread?.();
  try {
    let isFirst = true;
    for (const piece of decoded(withoutZeros(bytes, name), name)) {
      parser.write(isFirst ? piece.replace(blanks, '') : piece);
      isFirst = false;
    }
    parser.close();
  } catch (error) {
    if (error instanceof XmlRefused) throw error;
    refuseXml('malformed', xmlReasons.malformed);
  }
}

/** What some makers write before the declaration, also a mark of UTF-8 that is none. Nothing that is signed changes. */
const blanks = /^(?:ï»¿|[\uFEFF \t\r\n])+/;

/** The bytes without the zeros that some makers write behind the root. */
function withoutZeros(bytes: Uint8Array, encoding: string): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end -= 1;
  return bytes.subarray(0, encoding === 'utf-16le' ? end + (end % 2) : end);
}

function guarded(visitor: XmlVisitor, limits: XmlLimits): SaxesParser<{ xmlns: true }> {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const counts = { depth: 0, parts: 0 };
  const count = (): void => {
    counts.parts += 1;
    if (counts.parts > limits.parts) tooMany();
  };
  parser.on('opentagstart', () => {
    counts.depth += 1;
    if (counts.depth > limits.depth) tooDeep(limits.depth);
    count();
  });
  parser.on('attribute', count);
  parser.on('opentag', (tag) => visitor.open(tag));
  parser.on('closetag', (tag) => {
    counts.depth -= 1;
    visitor.close(tag);
  });
  parser.on('text', (text) => visitor.text(text));
  parser.on('cdata', (text) => visitor.text(text));
  parser.on('processinginstruction', ({ target, body }) => visitor.instruction(target, body));
  parser.on('comment', (text) => visitor.comment?.(text));
  parser.on('doctype', () => refuseXml('doctype', xmlReasons.doctype));
  return parser;
}

function tooMany(): never {
  return refuseXml('too-many-parts', xmlReasons.tooManyParts);
}

function tooDeep(depth: number): never {
  return refuseXml('too-deep', filled(xmlReasons.tooDeep, { depth }));
}
