import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';

/** A list has at most 1,000 names of 1,024 bytes, each byte up to three when encoded. Errors and other answers are small. */
const MOST_BYTES = 8 * 1024 ** 2;

/** A whole answer that is no object. Error: `archive.bad_answer` for one that no server gives. */
export async function boundedAnswer(location: string, body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > MOST_BYTES) throw badAnswer(location, tooLarge);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** The client takes the fields of any root for those of a list, and the rest of a list for a whole one. */
export function requireList(location: string, xml: Buffer): void {
  const [begin, end] = [xml.toString('latin1', 0, 2_000), xml.subarray(-100).toString('latin1')];
  const isList = /^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?<ListBucketResult[\s>]/.test(begin);
  const isWhole = /<\/ListBucketResult>\s*$/.test(end);
  const isOne = xml.indexOf('<ListBucketResult') === xml.lastIndexOf('<ListBucketResult');
  if (!isList || !isWhole || !isOne) throw badAnswer(location, noList);
}

function badAnswer(path: string, reason: Text): FiscalError {
  return new FiscalError('archive.bad_answer', { path, reason });
}

const tooLarge: Text = { en: 'an answer is larger than 8 MiB', pt: 'uma resposta é maior que 8 MiB' };

const noList: Text = {
  en: 'a list of objects was asked for, and something else came, or half of it',
  pt: 'foi pedida uma lista de objetos e veio outra coisa, ou só metade dela',
};
