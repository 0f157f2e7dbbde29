import type { Text } from '../../contract/text.js';
import { parseForeignJson } from '../../domain/json-numbers.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { type ArchiveWorker, heldLock, type WorkOwner } from '../storage.js';
import type { Bucket, Condition, Standing } from './bucket.js';
import { isUnmet } from './faults.js';
import { hashesOf } from './place.js';

/** Runs beside the documents: locks, and the object that shows whether the server keeps conditions. */
export const WORK_FOLDER = '.fiscal';

const RENEW_EVERY_MS = 15_000;
/** By the clock of the server: a lock this old has lost its process. */
const DEAD_AFTER_MS = 60_000;
const POLL_MS = 250;
const MOST_BYTES = 4096;

export interface Lock {
  /** Renews the lock when it is due. Error: `archive.lock_lost` when another process has taken it over. */
  confirm(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the lock of this name: an object that is written only where none stands, or in the place of one that was not renewed for a
 * minute. Only the clock of the server counts.
 */
export async function takeLock(bucket: Bucket, name: string, worker: ArchiveWorker): Promise<Lock> {
  const path = `${WORK_FOLDER}/${name}.lock`;
  const bytes = Buffer.from(JSON.stringify({ workerId: worker.workerId, ...worker.owner }));
  const hashes = hashesOf(bytes, !bucket.knowsSha256);
  const write = (condition: Condition): Promise<string | undefined> =>
    bucket.put(path, { source: { bytes }, hashes, condition }).catch((error: unknown) => {
      if (isUnmet(error)) return undefined;
      throw error;
    });
  const until = worker.clock.uptime() + worker.lockWaitMs;
  let tag = await write({ absent: true });
  while (tag === undefined) {
    const standing = await bucket.head(path);
    if (standing === undefined) tag = await write({ absent: true });
    else if ((await isDead(bucket, path, worker)) || isOld(bucket, path, standing))
      tag = await write({ tag: standing.tag });
    if (tag !== undefined) break;
    if (worker.clock.uptime() >= until) throw new FiscalError('archive.locked', { path: bucket.nameOf(path) });
    await bucket.rest(POLL_MS, heldLock(bucket.nameOf(path)));
  }
  return new HeldLock(bucket, { path, tag, write });
}

/** Without both times the age is unknown, and a lock is not taken over for a guess. */
function isOld(bucket: Bucket, path: string, { writtenAt }: Standing): boolean {
  const ageMs = bucket.servedAt - writtenAt;
  if (Number.isNaN(ageMs)) throw new FiscalError('archive.bad_answer', { path: bucket.nameOf(path), reason: noTimes });
  return ageMs > DEAD_AFTER_MS;
}

const noTimes: Text = {
  en: 'without Date and Last-Modified, the age of the lock of another process is unknown',
  pt: 'sem Date e Last-Modified, não se sabe a idade da trava de outro processo',
};

/** A process of this machine that has ended without its release. */
async function isDead(bucket: Bucket, path: string, worker: ArchiveWorker): Promise<boolean> {
  const owner = await ownerIn(bucket, path);
  return owner !== undefined && worker.livenessOf(owner) === 'dead';
}

async function ownerIn(bucket: Bucket, path: string): Promise<WorkOwner | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (await bucket.get(path)) ?? []) {
    length += chunk.length;
    if (length > MOST_BYTES) return undefined;
    chunks.push(chunk);
  }
  const read = parsed(Buffer.concat(chunks).toString('utf8'));
  const [machine, pid, start] = [fieldOf(read, 'machine'), fieldOf(read, 'pid'), fieldOf(read, 'processStart')];
  if (typeof machine !== 'string' || typeof pid !== 'number' || typeof start !== 'string') return undefined;
  return Number.isSafeInteger(pid) && pid > 0 ? { machine, pid, processStart: start } : undefined;
}

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    return undefined;
  }
}

interface Held {
  readonly path: string;
  readonly tag: string;
  write(condition: Condition): Promise<string | undefined>;
}

class HeldLock implements Lock {
  #tag: string;
  /** Of this process alone, so that no clock that is set forward or back counts. */
  #renewedAt = performance.now();
  #renewing = Promise.resolve();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly bucket: Bucket,
    private readonly held: Held,
  ) {
    this.#tag = held.tag;
    this.#timer = setInterval(() => void this.confirm().catch(() => undefined), RENEW_EVERY_MS).unref();
  }

  async confirm(): Promise<void> {
    this.#renewing = this.#renewing.then(() => this.#renew());
    await this.#renewing;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing.catch(() => undefined);
    await this.bucket.remove(this.held.path, this.#tag).catch((error: unknown) => {
      // Then it is that of another process.
      if (!isUnmet(error)) throw error;
    });
  }

  async #renew(): Promise<void> {
    if (performance.now() - this.#renewedAt < RENEW_EVERY_MS) return;
    const tag = await this.held.write({ tag: this.#tag });
    if (tag === undefined) throw new FiscalError('archive.lock_lost', { path: this.bucket.nameOf(this.held.path) });
    this.#tag = tag;
    this.#renewedAt = performance.now();
  }
}
