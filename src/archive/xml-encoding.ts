import { isUtf8 } from 'node:buffer';
import { decodeWindows1252 } from '../domain/windows-1252.js';

/** How the bytes of an XML file become text. */
export interface XmlEncoding {
  /** `latin1`, `windows-1252`, or another one of `TextDecoder`. */
  readonly name: string;
  /** The bytes are not of the encoding that the file declares, or nobody knows that one. */
  readonly isAssumed: boolean;
}

/**
 * By the mark at the beginning, or the declaration. Where they cannot be right it is UTF-8 if the bytes allow it, else Windows-1252,
 * which has a character for every byte.
 */
export function encodingOf(bytes: Uint8Array): XmlEncoding {
  const name = markedEncoding(bytes) ?? declaredEncoding(bytes);
  if (name !== undefined && isDecodable(bytes, name)) return { name, isAssumed: false };
  return { name: isUtf8(bytes) ? 'utf-8' : 'windows-1252', isAssumed: true };
}

/** By the byte order mark, or by the zero beside the first bracket. */
export function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return undefined;
}

/** Bytes in which the declaration is searched. The encodings without a mark agree on ASCII. */
const DECLARATION = 200;

const ownNames: Readonly<Record<string, string>> = {
  'us-ascii': 'utf-8',
  ascii: 'utf-8',
  'iso-8859-1': 'latin1',
  latin1: 'latin1',
};

/** `undefined` for one that is not known, and for UTF-16, which these bytes are not. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, DECLARATION)).toString('latin1');
  const [, label = 'utf-8'] = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(head) ?? [];
  const own = ownNames[label.toLowerCase()];
  if (own !== undefined) return own;
  try {
    const name = new TextDecoder(label).encoding;
    return name.startsWith('utf-16') ? undefined : name;
  } catch {
    return undefined;
  }
}

function isDecodable(bytes: Uint8Array, name: string): boolean {
  if (name === 'utf-8') return isUtf8(bytes);
  try {
    for (const _text of decoded(bytes, name));
    return true;
  } catch {
    return false;
  }
}

const PIECE = 64 * 1024;

/** The text in pieces, without the mark. Throws for bytes that are not of this encoding. */
export function* decoded(bytes: Uint8Array, name: string): Iterable<string> {
  const decode = decoderOf(name);
  for (let start = 0; start < bytes.length; start += PIECE) {
    yield decode(bytes.subarray(start, start + PIECE), start + PIECE < bytes.length);
  }
}

function decoderOf(name: string): (piece: Uint8Array, hasMore: boolean) => string {
  if (name === 'windows-1252') return decodeWindows1252;
  if (name === 'latin1')
    return (piece) => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
  const decoder = new TextDecoder(name, { fatal: true });
  return (piece, hasMore) => decoder.decode(piece, { stream: hasMore });
}
