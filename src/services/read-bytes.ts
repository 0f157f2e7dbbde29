import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { CallInput, Downloaded } from '../client/client.js';
import { MemorySink } from '../client/memory-sink.js';
import type { ByteSink } from '../client/receive.js';
import type { ByteOperationId as InboundByteOperationId } from '../contract/inbound-bodies.js';
import type { IssuedByteOperationId } from '../contract/invoice-bodies.js';
import type { LookupByteOperationId } from '../contract/lookup-operations.js';
import type { Text } from '../contract/text.js';
import type { Outcome } from '../domain/outcome.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { pollDelayMs } from '../jobs/delay.js';
import type { Context } from './context.js';
import { previewOne } from './preview.js';
import { createFile, unwritable } from './write-file.js';

/** The operations that answer bytes. */
export type ByteOperationId = InboundByteOperationId | IssuedByteOperationId | LookupByteOperationId;

/** One document's bytes, and where they shall go. */
export interface BytesRequest<Id extends ByteOperationId> {
  readonly operation: Id;
  readonly input: CallInput<Id>;
  /** What a person calls it, e.g. the XML of a key. */
  readonly what: Text;
  readonly key: string;
  /** A file; absent: the bytes are given back. */
  readonly out: string | undefined;
  /** How long a 202 is waited for; absent: a 202 is the end. */
  readonly timeoutMs?: number | undefined;
}

/** The bytes themselves where no file was named: they go to stdout as they are. */
export type BytesOutcome = Outcome | { readonly bytes: Uint8Array };

const LONGEST_PAUSE_MS = 5_000;

/**
 * Reads a document's bytes exactly as they came. Errors: `inbound.no_bytes` (204), `outcome.still_pending` (202 at the end
 * of the time), `store.unwritable`, `store.full`.
 */
export async function readBytes<Id extends ByteOperationId>(
  context: Context,
  request: BytesRequest<Id>,
): Promise<BytesOutcome> {
  if ((await context.settings()).dryRun) {
    return { data: await previewOne(context, request.operation, request.input) };
  }
  if (request.out === undefined) {
    const memory = new MemorySink();
    await download(context, request, memory);
    return { bytes: memory.bytes() };
  }
  const file = new NewFile(context, request.out);
  try {
    const { bytes, contentType } = await download(context, request, file);
    const sha256 = await file.finish();
    return {
      data: { path: file.path, bytes, sha256, ...(contentType === undefined ? {} : { contentType }) },
    };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function download<Id extends ByteOperationId>(
  context: Context,
  request: BytesRequest<Id>,
  sink: ByteSink,
): Promise<Downloaded> {
  const { operation, input, timeoutMs = 0 } = request;
  const client = await context.client();
  const startedAt = context.clock.uptime();
  for (;;) {
    const done = await client.download(operation, input, { sink, signal: context.interruption });
    if (done.status === 204) throw noBytes(request);
    if (done.status !== 202) return done;
    const age = context.clock.uptime() - startedAt;
    const pause = Math.max(done.retryAfterMs ?? 0, pollDelayMs(age, LONGEST_PAUSE_MS));
    if (age + pause > timeoutMs) throw stillMade(request, age);
    await context.clock.sleep(pause, context.interruption);
  }
}

function noBytes({
  what,
  key,
  operation,
}: Pick<BytesRequest<ByteOperationId>, 'what' | 'key' | 'operation'>) {
  return new FiscalError('inbound.no_bytes', { what, key }, { operation, httpStatus: 204, sent: 'yes' });
}

function stillMade(
  { what, key, operation }: Pick<BytesRequest<ByteOperationId>, 'what' | 'key' | 'operation'>,
  ageMs: number,
): FiscalError {
  const named = { en: `${what.en} of ${key}`, pt: `${what.pt} de ${key}` };
  const status: Text = { en: 'being made', pt: 'em preparação' };
  const seconds = Math.round(ageMs / 1000);
  return new FiscalError(
    'outcome.still_pending',
    { what: named, status: `202 (${status.en})`, seconds },
    { operation, httpStatus: 202, sent: 'yes', retryable: true },
  );
}

/** Written beside its name and renamed when it is whole and on the disk: nobody ever sees half of it. */
class NewFile implements ByteSink {
  readonly path: string;
  readonly #temporary: string;
  #file: Awaited<ReturnType<typeof createFile>> | undefined;
  #hash = createHash('sha256');

  constructor(context: Context, out: string) {
    this.path = resolve(context.cwd, out);
    this.#temporary = `${this.path}.${context.random.uuid()}.tmp`;
  }

  async restart(): Promise<void> {
    await this.#file?.close();
    this.#file = await createFile(this.#temporary);
    this.#hash = createHash('sha256');
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#guarded(async () => {
      await this.#file?.writeFile(chunk);
      this.#hash.update(chunk);
    });
  }

  /** Gives the SHA-256 of what stands there, in hexadecimal. */
  async finish(): Promise<string> {
    await this.#guarded(async () => {
      await this.#file?.sync();
      await this.#file?.close();
      await rename(this.#temporary, this.path);
      const folder = await open(dirname(this.path));
      await folder.sync().finally(() => folder.close());
    });
    return this.#hash.digest('hex');
  }

  async discard(): Promise<void> {
    await this.#file?.close().catch(() => undefined);
    await rm(this.#temporary, { force: true });
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }
}
