import { withoutMark } from './lines.js';

const HEAD_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

export interface Peeked {
  /** The text up to the end of the chunk that holds the first line end, at least, or 64 KiB. */
  readonly head: string;
  /** All bytes, the head included. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Looks at the beginning of a stream without losing it. */
export async function peek(source: AsyncIterable<Uint8Array>): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const next = await iterator.next();
    if (next.done === true) break;
    chunks.push(next.value);
    length += next.value.length;
    if (next.value.includes(NEWLINE)) break;
  }
  const head = withoutMark(Buffer.concat(chunks).toString('utf8'));
  return { head, bytes: chain(chunks, iterator) };
}

async function* chain(
  chunks: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncIterable<Uint8Array> {
  try {
    yield* chunks;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
