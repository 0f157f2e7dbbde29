import type { Text } from '../../contract/text.js';
import { decodeWindows1252 } from '../../domain/windows-1252.js';
import type { FiscalError } from '../../errors/fiscal-error.js';
import type { Conversions } from './conversions.js';
import { notText, textBytes } from './text-bytes.js';

export type Encoding = 'utf-8' | 'windows-1252' | 'utf-16le' | 'utf-16be';

interface TableText {
  readonly name: string;
  /** Absent: UTF-16 is known by its byte order mark, Windows-1252 by bytes that UTF-8 cannot have. */
  readonly encoding: Encoding | undefined;
  readonly conversions: Conversions;
}

type Bytes = AsyncIterable<Uint8Array>;

/**
 * The text of a table as UTF-8, from an encoding in which spreadsheets save it. A file that could be damaged UTF-8 is not
 * taken for Windows-1252. Error: `input.not_text`.
 */
export async function* tableText(bytes: Bytes, table: TableText): Bytes {
  const { head, rest } = await withHead(bytes, 2);
  const encoding = table.encoding ?? encodingByMark(head);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') yield* fromUtf16(rest, encoding, table);
  else if (encoding === 'windows-1252') yield* fromWindows1252(rest, table, { bytes: 0 });
  else if (encoding === 'utf-8') yield* textBytes(rest, table.name);
  else yield* detected(rest, table);
}

/** The encoding that a byte order mark names; UTF-8 is detected without. */
function encodingByMark(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined;
}

/** ASCII is the same in both encodings, so the first byte above it decides. */
async function* detected(bytes: Bytes, table: TableText): Bytes {
  const iterator = bytes[Symbol.asyncIterator]();
  const rest = { [Symbol.asyncIterator]: () => iterator };
  let before = 0;
  try {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      const chunk = next.value;
      const at = chunk.findIndex((byte) => byte >= 0x80 || byte === 0);
      yield at === -1 ? chunk : chunk.subarray(0, at);
      before += at === -1 ? chunk.length : at;
      if (at === -1) continue;
      const word = Buffer.from(chunk.subarray(0, at)).toString('latin1').split(betweenWords).at(-1);
      const following = await withHead(chained(chunk.subarray(at), rest), 2);
      yield* byFirst(following, table, { bytes: before, word });
      return;
    }
  } finally {
    await iterator.return?.();
  }
}

/** What was read before the first byte above ASCII. */
interface Before {
  readonly bytes: number;
  /** The beginning of the word that goes on there. */
  readonly word?: string | undefined;
}

async function* byFirst(
  { head, rest }: { readonly head: Uint8Array; readonly rest: Bytes },
  table: TableText,
  before: Before,
): Bytes {
  const [first = 0, second] = head;
  const isOwn = !isLead(first) || (second !== undefined && !isContinuation(second));
  if (first > 0 && isOwn) yield* fromWindows1252(rest, table, before);
  else yield* textBytes(rest, table.name, before.bytes);
}

function isLead(byte: number): boolean {
  return byte >= 0xc0 && byte <= 0xf7;
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte <= 0xbf;
}

/** Bytes to which Windows-1252 gives no character. */
const undefinedBytes = [0x00, 0x81, 0x8d, 0x8f, 0x90, 0x9d];
/** Without `table.encoding`, what looks like UTF-8 as well is refused. */
async function* fromWindows1252(bytes: Bytes, table: TableText, before: Before): Bytes {
  const { name, encoding, conversions } = table;
  // A file that is in neither encoding has its first wrong byte where UTF-8 ends.
  const refused = (at: number): FiscalError =>
    encoding === undefined
      ? notText(name, before.bytes, 'UTF-8', nameEncoding)
      : notText(name, at, 'Windows-1252', nameEncoding);
  const words = new WordsWithAccents();
  let offset = before.bytes;
  let { word = '' } = before;
  let last = 0;
  for await (const chunk of bytes) {
    for (const byte of chunk) {
      if (undefinedBytes.includes(byte)) throw refused(offset);
      if (encoding === undefined && isLead(last) && isContinuation(byte)) throw refused(offset - 1);
      last = byte;
      offset += 1;
    }
    const text = decodeWindows1252(chunk);
    words.see(word + text);
    word = '';
    conversions.encoding('Windows-1252', words.seen);
    yield Buffer.from(text);
  }
  // The last character of a truncated file may have had a second byte.
  if (encoding === undefined && isLead(last)) throw refused(offset - 1);
}

async function* fromUtf16(bytes: Bytes, encoding: 'utf-16le' | 'utf-16be', table: TableText): Bytes {
  const { name, conversions } = table;
  const decoder = new TextDecoder(encoding, { fatal: true });
  const words = new WordsWithAccents();
  let offset = 0;
  const read = (chunk?: Uint8Array): string => {
    try {
      const text = decoder.decode(chunk, { stream: chunk !== undefined });
      if (!text.includes('\0')) return text;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    throw notText(name, offset, 'UTF-16', nameEncoding);
  };
  for await (const chunk of bytes) {
    const text = read(chunk);
    offset += chunk.length;
    words.see(text);
    conversions.encoding('UTF-16', words.seen);
    yield Buffer.from(text);
  }
  yield Buffer.from(read());
}

const SHOWN_WORDS = 3;

/** The first words that another encoding would show otherwise. */
class WordsWithAccents {
  readonly seen: string[] = [];

  see(text: string): void {
    for (const word of text.split(betweenWords)) {
      if (this.seen.length === SHOWN_WORDS) return;
      if (/[\u0080-\uffff]/.test(word) && !this.seen.includes(word)) this.seen.push(word);
    }
  }
}

const betweenWords = /[\s,;"]/;

const nameEncoding: Text = {
  en: 'save the file as UTF-8 (in a spreadsheet: "CSV UTF-8"), or name its encoding with --encoding',
  pt: 'salve o arquivo como UTF-8 (na planilha: "CSV UTF-8") ou informe a codificação com --encoding',
};

/** At least `length` bytes from the beginning, if there are as many, and all bytes. */
async function withHead(bytes: Bytes, length: number): Promise<{ head: Uint8Array; rest: Bytes }> {
  const iterator = bytes[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array();
  while (head.length < length) {
    const next = await iterator.next();
    if (next.done === true) break;
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  return { head, rest: chained(head, { [Symbol.asyncIterator]: () => iterator }) };
}

async function* chained(first: Uint8Array, rest: Bytes): Bytes {
  if (first.length > 0) yield first;
  yield* rest;
}
