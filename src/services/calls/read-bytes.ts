import { codeOfListed } from '../../domain/event-codes.js';
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { open, rm } from 'node:fs/promises';
import { inspectXml } from '../../archive/inspect.js';
import { wrongSubject } from '../../client/answer-subject.js';
import type { CallInput, Downloaded } from '../../client/client.js';
import { type ByteSink, MemorySink } from '../../client/receive.js';
import type { ByteOperationId as InboundByteOperationId } from '../../contract/inbound-bodies.js';
import type { IssuedByteOperationId } from '../../contract/invoice-bodies.js';
import type { LookupByteOperationId } from '../../contract/lookup-operations.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { pollDelayMs } from '../../jobs/decide.js';
import type { Context } from '../context.js';
import { previewOne } from './one-call.js';
import { createFile, putInPlace, requireReplaceable, temporaryBeside, unwritable } from '../../io/output-file.js';

/** The operations that answer bytes. */
export type ByteOperationId = InboundByteOperationId | IssuedByteOperationId | LookupByteOperationId;

/** The bytes of one document, and their destination. */
export interface BytesRequest<Id extends ByteOperationId> {
  readonly operation: Id;
  readonly input: CallInput<Id>;
  /** Its name in messages, e.g. the XML of a key. */
  readonly what: Text;
  readonly key: string;
  /** A file; absent: returns the bytes. */
  readonly out: string | undefined;
  /** How long to wait after a 202; absent: no wait. */
  readonly timeout?: number | undefined;
  /** For an XML: the expected document. */
  readonly expected?: ExpectedDocument;
}

/** The expected content of the XML. */
export interface ExpectedDocument {
  readonly family: 'nfe' | 'cte' | 'nfse';
  readonly part: 'document' | 'event';
  /** Absent: not known. */
  readonly accessKey?: string | undefined;
  /** `ID`, the code of the event, the access key and the sequence. */
  readonly eventKey?: string;
  /** The code of the event, e.g. `110110`, where its key is not known. */
  readonly eventCode?: string;
  /** An XML of a layout that is not known here passes: those of the municipalities are many. */
  readonly anyLayout?: true;
}

/** The bytes when no file was named: they go to stdout unchanged. */
export type BytesOutcome = Outcome | { readonly bytes: Uint8Array };

const LONGEST_PAUSE_MS = 5_000;

/**
 * Reads the bytes of a document, unchanged. Errors: `inbound.no_bytes` (204), `outcome.still_pending` (202 at the end
 * of the time), `store.unwritable`, `store.full`.
 */
