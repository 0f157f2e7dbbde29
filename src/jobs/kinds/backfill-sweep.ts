import type { Observation } from '../kind.js';
import { textField } from './answer-fields.js';
import { isNumber } from '../../domain/json-numbers.js';

/** What to do with one company's retained history. */
export interface SweepRequest {
  readonly companyId: string;
  /** True releases it, false revokes the release. */
  readonly released: boolean;
  /** Hidden documents when the job was created: the start of a release's progress. */
  readonly hidden?: number;
  /** Whether a release was in force then; absent: the service did not say. */
  readonly wasReleased?: boolean;
  /** How many documents a revoke should hide, where that could be counted. */
  readonly expected?: number;
  /** The plan that asks for it. */
  readonly plan?: PlanMark;
}

/** The plan that asks for a release: its id, the fingerprint of the row of the company, and who approved it before. */
export interface PlanMark {
  readonly id: string;
  readonly row: string;
  readonly approvals: readonly Approval[];
}

export interface Approval {
  readonly by: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** The fields of the summary that could be read (§2, §4). */
export interface Summary {
  readonly startFromDate?: string;
  readonly released?: boolean;
  readonly hidden?: number;
}

/** The last reading, stored in the item's row. `steady`: consecutive reads with this count. */
export interface SweepStatus {
  readonly released: boolean;
  readonly hidden: number | undefined;
  readonly steady: number;
  /** Hidden documents right before the request. */
  readonly before?: number | undefined;
}

/** The reading before the request, from which the later ones go on. */
export function statusBefore({ released, hidden }: Summary): string | undefined {
  return released === undefined ? undefined : statusText({ released, hidden, steady: 0, before: hidden });
}

/** Consecutive reads with the same count that end a revoke; the second number where fewer are hidden than expected. */
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
 * Decides whether a sweep has ended. Assumed: `released` is what was requested last, and the count changes while the
 * sweep runs. A release ends when nothing is hidden; a revoke, which the service does not report as finished, when the
 * count stops changing. `before`: the status of the previous read. When the requested state was seen and then the other
 * one, another request has overtaken this one.
 */
export function observeSweep(
  { released, hidden }: Summary,
  request: Pick<SweepRequest, 'released' | 'expected'>,
  before: string | undefined,
): Observation {
  if (released === undefined) return { state: 'pending' };
  const last = sweepStatus(before);
  const steady = last !== undefined && last.released === released && last.hidden === hidden ? last.steady + 1 : 1;
  const remoteStatus = statusText({ released, hidden, steady, before: last?.before });
  if (released !== request.released) {
    return last?.released === request.released
      ? {
          state: 'rejected',
          remoteStatus,
          errorCode: 'backfill.overtaken',
          reason: { is: released ? 'released-meanwhile' : 'revoked-meanwhile' },
        }
      : { state: 'pending', remoteStatus };
  }
  if (hidden === undefined) return { state: 'pending', remoteStatus };
  const needed = hidden >= (request.expected ?? 0) ? STEADY_READS : DOUBTFUL_READS;
  const isDone = released ? hidden === 0 : steady >= needed;
  return { state: isDone ? 'succeeded' : 'pending', remoteStatus };
}

/** For example `released=true hidden=120 steady=1 before=300`: stored in the row and shown unchanged. */
function statusText({ released, hidden, steady, before }: SweepStatus): string {
  const count = (name: string, value: number | undefined) => (value === undefined ? '' : ` ${name}=${value}`);
  return `released=${released}${count('hidden', hidden)} steady=${steady}${count('before', before)}`;
}

export function sweepStatus(text: string | undefined): SweepStatus | undefined {
  const match = /^released=(true|false)(?: hidden=(\d{1,15}))? steady=(\d{1,6})(?: before=(\d{1,15}))?$/.exec(
    text ?? '',
  );
  if (match === null) return undefined;
  const [, released, hidden, steady, before] = match;
  return {
    released: released === 'true',
    hidden: hidden === undefined ? undefined : Number(hidden),
    steady: Number(steady),
    ...(before === undefined ? {} : { before: Number(before) }),
  };
}

function booleanField(body: unknown, name: string): boolean | undefined {
  const value = fieldOf(body, name);
  return typeof value === 'boolean' ? value : undefined;
}

function countField(body: unknown, name: string): number | undefined {
  const value = fieldOf(body, name);
  const isDigits = typeof value === 'string' && /^\d{1,15}$/.test(value);
  const count = isDigits || isNumber(value) ? Number(value) : NaN;
  return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

function fieldOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null) return undefined;
  return Object.entries(body).find(([key]) => key === name)?.[1];
}
