import { encodeWindows1252 } from '../domain/windows-1252.js';
import { TransportFault } from './faults.js';

/** Where the bytes of a document go, chunk by chunk. A returned promise is awaited; `undefined` means done. */
export interface ByteSink {
  /** An answer begins; discard what an earlier, broken one left. */
  restart(): Promise<void> | undefined;
  write(chunk: Uint8Array): Promise<void> | undefined;
}

export type DocumentForm = 'xml' | 'pdf';

/** A JSON answer with the address of the bytes is small. */
const MAX_POINTER_BYTES = 64 * 1024;

/**
 * Receives the body of a success: bytes are counted and passed to the sink. A body that starts with a brace is neither
 * XML nor PDF: it is JSON with another address, and is kept so that it can be followed. A JSON string (published) is
 * such an address, or the document itself as text or in base64.
 */
export class Receiver {
  /** The error of the sink: a full disk is not a broken connection. */
  failure: unknown;
  size = 0;
  #head: Uint8Array[] = [];
  #kind: BodyKind = 'undecided';

  constructor(
    private readonly sink: ByteSink,
    private readonly maxBytes: number,
    /** The requested form. */
    private readonly form: DocumentForm,
  ) {}

  get isPointer(): boolean {
    return this.#kind === 'pointer';
  }

  /** The document was inside JSON, so the content type of the answer is not its own. */
  wasWrapped = false;

