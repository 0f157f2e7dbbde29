import { createHash } from 'node:crypto';

/** A body of `multipart/form-data` (RFC 7578). */
export interface EncodedForm {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** For people: the sizes of files, and nothing of a text, since a form carries passwords. */
  readonly shown: Readonly<Record<string, string>>;
}

/**
 * Encodes an object: bytes go as a file, text as a field. The boundary is the digest of the content, which cannot stand
 * inside it.
 */
export function encodeForm(body: object): EncodedForm {
  const parts = Object.entries(body).map(([name, value]: [string, unknown]) => partOf(name, value));
  const digest = createHash('sha256');
  for (const { content } of parts) digest.update(content);
  const boundary = `fiscal-${digest.digest('hex').slice(0, 40)}`;
  const pieces = parts.flatMap(({ head, content }) => [
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    shown: Object.fromEntries(parts.map(({ name, shown }) => [name, shown])),
  };
}

interface Part {
  readonly name: string;
  readonly head: string;
  readonly content: Uint8Array;
  readonly shown: string;
}

/** The name of a file on this machine is nobody's business. */
function partOf(name: string, value: unknown): Part {
  const disposition = `Content-Disposition: form-data; name="${name}"`;
  if (!(value instanceof Uint8Array)) {
    return { name, head: disposition, content: Buffer.from(String(value)), shown: '***' };
  }
  const head = `${disposition}; filename="${name}"\r\nContent-Type: application/octet-stream`;
  return { name, head, content: value, shown: `(${value.length} bytes)` };
}
