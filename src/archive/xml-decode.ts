import { refuseXml } from './xml-problem.js';

const PIECE = 64 * 1024;
/** The declaration stands in the first bytes, and all encodings that are read agree on ASCII. */
const DECLARATION = 200;

/** The names under which the two encodings of fiscal documents are declared. */
const encodings: Readonly<Record<string, 'utf-8' | 'latin1'>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'iso-8859-1': 'latin1',
  latin1: 'latin1',
};

/** The text of an XML file in pieces. A byte that is not of the declared encoding is refused, never replaced. */
export function* xmlText(bytes: Uint8Array): Iterable<string> {
  const encoding = encodingOf(bytes);
  const decoder = encoding === 'utf-8' ? new TextDecoder('utf-8', { fatal: true }) : undefined;
  for (let start = 0; start < bytes.length; start += PIECE) {
    const piece = bytes.subarray(start, start + PIECE);
    yield decoder === undefined ? latin1(piece) : utf8(decoder, piece, true);
  }
  if (decoder !== undefined) yield utf8(decoder, new Uint8Array(), false);
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'latin1' {
  const head = latin1(bytes.subarray(0, DECLARATION));
  const name = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head)?.[1];
  if (name === undefined) return 'utf-8';
  const encoding = encodings[name.toLowerCase()];
  if (encoding !== undefined) return encoding;
  return refuseXml('encoding', `the encoding ${name} is not read`, `a codificação ${name} não é lida`);
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function utf8(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, more: boolean): string {
  try {
    return decoder.decode(bytes, { stream: more });
  } catch {
    return refuseXml('encoding', 'the bytes are not valid UTF-8', 'os bytes não são UTF-8 válido');
  }
}
