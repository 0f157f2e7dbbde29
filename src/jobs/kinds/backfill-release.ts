import type { CallOptions, Client } from '../../client/client.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { ItemRow } from '../../store/store.js';
import type { KindFacts, Observation, RunnableKind, SentTrace } from '../kind.js';
import { backfillError } from './backfill-error.js';
import { observeSweep, readSummary, type Summary, type SweepRequest } from './backfill-sweep.js';

/** What must be known to write its job. The call itself is not billed; what is captured before the cut-off is. */
export const backfillReleaseFacts: KindFacts<SweepRequest> = {
  name: 'backfill-release',
  submit: 'nfse.backfill.release',
  onceOnly: false,
  billed: () => false,
};

/**
 * §4: the history of one company, released or revoked. The state is read before anything is sent, so that what holds
 * already is not asked for again, neither by a second command nor after a crash; asking twice would change nothing.
 */
export const backfillRelease: RunnableKind = {
  name: backfillReleaseFacts.name,
  replay: 'safe',
  onceOnly: backfillReleaseFacts.onceOnly,
  rejectedStays: false,
  polls: true,
  canLookUp: false,
  send: (client, item, options) => ask(client, item, options),
  async read(client, item, options) {
    const request = requestOf(item);
    return observeSweep(await summaryOf(client, request, options), request, item.remoteStatus);
  },
  lookUp: () => Promise.resolve('cannot tell'),
};

/** What must be asked for only once at a time: one state of one company. */
export function sweepKey({ companyId, released }: SweepRequest): string {
  return `${companyId} ${released ? 'release' : 'revoke'}`;
}

async function ask(client: Client, item: ItemRow, options: CallOptions): Promise<Observation & SentTrace> {
  const request = requestOf(item);
  const { companyId, released } = request;
  const resourceId = companyId;
  const before = await summaryOf(client, request, options);
  if (before.released === released) {
    const seen = observeSweep(before, request, undefined);
    // An earlier send of this very item may be what made it so: then it is followed.
    const isNews = item.attempts <= 1 && (!released || before.hidden === 0);
    return { ...seen, resourceId, status: 200, ...(isNews ? { state: 'skipped' } : {}) };
  }
  try {
    const input = { path: { companyId }, body: { released } };
    const { status, requestId } = await client.call('nfse.backfill.release', input, options);
    const seen = await seenAfter(client, request, options);
    return { ...seen, resourceId, status, ...(requestId === undefined ? {} : { requestId }) };
  } catch (error) {
    throw backfillError(error, companyId);
  }
}

/** Read at once, so that a request of somebody else is noticed from now on. The send was accepted, whatever this read says. */
async function seenAfter(client: Client, request: SweepRequest, options: CallOptions): Promise<Observation> {
  try {
    const { remoteStatus } = observeSweep(await summaryOf(client, request, options), request, undefined);
    return { state: 'pending', ...(remoteStatus === undefined ? {} : { remoteStatus }) };
  } catch (error) {
    if (error instanceof FiscalError) return { state: 'pending' };
    throw error;
  }
}

/** §4. Errors: those of a call; `backfill.forbidden`, `backfill.no_capture`. */
export async function summaryOf(
  client: Client,
  { companyId }: Pick<SweepRequest, 'companyId'>,
  options: Pick<CallOptions, 'attempts' | 'signal' | 'jobId' | 'itemId'>,
): Promise<Summary> {
  try {
    const { body } = await client.call('nfse.backfill.summary', { path: { companyId } }, options);
    return readSummary(body);
  } catch (error) {
    throw backfillError(error, companyId);
  }
}

/** The row was written by this very kind, so its input has this type. */
function requestOf(item: ItemRow): SweepRequest {
  return item.input as SweepRequest;
}
