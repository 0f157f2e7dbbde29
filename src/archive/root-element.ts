import type { XmlFileKind } from '../domain/document-fact.js';
import { markedEncoding } from './xml-encoding.js';
import { fileKindOfRoot } from './xml-layouts.js';

/** The kind of XML file that begins with this piece. The root element follows the declaration, instructions and comments. */
export function kindByRoot(beginning: Buffer): XmlFileKind | undefined {
  const encoding = markedEncoding(beginning);
  // The encodings without a mark agree on ASCII.
  const piece = encoding === undefined ? beginning : Buffer.from(new TextDecoder(encoding).decode(beginning));
  let at = 0;
  for (;;) {
    while (isSpace(piece[at])) at += 1;
    const end = skippedUntil(piece, at);
    if (end === undefined) break;
    if (end < 0) return undefined;
    at = end;
  }
  const name = /^<(?:[\w.-]{1,50}:)?([\w.-]{1,50})[\s/>]/.exec(piece.toString('latin1', at, at + 120))?.[1];
  return name === undefined ? undefined : fileKindOfRoot(name);
}

const skipped = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const;

/** The end of the instruction or comment that begins at `at`; -1 if it is not closed. `undefined`: neither begins there. */
function skippedUntil(piece: Buffer, at: number): number | undefined {
  const found = skipped.find(([begin]) => piece.toString('latin1', at, at + begin.length) === begin);
  if (found === undefined) return undefined;
  const end = piece.indexOf(found[1], at + found[0].length, 'latin1');
  return end < 0 ? end : end + found[1].length;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
