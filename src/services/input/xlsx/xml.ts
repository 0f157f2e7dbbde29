import { SaxesParser } from 'saxes';
import { FiscalError } from '../../../errors/fiscal-error.js';
import { brokenXlsx, damaged } from './broken.js';

/** What a reader of a part sees. Names are without their prefix. */
export interface PartReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** No cell and no tag is longer; a parser keeps in memory what it has not finished. */
const MAX_RUN = 1024 * 1024;

/**
 * Parses a part piece by piece, and stops after each piece so that what was read can be taken. Workbooks have no document
 * type: one that has could define entities, and is refused. Error: `input.syntax`.
 */
export async function* parsePart(pieces: AsyncIterable<string>, reader: PartReader, path: string): AsyncIterable<void> {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const refuse = (): never => {
    throw brokenXlsx(path, damaged);
  };
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  parser.on('opentag', ({ name, attributes }) => reader.open?.(localName(name), attributes));
  parser.on('text', (text) => reader.text?.(text));
  parser.on('cdata', (text) => reader.text?.(text));
  parser.on('closetag', ({ name }) => reader.close?.(localName(name)));
  let run = 0;
  try {
    for await (const piece of pieces) {
      const at = piece.lastIndexOf('<');
      run = at === -1 ? run + piece.length : piece.length - at;
      if (run > MAX_RUN) refuse();
      parser.write(piece);
      yield;
    }
    // A part that the workbook does not have has no pieces.
    if (run > 0) parser.close();
  } catch (error) {
    throw error instanceof FiscalError ? error : brokenXlsx(path, damaged);
  }
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/** Reads a whole small part. */
export async function readPart(pieces: AsyncIterable<string>, reader: PartReader, path: string): Promise<void> {
  for await (const _piece of parsePart(pieces, reader, path));
}
