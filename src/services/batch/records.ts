import type { DataRecord } from '../../domain/outcome.js';
import type { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import { reasonWords } from '../../errors/reasons.js';
import type { BilledCounts } from '../../jobs/billed-calls.js';
import type { JobResult, StopReason } from '../../jobs/engine.js';
import type { ItemRow } from '../../store/store.js';
import type { Context } from '../context.js';

/** The record of one item; the fields of the family are between the state and the error. */
export function itemRecord(item: ItemRow, fields: Readonly<Record<string, unknown>>): DataRecord {
  const { ordinal, label, state, remoteStatus, lookup, errorCode, reason } = item;
  return {
    type: 'item',
    line: ordinal,
    label,
    state,
    ...(remoteStatus === undefined ? {} : { status: remoteStatus }),
    ...(lookup === undefined ? {} : { lookup }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(reason === undefined ? {} : { error: new Prose(reasonWords(reason)) }),
    ...fields,
  };
}

/** The record with the profile, company and tenant of the run in its printed commands. */
export async function withWholeCommands({ goOn }: Context, record: DataRecord): Promise<DataRecord> {
  const { error, next } = record;
  return {
    ...record,
    ...(error instanceof Prose ? { error: new Prose(await goOn.inText(error)) } : {}),
    ...(typeof next === 'string' ? { next: await goOn.inSentence(next) } : {}),
  };
}

/**
 * The cost of a run. `billedUnknown`: calls without an outcome, which may have been billed; `freeRepeats`: calls that the service
 * bills once and that were made before.
 */
export function billedFields({ billed, unknown, repeats }: BilledCounts): Readonly<Record<string, number>> {
  return {
    billedCalls: billed,
    ...(unknown === 0 ? {} : { billedUnknown: unknown }),
    ...(repeats === 0 ? {} : { freeRepeats: repeats }),
  };
}

/** An error of the store, which says nothing of an item. */
export function isOfStore(error: unknown): error is FiscalError {
  return error instanceof FiscalError && error.code.startsWith('store.');
}

/**
 * The records of a run, and its summary last. The summary comes also when the store can no longer be read: then it gets the failure,
 * which is thrown after it unless the run ended in one already.
 */
export async function* withSummary(
  records: AsyncIterable<DataRecord>,
  stopped: StopReason,
  summary: (failure: FiscalError | undefined) => DataRecord,
): AsyncIterable<DataRecord> {
  try {
    yield* records;
  } catch (error) {
    if (!isOfStore(error)) throw error;
    yield summary(error);
    if (stopped !== 'store-failed') throw error;
    return;
  }
  yield summary(undefined);
}

/** The last record of a batch. `rate`: items that ended in this run, per second. */
export function summaryRecord(result: JobResult, exitCode: ExitCode): DataRecord {
  const { job, counts, finished, elapsedMs, billed, stopped, error } = result;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const seconds = elapsedMs / 1000;
  return {
    type: 'summary',
    jobId: job.id,
    total,
    ...counts,
    ...billedFields(billed),
    elapsedSeconds: Number(seconds.toFixed(3)),
    rate: Number((finished / Math.max(seconds, 0.001)).toFixed(1)),
    stopped,
    ...(error === undefined ? {} : { errorCode: error.code }),
    ...(result.newStore ? { newStore: true } : {}),
    ...(result.withoutLookup > 0 ? { lookupNotPossible: result.withoutLookup } : {}),
    exitCode,
  };
}
