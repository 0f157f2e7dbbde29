/** An element of ASN.1 as DER or BER writes it. */
export interface Element {
  /** The first byte: class, form and number. */
  readonly tag: number;
  readonly content: Buffer;
  /** With its tag and its length. */
  readonly whole: Buffer;
}

export const tags = {
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  list: 0x30,
  set: 0x31,
  explicit: 0xa0,
} as const;
const constructed = 0x20;
const deepest = 32;

/** The element at the start. Throws RangeError for bytes that are none. */
export function readElement(bytes: Buffer, depth = 0): Element {
  const [tag, first] = bytes;
  if (tag === undefined || first === undefined || depth > deepest) throw new RangeError('not ASN.1');
  if (first === 0x80) return readOpen(bytes, tag, depth);
  const size = first < 0x80 ? 0 : first & 0x7f;
  if (size > 4 || bytes.length < 2 + size) throw new RangeError('not ASN.1');
  const length = size === 0 ? first : bytes.readUIntBE(2, size);
  const end = 2 + size + length;
  if (bytes.length < end) throw new RangeError('not ASN.1');
  return { tag, content: bytes.subarray(2 + size, end), whole: bytes.subarray(0, end) };
}

/** BER without a length: elements until two zeros. Some exporters write files so. */
function readOpen(bytes: Buffer, tag: number, depth: number): Element {
  let at = 2;
  while (!(bytes[at] === 0 && bytes[at + 1] === 0)) {
    at += readElement(bytes.subarray(at), depth + 1).whole.length;
  }
  return { tag, content: bytes.subarray(2, at), whole: bytes.subarray(0, at + 2) };
}

/** The elements inside of an element. */
export function children({ content }: Element): readonly Element[] {
  const found: Element[] = [];
  for (let at = 0; at < content.length; ) {
    const element = readElement(content.subarray(at));
    found.push(element);
    at += element.whole.length;
  }
  return found;
}

/** The one at this place. Throws RangeError when there is none. */
export function child(element: Element, index: number): Element {
  const found = children(element)[index];
  if (found === undefined) throw new RangeError('not the ASN.1 that was expected');
  return found;
}

/** The bytes of an OCTET STRING, which BER may write in pieces. */
export function octets(element: Element): Buffer {
  if ((element.tag & constructed) === 0) return element.content;
  return Buffer.concat(children(element).map(octets));
}

/** `1.2.840.113549.1.7.1`. */
export function oidOf({ tag, content }: Element): string {
  if (tag !== tags.oid) throw new RangeError('not an object identifier');
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [first = 0, ...others] = arcs;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...others].join('.');
}

/** A small number that is not negative. */
export function wholeOf({ tag, content }: Element): number {
  if (tag !== tags.integer || content.length > 5 || content.length === 0) {
    throw new RangeError('not a small integer');
  }
  return content.readUIntBE(0, content.length);
}
