import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Admission, Candidate, Intake } from '../intake.js';
import { archiveFailure } from './work-folder.js';
import type { FolderWriterOptions } from './write.js';

/*
 * A second thread for the documents of a long sync (docs/decisions/0015): it reads, verifies and writes them while the first
 * one goes on with the list. Candidates travel in batches, because waking a thread costs as much as writing a file.
 */

/** A thread costs about 20 MB and 40 ms to start. Shorter runs do without it. */
const DOCUMENTS_BEFORE_THREAD = 200;

/** A larger document would fill the young generation of the thread, so it stays on the first thread. */
const MAX_BYTES_FOR_THREAD = 512 * 1024;

/** A batch is sent when it has this many candidates, or when its first one has waited this long. */
const BATCH_SIZE = 12;
const MAX_WAIT_MS = 5;

/** One batch waits while the thread works on another. */
const MAX_BATCHES_SENT = 2;

/** Everything that the thread allocates is short-lived: a small young generation keeps the process small. */
const YOUNG_GENERATION_MB = 2;

/**
 * While a thread starts, V8 lets every heap of the process grow, until the worker sets its flag. The first thread waits for
 * that, some 40 ms: working meanwhile, it would grow by 12 MB and keep them.
 */
const MAX_START_MS = 1_000;

/** Buffers of answered batches that are kept for the next ones. */
const MAX_SPARE_BUFFERS = 2;

/** `ready` becomes 1 when the thread runs. */
export interface WorkerStart {
  readonly writer: FolderWriterOptions;
  readonly ready: Int32Array;
}

/** Candidates whose bytes follow each other in one buffer; `end` is the offset after the last byte of each. */
export interface Batch {
  readonly number: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly candidates: readonly (Omit<Candidate, 'bytes'> & { readonly end: number })[];
}

/** One admission for each candidate, in order, and the buffer back. Batches may be answered out of order. */
export interface BatchAnswer {
  readonly number: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly admissions: readonly (Admission | WriteFailure)[];
}

/** The system's error code, such as `ENOSPC`: an error loses its class between threads. */
export interface WriteFailure {
  readonly failed: string;
}

/** @param spare The buffer of an earlier batch, used if it is large enough. */
export function packBatch(
  number: number,
  all: readonly Candidate[],
  spare: Uint8Array<ArrayBuffer> | undefined,
): Batch {
  const size = all.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const bytes = spare !== undefined && spare.length >= size ? spare : new Uint8Array(size);
  let end = 0;
  const candidates = all.map(({ place, expected, bytes: own }) => {
    bytes.set(own, end);
    end += own.length;
    return { place, expected, end };
  });
  return { number, bytes, candidates };
}

export function unpackBatch({ bytes, candidates }: Batch): readonly Candidate[] {
  let begin = 0;
  return candidates.map(({ place, expected, end }) => {
    const own = bytes.subarray(begin, end);
    begin = end;
    return { place, expected, bytes: own };
  });
}

/** Admits on this thread until the run turns out to be long, and starts the second thread then. */
export function createLongIntake(local: Intake, startThread: () => Intake): Intake {
  let count = 0;
  let thread: Intake | undefined;
  return {
    async admit(candidate) {
      count += 1;
      if (count <= DOCUMENTS_BEFORE_THREAD || candidate.bytes.length > MAX_BYTES_FOR_THREAD)
        return await local.admit(candidate);
      thread ??= startThread();
      return await thread.admit(candidate);
    },
    async close() {
      await thread?.close();
      await local.close();
    },
  };
}

/**
 * Admits on another thread. When that thread ends early, every candidate it had fails, and every later one.
 * @param program The built `intake-worker`.
 */
export function createIntakeThread(writer: FolderWriterOptions, program: URL): Intake {
  return new IntakeThread(writer, program);
}

interface Waiting {
  readonly candidate: Candidate;
  resolve(admission: Admission): void;
  reject(error: Error): void;
}

class IntakeThread implements Intake {
  readonly #worker: Worker;
  readonly #sent = new Map<number, readonly Waiting[]>();
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];
  #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;
  #lost: Error | undefined;

  constructor(
    private readonly writer: FolderWriterOptions,
    program: URL,
  ) {
    const ready = new Int32Array(new SharedArrayBuffer(4));
    const workerData: WorkerStart = { writer: { ...writer, series: 'thread' }, ready };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
    this.#worker = new Worker(program, { workerData, resourceLimits });
    Atomics.wait(ready, 0, 0, MAX_START_MS);
    this.#worker.on('message', (answer: BatchAnswer) => this.#receive(answer));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread of the archive ended')));
  }

  async admit(candidate: Candidate): Promise<Admission> {
    if (this.#lost !== undefined) throw this.#lost;
    return await new Promise((resolve, reject) => {
      this.#waiting.push({ candidate, resolve, reject });
      if (this.#waiting.length >= BATCH_SIZE) this.#send();
      else this.#timer ??= setTimeout(() => this.#send(), MAX_WAIT_MS);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker.terminate();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0 || this.#sent.size >= MAX_BATCHES_SENT) return;
    this.#count += 1;
    const candidates = this.#waiting.map(({ candidate }) => candidate);
    const batch = packBatch(this.#count, candidates, this.#spare.pop());
    this.#sent.set(batch.number, this.#waiting);
    this.#waiting = [];
    this.#worker.postMessage(batch, [batch.bytes.buffer]);
  }

  #receive({ number, bytes, admissions }: BatchAnswer): void {
    if (this.#spare.length < MAX_SPARE_BUFFERS) this.#spare.push(bytes);
    for (const [index, { candidate, resolve, reject }] of (this.#sent.get(number) ?? []).entries()) {
      const admission = admissions[index];
      if (admission === undefined) reject(new Error('the thread of the archive gave no answer'));
      else if ('failed' in admission)
        reject(failureOf(join(this.writer.archive, shownPlace(candidate)), admission.failed));
      else resolve(admission);
    }
    this.#sent.delete(number);
    // Without a timer, the candidates were held back because too many batches were sent.
    if (this.#waiting.length >= BATCH_SIZE || this.#timer === undefined) this.#send();
  }

  #fail(error: Error): void {
    this.#lost ??= error;
    clearTimeout(this.#timer);
    const all = [...[...this.#sent.values()].flat(), ...this.#waiting];
    this.#sent.clear();
    this.#waiting = [];
    for (const { reject } of all) reject(this.#lost);
  }
}

/** The name of the file that could not be written; of a new one the part that is known. */
function shownPlace({ place }: Candidate): string {
  return typeof place === 'string' ? place : place.values.key;
}

function failureOf(path: string, code: string): Error {
  return archiveFailure(path, Object.assign(new Error(code), { code }));
}
