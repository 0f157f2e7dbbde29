import { FiscalError } from '../../errors/fiscal-error.js';
import { withoutMark } from './lines.js';
import { syntaxReason } from './syntax-reason.js';

const MIB = 1024 * 1024;
const DOCUMENT_LIMIT_MIB = 64;

/** Reads one JSON document whole. Errors: `input.too_large`, `input.syntax`. */
export async function readJson(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  parse: (text: string) => unknown,
): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > DOCUMENT_LIMIT_MIB * MIB) {
      throw new FiscalError('input.too_large', { path: name, limit: DOCUMENT_LIMIT_MIB });
    }
    chunks.push(chunk);
  }
  const text = withoutMark(Buffer.concat(chunks).toString('utf8'));
  try {
    return parse(text);
  } catch (error) {
    throw new FiscalError('input.syntax', {
      path: name,
      format: 'JSON',
      reason: syntaxReason(error, text),
    });
  }
}
