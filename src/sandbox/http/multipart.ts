import { Refusal } from '../core/refusal.js';

/** A part of a form, by its name. */
export interface FormPart {
  readonly bytes: Buffer;
  /** Told for files only. */
  readonly fileName: string | undefined;
}

export type Form = ReadonlyMap<string, FormPart>;

const mostParts = 20;
const lineEnd = Buffer.from('\r\n');
const headEnd = Buffer.from('\r\n\r\n');

/** Reads `multipart/form-data` (RFC 7578). Of two parts with one name the later stands. Throws 400 for what is none. */
export function readForm(type: string, body: Uint8Array): Form {
  const boundary = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;]{1,70}))/i.exec(
    type,
  );
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) {
    throw new Refusal(
      'unsupported_content_type',
      'The Content-Type must be multipart/form-data with a boundary.',
    );
  }
  const pieces = split(Buffer.from(body), Buffer.from(`--${mark}`));
  if (pieces === undefined) throw malformed('The form does not end as it began.');
  return new Map(pieces.map(partOf));
}

/** What stands between the marks, without the line ends around it; `undefined` when the last mark is missing. */
function split(body: Buffer, mark: Buffer): readonly Buffer[] | undefined {
  const pieces: Buffer[] = [];
  let start = body.indexOf(mark);
  while (start >= 0 && pieces.length <= mostParts) {
    const from = start + mark.length;
    if (body.subarray(from, from + 2).equals(Buffer.from('--'))) return pieces;
    const next = body.indexOf(Buffer.concat([lineEnd, mark]), from);
    if (next < 0) return undefined;
    pieces.push(body.subarray(from + lineEnd.length, next));
    start = next + lineEnd.length;
  }
  return undefined;
}

function partOf(piece: Buffer): readonly [string, FormPart] {
  const end = piece.indexOf(headEnd);
  if (end < 0) throw malformed('A part of the form has no head.');
  const head = piece.subarray(0, end).toString('utf8');
  const disposition = /^content-disposition:\s*form-data(.*)$/im.exec(head)?.[1] ?? '';
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined) throw malformed('A part of the form has no name.');
  const fileName = /;\s*filename="([^"]*)"/i.exec(disposition)?.[1];
  return [name, { bytes: piece.subarray(end + headEnd.length), fileName }];
}

function malformed(message: string): Refusal {
  return new Refusal('malformed_request', message);
}
