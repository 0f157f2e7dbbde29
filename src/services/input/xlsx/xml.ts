import { SaxesParser } from 'saxes';
import { FiscalError } from '../../../errors/fiscal-error.js';
import { brokenXlsx, damaged, beyondSpreadsheets } from './broken.js';

/** What a reader of a part sees. Names are without their prefix. */
export interface PartReader {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** No cell, tag or comment is longer; a parser keeps in memory what it has not finished. */
const MAX_RUN = 1024 * 1024;
/** Workbooks have about ten elements inside each other. */
const MAX_DEPTH = 100;

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
  // What was given since the parser last finished something.
  let run = 0;
  let depth = 0;
  parser.on('opentag', ({ name, attributes }) => {
    run = 0;
    depth += 1;
    if (depth > MAX_DEPTH) throw brokenXlsx(path, beyondSpreadsheets);
    reader.open?.(localName(name), attributes);
  });
  const onText = (text: string): void => {
    run = 0;
    reader.text?.(text);
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('comment', () => (run = 0));
  parser.on('processinginstruction', () => (run = 0));
  parser.on('closetag', ({ name }) => {
    run = 0;
    depth -= 1;
    reader.close?.(localName(name));
  });
  let isEmpty = true;
  try {
    for await (const piece of pieces) {
      isEmpty = false;
      parser.write(piece);
      run += piece.length;
      if (run > MAX_RUN) throw brokenXlsx(path, beyondSpreadsheets);
      yield;
    }
    // A part that the workbook does not have has no pieces.
    if (!isEmpty) parser.close();
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
