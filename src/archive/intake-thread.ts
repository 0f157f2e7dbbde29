import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Admission, Candidate, Intake } from './intake.js';
import { packOrder, type IntakeAnswer, type IntakeStart } from './intake-order.js';
import type { ArchiveWriterParts } from './write.js';
import { archiveFailure } from './write-failure.js';

/** To wake a thread costs as much as to write a file: so many go to it at once, or what has come in so much time. */
const ENOUGH = 12;
const MOST_WAIT_MS = 5;

/** While the thread works on one order, the next lies ready. */
const ORDERS_OUT = 2;

/** What the thread makes is gone with each document: little room for it keeps the whole program small. */
const YOUNG_MEGABYTES = 2;

/**
 * While a thread starts, V8 lets the heaps of the whole process grow again, until `intake-worker` forbids it. This thread
 * waits for it, some 40 ms: at work it would take 12 MB more meanwhile, and never give them back.
 */
const LONGEST_START_MS = 1_000;

/** Memory of orders that came back, for those to come. */
const MOST_SPARE = 2;

interface Waiting {
  readonly candidate: Candidate;
  resolve(admission: Admission): void;
  reject(error: Error): void;
}

/**
 * Lets another thread do the work, so that this one goes on with its line. What ends the thread fails all that it had.
 * @param program The built `intake-worker`.
 */
export function createIntakeThread(parts: ArchiveWriterParts, program: URL): Intake {
  return new IntakeThread(parts, program);
}

class IntakeThread implements Intake {
  readonly #worker: Worker;
  readonly #out = new Map<number, readonly Waiting[]>();
  readonly #spare: Uint8Array<ArrayBuffer>[] = [];
  #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;
  #lost: Error | undefined;

  constructor(
    private readonly parts: ArchiveWriterParts,
    program: URL,
  ) {
    const ready = new Int32Array(new SharedArrayBuffer(4));
    const workerData: IntakeStart = { parts: { ...parts, series: 'thread' }, ready };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MEGABYTES };
    this.#worker = new Worker(program, { workerData, resourceLimits });
    Atomics.wait(ready, 0, 0, LONGEST_START_MS);
    this.#worker.on('message', (answer: IntakeAnswer) => this.#answered(answer));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('the thread of the archive ended')));
  }

  async admit(candidate: Candidate): Promise<Admission> {
    if (this.#lost !== undefined) throw this.#lost;
    return await new Promise((resolve, reject) => {
      this.#waiting.push({ candidate, resolve, reject });
      if (this.#waiting.length >= ENOUGH) this.#send();
      else this.#timer ??= setTimeout(() => this.#send(), MOST_WAIT_MS);
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker.terminate();
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0 || this.#out.size >= ORDERS_OUT) return;
    this.#count += 1;
    const candidates = this.#waiting.map(({ candidate }) => candidate);
    const order = packOrder(this.#count, candidates, this.#spare.pop());
    this.#out.set(order.number, this.#waiting);
    this.#waiting = [];
    this.#worker.postMessage(order, [order.bytes.buffer]);
  }

  #answered({ number, bytes, admissions }: IntakeAnswer): void {
    if (this.#spare.length < MOST_SPARE) this.#spare.push(bytes);
    for (const [index, { candidate, resolve, reject }] of (this.#out.get(number) ?? []).entries()) {
      const admission = admissions[index];
      if (admission === undefined) reject(new Error('the thread of the archive gave no answer'));
      else if ('failed' in admission)
        reject(failureOf(join(this.parts.archive, candidate.path), admission.failed));
      else resolve(admission);
    }
    this.#out.delete(number);
    // What no timer will send was held back by the orders that were out.
    if (this.#waiting.length >= ENOUGH || this.#timer === undefined) this.#send();
  }

  #fail(error: Error): void {
    this.#lost ??= error;
    clearTimeout(this.#timer);
    const all = [...[...this.#out.values()].flat(), ...this.#waiting];
    this.#out.clear();
    this.#waiting = [];
    for (const { reject } of all) reject(this.#lost);
  }
}

function failureOf(path: string, code: string): Error {
  return archiveFailure(path, Object.assign(new Error(code), { code }));
}
