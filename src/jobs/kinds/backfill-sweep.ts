import type { Observation } from '../kind.js';
import { textField } from './answer-fields.js';

/** What is asked for one company's retained history. */
export interface SweepRequest {
  readonly companyId: string;
  /** True releases, false revokes. */
  readonly released: boolean;
  /** Hidden documents when the job was written: where the progress of a release begins. */
  readonly hidden?: number;
  /** How many a revoke should hide in the end, as far as it could be counted beforehand. */
  readonly expected?: number;
}

/** The summary as far as it can be read (§2, §4). */
export interface Summary {
  readonly startFromDate?: string;
  readonly released?: boolean;
  readonly hidden?: number;
}

/** The state that an item's row remembers of the last read; `steady`: reads in a row with this very count. */
export interface SweepStatus {
  readonly released: boolean;
  readonly hidden: number | undefined;
  readonly steady: number;
}

/** Reads of the same count that end a revoke, and so many where fewer are hidden than should be. */
const STEADY_READS = 2;
const DOUBTFUL_READS = 5;

export function readSummary(body: unknown): Summary {
  const startFromDate = textField(body, 'startFromDate');
  const released = booleanField(body, 'released');
  const hidden = countField(body, 'hiddenDocumentsCount');
  return {
    ...(startFromDate === undefined ? {} : { startFromDate }),
    ...(released === undefined ? {} : { released }),
    ...(hidden === undefined ? {} : { hidden }),
  };
}

/**
 * Whether a sweep has ended (assumed: `released` is what was last asked for, the count moves meanwhile). A release has
 * when nothing is hidden; a revoke, whose end nobody tells, when the count stands still. `before`: the status that the
 * last read left. Whoever saw the state that was asked for and then the other one was overtaken by another request.
 */
export function observeSweep(
  { released, hidden }: Summary,
  request: Pick<SweepRequest, 'released' | 'expected'>,
  before: string | undefined,
): Observation {
  if (released === undefined) return { state: 'pending' };
  const last = sweepStatus(before);
  const steady =
    last !== undefined && last.released === released && last.hidden === hidden ? last.steady + 1 : 1;
  const remoteStatus = statusText({ released, hidden, steady });
  if (released !== request.released) {
    return last?.released === request.released
      ? {
          state: 'rejected',
          remoteStatus,
          errorCode: 'backfill.overtaken',
          errorMessage: overtaken(released),
        }
      : { state: 'pending', remoteStatus };
  }
  if (hidden === undefined) return { state: 'pending', remoteStatus };
  const needed = hidden >= (request.expected ?? 0) ? STEADY_READS : DOUBTFUL_READS;
  const isDone = released ? hidden === 0 : steady >= needed;
  return { state: isDone ? 'succeeded' : 'pending', remoteStatus };
}

/** `released=true hidden=120 steady=1`: kept in the row, shown as it is. */
function statusText({ released, hidden, steady }: SweepStatus): string {
  const count = hidden === undefined ? '' : ` hidden=${hidden}`;
  return `released=${released}${count} steady=${steady}`;
}

export function sweepStatus(text: string | undefined): SweepStatus | undefined {
  const match = /^released=(true|false)(?: hidden=(\d{1,15}))? steady=(\d{1,6})$/.exec(text ?? '');
  if (match === null) return undefined;
  const [, released, hidden, steady] = match;
  return {
    released: released === 'true',
    hidden: hidden === undefined ? undefined : Number(hidden),
    steady: Number(steady),
  };
}

/** JSON is never translated; the sentence for a person is that of the code `backfill.overtaken`. */
function overtaken(released: boolean): string {
  return `another request asked to ${released ? 'release' : 'revoke'} meanwhile`;
}

function booleanField(body: unknown, name: string): boolean | undefined {
  const value = fieldOf(body, name);
  return typeof value === 'boolean' ? value : undefined;
}

function countField(body: unknown, name: string): number | undefined {
  const value = fieldOf(body, name);
  const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function fieldOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  return Object.entries(body).find(([key]) => key === name)?.[1];
}
