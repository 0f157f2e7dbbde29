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
 * XML nor PDF: it is JSON with another address, and is kept so that it can be followed.
 */
export class Receiver {
  /** The error of the sink: a full disk is not a broken connection. */
  failure: unknown;
  size = 0;
  #head: Uint8Array[] = [];
  #kind: 'undecided' | 'bytes' | 'pointer' = 'undecided';

  constructor(
    private readonly sink: ByteSink,
    private readonly maxBytes: number,
    /** The requested form. */
    private readonly form: DocumentForm,
  ) {}

  get isPointer(): boolean {
    return this.#kind === 'pointer';
  }

  /** The JSON with the address. */
  get pointer(): Uint8Array {
    return Buffer.concat(this.#head);
  }

  begin(): Promise<void> | undefined {
    this.size = 0;
    this.#head = [];
    this.#kind = 'undecided';
    return this.#guarded(() => this.sink.restart());
  }

  take(chunk: Uint8Array): Promise<void> | undefined {
    this.size += chunk.length;
    if (this.#kind === 'bytes') return this.#pass(chunk);
    const limit = Math.min(this.maxBytes, MAX_POINTER_BYTES);
    this.#head.push(chunk);
    if (this.#kind === 'undecided') this.#kind = kindOf(this.pointer, { isEnd: false, form: this.form });
    if (this.#kind === 'bytes') return this.#pass(new Uint8Array());
    if (this.size > limit) throw tooLarge(limit);
    return undefined;
  }

  end(): Promise<void> | undefined {
    if (this.#kind !== 'undecided') return undefined;
    this.#kind = kindOf(this.pointer, { isEnd: true, form: this.form });
    return this.#kind === 'bytes' ? this.#pass(new Uint8Array()) : undefined;
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

/** Characters needed to tell a document from a proxy's page. */
const TELLING = 16;

/**
 * Classifies a body by its first characters after blanks and the UTF-8 mark: `{` starts JSON with another address, `<`
 * an XML, `%PDF` a PDF. Blanks alone count as XML. Throws a fault for a proxy's page or other text (both temporary),
 * for JSON of another shape, and for XML instead of PDF or the reverse.
 */
function kindOf(
  head: Uint8Array,
  { isEnd, form }: { readonly isEnd: boolean; readonly form: DocumentForm },
): 'undecided' | 'bytes' | 'pointer' {
  const start = head.findIndex((byte) => !BLANK.has(byte));
  if (start === -1 && (!isEnd || form === 'xml')) return isEnd ? 'bytes' : 'undecided';
  const text = new TextDecoder('latin1').decode(head.subarray(Math.max(0, start), start + TELLING));
  const beginning = text.toLowerCase();
  if (beginning.startsWith('{')) return 'pointer';
  if (beginning.length < TELLING && !isEnd) return 'undecided';
  const found = formOf(beginning);
  if (found === form) return 'bytes';
  const isJson = /^(?:\[|"|null\b|true\b|false\b|-?\d)/.test(beginning);
  throw new TransportFault(isJson || found !== undefined ? 'other-shape' : 'no-document', {
    sent: 'yes',
    reason: isJson ? 'JSON' : (found?.toUpperCase() ?? 'no XML, no PDF'),
    status: 200,
  });
}

/** `undefined` also for a proxy's page. */
function formOf(beginning: string): DocumentForm | undefined {
  if (beginning.startsWith('%pdf')) return 'pdf';
  return /^<(?!!doctype html|html|head|body|script)/.test(beginning) ? 'xml' : undefined;
}

const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

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