  /** The JSON with the address. */
  get pointer(): Uint8Array {
    return Buffer.concat(this.#head);
  }

  begin(): Promise<void> | undefined {
    this.size = 0;
    this.#head = [];
    this.#kind = 'undecided';
    this.wasWrapped = false;
    return this.#guarded(() => this.sink.restart());
  }

  take(chunk: Uint8Array): Promise<void> | undefined {
    this.size += chunk.length;
    if (this.#kind === 'bytes') return this.#pass(chunk);
    this.#head.push(chunk);
    if (this.#kind === 'undecided') this.#kind = kindOf(this.pointer, { isEnd: false, form: this.form });
    if (this.#kind === 'bytes') return this.#pass(new Uint8Array());
    // A document in a JSON string is larger than the document.
    const limit = this.#kind === 'text' ? 2 * this.maxBytes : Math.min(this.maxBytes, MAX_POINTER_BYTES);
    if (this.size > limit) throw tooLarge(limit);
    return undefined;
  }

  end(): Promise<void> | undefined {
    if (this.#kind === 'undecided') this.#kind = kindOf(this.pointer, { isEnd: true, form: this.form });
    else if (this.#kind === 'bytes') return undefined;
    if (this.#kind === 'text') return this.#endText();
    return this.#kind === 'bytes' ? this.#pass(new Uint8Array()) : undefined;
  }

  /** A JSON string with an address stays a pointer; any other is unwrapped into the document, or refused. */
  #endText(): Promise<void> | undefined {
    const text = jsonText(this.pointer);
    if (isHttpAddress(text)) {
      this.#kind = 'pointer';
      return undefined;
    }
    const bytes = documentIn(text, this.form);
    this.#kind = 'bytes';
    this.wasWrapped = true;
    this.size = bytes.length;
    this.#head = [];
    return this.#pass(bytes);
  }

  #pass(chunk: Uint8Array): Promise<void> | undefined {
    if (this.size > this.maxBytes) throw tooLarge(this.maxBytes);
    const piece = this.#head.length === 0 ? chunk : Buffer.concat([...this.#head, chunk]);
    this.#head = [];
    return piece.length === 0 ? undefined : this.#guarded(() => this.sink.write(piece));
  }

  #guarded(work: () => Promise<void> | undefined): Promise<void> | undefined {
    try {
      return work()?.catch((error: unknown) => {
        throw this.#unkept(error);
      });
    } catch (error) {
      throw this.#unkept(error);
    }
  }

  #unkept(error: unknown): TransportFault {
    this.failure = error;
    return new TransportFault('unkept', { sent: 'yes', reason: 'the bytes could not be kept' });
  }
}

/** `text`: a JSON string. */
type BodyKind = 'undecided' | 'bytes' | 'pointer' | 'text';

/** Characters needed to tell a document from a proxy's page. */
const TELLING = 16;

/**
 * Classifies a body by its first characters after blanks and the mark of its encoding: `{` starts JSON with another address, `"` a
 * JSON string, `<` an XML, `%PDF` a PDF. Blanks alone count as XML. Throws a fault for a proxy's page or other text (both temporary),
 * for JSON of another shape, and for XML instead of PDF or the reverse.
 */
function kindOf(head: Uint8Array, { isEnd, form }: { readonly isEnd: boolean; readonly form: DocumentForm }): BodyKind {
  const beginning = beginningOf(head);
  if (beginning === '' && (!isEnd || form === 'xml')) return isEnd ? 'bytes' : 'undecided';
  if (beginning.startsWith('{')) return 'pointer';
  if (beginning.startsWith('"')) return 'text';
  if (beginning.length < TELLING && !isEnd) return 'undecided';
  const found = formOf(beginning);
  if (found === form) return 'bytes';
  const isJson = /^(?:\[|null\b|true\b|false\b|-?\d)/.test(beginning);
  throw new TransportFault(isJson || found !== undefined ? 'other-shape' : 'no-document', {
    sent: 'yes',
    reason: isJson ? 'JSON' : (found?.toUpperCase() ?? 'no XML, no PDF'),
    status: 200,
  });
}

/** The first characters after blanks, in lower case; of UTF-16 without its zeros. */
function beginningOf(bytes: Uint8Array): string {
  const start = bytes.findIndex((byte) => !BLANK.has(byte));
  if (start === -1) return '';
  const telling = bytes.subarray(start, start + 2 * TELLING).filter((byte) => byte !== 0);
  return new TextDecoder('latin1').decode(telling.subarray(0, TELLING)).toLowerCase();
}

function jsonText(body: Uint8Array): string {
  try {
    const text: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof text === 'string') return text.replace(/^\uFEFF/, '').trim();
  } catch {
    // A string without its end, as in a body that was cut: the next try may bring it whole.
  }
  throw new TransportFault('no-document', { sent: 'yes', reason: 'no XML, no PDF', status: 200 });
}

/** True for an absolute http(s) address. */
function isHttpAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** The bytes of a document in a JSON string: the text of an XML, or base64 of what begins as the requested form. */
function documentIn(text: string, form: DocumentForm): Uint8Array {
  const bytes = text.startsWith('<') ? encodedXml(text) : fromBase64(text);
  if (bytes !== undefined && formOf(beginningOf(bytes)) === form) return bytes;
  throw new TransportFault('other-shape', { sent: 'yes', reason: 'JSON', status: 200 });
}

/** An XML in the encoding that it declares; `undefined` for one that cannot be written here. */
function encodedXml(text: string): Uint8Array | undefined {
  const [, encoding = 'utf-8'] = /^<\?xml[^>]*?\sencoding\s*=\s*["']([\w.-]+)["']/i.exec(text) ?? [];
  if (/^(?:utf-?8|us-ascii)$/i.test(encoding)) return Buffer.from(text, 'utf8');
  if (/^utf-?16(?:le)?$/i.test(encoding)) return Buffer.from(`\uFEFF${text}`, 'utf16le');
  if (/^(?:windows-|cp)1252$/i.test(encoding)) return encodeWindows1252(text);
  const isLatin = /^(?:iso-8859-1|latin1)$/i.test(encoding) && !/[^\u0000-\u00FF]/.test(text);
  return isLatin ? Buffer.from(text, 'latin1') : undefined;
}

function fromBase64(text: string): Uint8Array | undefined {
  const digits = text.replaceAll(/\s/g, '');
  const isBase64 = digits.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(digits);
  return isBase64 ? Buffer.from(digits, 'base64') : undefined;
}

/** `undefined` also for a proxy's page. */
function formOf(beginning: string): DocumentForm | undefined {
  if (beginning.startsWith('%pdf')) return 'pdf';
  return /^<(?!!doctype html|html|head|body|script)/.test(beginning) ? 'xml' : undefined;
}

/** With the marks of UTF-8 and UTF-16. */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf, 0xfe, 0xff, 0]);

function tooLarge(limit: number): TransportFault {
  return new TransportFault('too-large', { sent: 'yes', reason: `> ${String(limit)} bytes` });
}

/** Keeps a download in memory, to be checked before it is written or shown. */
export class MemorySink implements ByteSink {
  #chunks: Uint8Array[] = [];

  restart(): undefined {
    this.#chunks = [];
  }

  write(chunk: Uint8Array): undefined {
    this.#chunks.push(chunk);
  }

  bytes(): Uint8Array {
    const [first] = this.#chunks;
    return first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
  }
}
