import { FiscalError } from '../../errors/fiscal-error.js';

export interface Line {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

const MIB = 1024 * 1024;
const NEWLINE = 0x0a;

/** Splits UTF-8 bytes into lines; a line over `limitMib` ends the reading at once, whatever follows it. */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  options: { readonly name: string; readonly limitMib: number },
): AsyncIterable<Line> {
  const open = new OpenLine(options);
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      open.add(chunk.subarray(start, end));
      yield open.take();
      start = end + 1;
    }
    open.add(chunk.subarray(start));
  }
  if (open.length > 0) yield open.take();
}

/** The line that is not complete yet. */
class OpenLine {
  length = 0;
  private line = 1;
  private parts: Uint8Array[] = [];

  constructor(private readonly options: { readonly name: string; readonly limitMib: number }) {}

  add(part: Uint8Array): void {
    this.length += part.length;
    if (this.length > this.options.limitMib * MIB) {
      const { name, limitMib } = this.options;
      throw new FiscalError('input.line_too_long', { path: name, line: this.line, limit: limitMib });
    }
    if (part.length > 0) this.parts.push(part);
  }

  take(): Line {
    const text = Buffer.concat(this.parts).toString('utf8');
    const line = this.line;
    this.parts = [];
    this.length = 0;
    this.line += 1;
    return { line, text: line === 1 ? withoutMark(text) : text };
  }
}

/** A byte order mark is no part of the text. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

const HEAD_BYTES = 64 * 1024;

export interface Peeked {
  /** The text up to the end of the chunk that holds the last line end asked for, at least, or 64 KiB. */
  readonly head: string;
  /** The bytes of the head. */
  readonly beginning: Uint8Array;
  /** All bytes, the head included. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Looks at the beginning of a stream, so many lines of it, without losing it. */
export async function peek(source: AsyncIterable<Uint8Array>, lines = 1): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let ends = 0;
  while (length < HEAD_BYTES && ends < lines) {
    const next = await iterator.next();
    if (next.done === true) break;
    chunks.push(next.value);
    length += next.value.length;
    for (let at = next.value.indexOf(NEWLINE); at !== -1; at = next.value.indexOf(NEWLINE, at + 1)) ends += 1;
  }
  const beginning = Buffer.concat(chunks);
  const head = withoutMark(beginning.toString('utf8'));
  return { head, beginning, bytes: chain(chunks, iterator) };
}

async function* chain(chunks: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* chunks;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