export async function readBytes<Id extends ByteOperationId>(
  context: Context,
  request: BytesRequest<Id>,
): Promise<BytesOutcome> {
  if ((await context.settings()).dryRun) {
    return { data: await previewOne(context, request.operation, request.input) };
  }
  const { out, expected } = request;
  const memory = new MemorySink();
  const isHeld = out === undefined || expected !== undefined;
  const held = isHeld ? await downloadBytes(context, request, memory) : undefined;
  if (expected !== undefined) await requireDocument(context, { request, expected, bytes: memory.bytes() });
  if (out === undefined) return { bytes: memory.bytes() };
  const file = new NewFile(context, out);
  try {
    const { bytes, contentType } = held ?? (await downloadBytes(context, request, file));
    if (held !== undefined) {
      await file.restart();
      await file.write(memory.bytes());
    }
    const sha256 = await file.finish();
    return { data: { path: file.path, bytes, sha256, ...(contentType === undefined ? {} : { contentType }) } };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/**
 * Compares the XML with the request before it is used. Errors: `service.other_subject` for another document,
 * `service.unreadable` for one that does not say which it is.
 */
async function requireDocument(
  context: Context,
  answer: {
    readonly request: Pick<BytesRequest<ByteOperationId>, 'operation' | 'key'>;
    readonly expected: ExpectedDocument;
    readonly bytes: Uint8Array;
  },
): Promise<void> {
  const { request, expected, bytes } = answer;
  const { operation } = request;
  const { accessKey, eventKey, eventCode, anyLayout, ...rest } = expected;
  const seen = inspectXml(bytes, { accessKey, ...rest });
  const facts = { operation, httpStatus: 200, sent: 'yes', retryable: false } as const;
  if (accessKey !== undefined && seen.accessKey !== undefined && seen.accessKey !== accessKey)
    throw wrongSubject({ field: 'accessKey', asked: accessKey, answered: seen.accessKey }, facts);
  const eventId = seen.event === undefined ? undefined : `${seen.event.code} ${seen.event.sequence}`;
  const asked = eventIn(eventKey);
  if (asked !== undefined && eventId !== undefined && eventId !== asked)
    throw wrongSubject({ field: 'eventKey', asked, answered: eventId }, facts);
  if (eventCode !== undefined && seen.event !== undefined && String(seen.event.code) !== eventCode)
    throw wrongSubject({ field: 'tpEvento', asked: eventCode, answered: String(seen.event.code) }, facts);
  const [problem] = seen.problems;
  if (problem !== undefined && !(anyLayout === true && problem.code === 'unknown-layout'))
    throw new FiscalError('service.unreadable', { operation, status: 200, reason: problem.message }, facts);
  if (accessKey === undefined || problem !== undefined) await context.notice(notCompared);
}

/** Code and sequence, when the key of an event has the legal form of its Id. */
function eventIn(eventKey: string | undefined): string | undefined {
  const event = eventKey === undefined ? undefined : codeOfListed({ eventKey });
  return event === undefined ? undefined : `${event.code} ${event.sequence}`;
}

/** Writes the bytes to the sink, once the service has made them. Errors: as `readBytes`. */
export async function downloadBytes<Id extends ByteOperationId>(
  context: Context,
  request: BytesRequest<Id>,
  sink: ByteSink,
): Promise<Downloaded> {
  const { operation, input, timeout = 0 } = request;
  const client = await context.client();
  const startedAt = context.clock.uptime();
  for (;;) {
    const done = await client.download(operation, input, { sink, signal: context.interruption });
    if (done.status === 204) throw noBytes(request);
    if (done.status !== 202) return done;
    const age = context.clock.uptime() - startedAt;
    const pause = Math.max(done.retryAfterMs ?? 0, pollDelayMs(age, LONGEST_PAUSE_MS));
    if (age + pause > timeout) throw stillMade(request, age);
    await context.clock.sleep(pause, context.interruption, beingMade(request));
  }
}

function beingMade({ what, key }: Pick<BytesRequest<ByteOperationId>, 'what' | 'key'>): Text {
  return { en: `${what.en} of ${key}, which the service makes`, pt: `${what.pt} de ${key}, que o serviço gera` };
}

function noBytes({ what, key, operation }: Pick<BytesRequest<ByteOperationId>, 'what' | 'key' | 'operation'>) {
  return new FiscalError('inbound.no_bytes', { what, key }, { operation, httpStatus: 204, sent: 'yes' });
}

function stillMade(
  { what, key, operation }: Pick<BytesRequest<ByteOperationId>, 'what' | 'key' | 'operation'>,
  ageMs: number,
): FiscalError {
  const named = { en: `${what.en} of ${key}`, pt: `${what.pt} de ${key}` };
  const status: Text = { en: 'in preparation', pt: 'em preparação' };
  const seconds = Math.round(ageMs / 1000);
  return new FiscalError(
    'outcome.still_pending',
    { what: named, status: `202 (${status.en})`, seconds },
    { operation, httpStatus: 202, sent: 'yes', retryable: true },
  );
}

/** Writes a temporary file and renames it when it is complete and on disk, so a partial file is never visible. */
class NewFile implements ByteSink {
  readonly path: string;
  readonly #temporary: string;
  #file: Awaited<ReturnType<typeof createFile>> | undefined;
  #hash = createHash('sha256');

  constructor(context: Context, out: string) {
    this.path = resolve(context.cwd, out);
    this.#temporary = temporaryBeside(this.path, context.random);
  }

  async restart(): Promise<void> {
    await this.#file?.close();
    await requireReplaceable(this.path);
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
      await putInPlace(this.#temporary, this.path);
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

const notCompared: Text = {
  en: 'nothing in this XML can be compared with the request: only the service confirms that it is the right document',
  pt: 'nada neste XML pode ser comparado com o que foi pedido: só o serviço confirma que é o documento certo',
};
