import type { Admission, Candidate } from './intake.js';
import type { ArchiveWriterParts } from './write.js';

/** What the thread begins with. `ready` is set to 1 when it has begun. */
export interface IntakeStart {
  readonly parts: ArchiveWriterParts;
  readonly ready: Int32Array;
}

/** What the thread is told: candidates, whose bytes stand one behind another in one piece of memory. */
export interface IntakeOrder {
  readonly number: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly candidates: readonly (Omit<Candidate, 'bytes'> & { readonly end: number })[];
}

/** Of an order: one for each of its candidates, in their turn, and its memory back. A later order may be answered first. */
export interface IntakeAnswer {
  readonly number: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly admissions: readonly (Admission | IntakeFailure)[];
}

/** The system's own word, such as `ENOSPC`: an error loses its class on the way between threads. */
export interface IntakeFailure {
  readonly failed: string;
}

/** @param spare Memory of an earlier order, taken when it is large enough. */
export function packOrder(
  number: number,
  all: readonly Candidate[],
  spare: Uint8Array<ArrayBuffer> | undefined,
): IntakeOrder {
  const size = all.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const bytes = spare !== undefined && spare.length >= size ? spare : new Uint8Array(size);
  let end = 0;
  const candidates = all.map(({ path, expected, bytes: own }) => {
    bytes.set(own, end);
    end += own.length;
    return { path, expected, end };
  });
  return { number, bytes, candidates };
}

export function unpackOrder({ bytes, candidates }: IntakeOrder): readonly Candidate[] {
  let begin = 0;
  return candidates.map(({ path, expected, end }) => {
    const own = bytes.subarray(begin, end);
    begin = end;
    return { path, expected, bytes: own };
  });
}
