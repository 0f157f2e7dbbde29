/** The tags that certificates are written with. */
export const tags = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  time: 0x17,
  list: 0x30,
  set: 0x31,
  explicit: 0xa0,
  octetsAt0: 0x80,
} as const;

/** One element of DER: tag, length, content. */
export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

/** An object identifier, from the bytes of its content. */
export function oid(bytes: readonly number[]): Buffer {
  return der(tags.oid, Buffer.from(bytes));
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  if (length < 0x100) return Buffer.from([0x81, length]);
  return Buffer.from([0x82, length >> 8, length & 0xff]);
}
