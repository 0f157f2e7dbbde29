import type { CallOptions, Client } from '../../client/client.js';
import { parseUtc } from '../../domain/dates.js';
import type { ItemRow } from '../../store/store.js';
import type { KindFacts, Observation, RunnableKind, SentTrace } from '../kind.js';
import { backfillError, summaryOf } from './backfill-release.js';

/** A new cut-off date for one company. */
export interface CutOffRequest {
  readonly companyId: string;
  /** ISO 8601, UTC. */
  readonly startFromDate: string;
}

export const startFromFacts: KindFacts<CutOffRequest> = {
  name: 'backfill-start-from',
  submit: 'nfse.startFromDate.set',
  onceOnly: false,
  billed: () => false,
};

/**
 * Sets the cut-off date (§4). Setting the same date again changes nothing, so an interrupted send is repeated; a date
 * that is already set is not sent.
 */
export const startFrom: RunnableKind = {
  name: startFromFacts.name,
  replay: 'safe',
  onceOnly: startFromFacts.onceOnly,
  rejectedStays: false,
  polls: false,
  canLookUp: false,
  send: (client, item, options) => move(client, item, options),
  read: () => Promise.resolve({ state: 'pending' }),
  lookUp: () => Promise.resolve('cannot tell'),
};

async function move(client: Client, item: ItemRow, options: CallOptions): Promise<Observation & SentTrace> {
  // Rows of this kind always hold this input type.
  const { companyId, startFromDate } = item.input as CutOffRequest;
  const resourceId = companyId;
  const before = await summaryOf(client, { companyId }, options);
  if (isSameTime(before.startFromDate, startFromDate)) {
    return { state: item.attempts <= 1 ? 'skipped' : 'succeeded', resourceId, status: 200 };
  }
  try {
    const input = { path: { companyId }, body: { startFromDate } };
    const { status, requestId } = await client.call('nfse.startFromDate.set', input, options);
    return { state: 'succeeded', resourceId, status, ...(requestId === undefined ? {} : { requestId }) };
  } catch (error) {
    throw backfillError(error, companyId);
  }
}

/** Compares instants, since the service may format the same one differently. */
export function isSameTime(one: string | undefined, other: string): boolean {
  return one !== undefined && parseUtc(one) !== undefined && parseUtc(one) === parseUtc(other);
}
