import type { CallOptions, Client } from '../../client/client.js';
import type { Operation } from '../../contract/operation.js';
import { operations } from '../../contract/operations.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { KindFacts, Observation, RunnableKind, SentTrace } from '../kind.js';
import { observeSweep, readSummary, statusBefore, type Summary, type SweepRequest } from './backfill-sweep.js';
import type { ItemRow } from '../../store/store.js';

/** What a job of releases, or of revokes, stores. The call itself is free; documents captured before the cut-off date are billed. */
export function sweepFacts(released: boolean): KindFacts<SweepRequest> {
  return {
    name: released ? 'backfill-release' : 'backfill-revoke',
    submit: 'nfse.backfill.release',
    onceOnly: false,
    billed: () => false,
  };
}

/**
 * Releases or revokes the history of one company (§4). The state is read before sending, so a state that already holds
 * is not requested again by another command or after a crash. Requesting twice would change nothing.
 */
function sweepKind(released: boolean): RunnableKind {
  const { name, onceOnly } = sweepFacts(released);
  return {
    ...{ name, onceOnly, replay: 'safe', rejectedStays: false, polls: true, canLookUp: false },
    send: (client, item, options) => ask(client, item, options),
    async read(client, item, options) {
      const request = requestOf(item);
      return observeSweep(await summaryOf(client, request, options), request, item.remoteStatus);
    },
    lookUp: () => Promise.resolve('cannot tell'),
  };
}

export const sweepKinds: readonly [release: RunnableKind, revoke: RunnableKind] = [sweepKind(true), sweepKind(false)];

/** The idempotency key: one request per company and state at a time. */
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
    // An earlier send of this item may have caused the change; then it is followed.
    const isNews = item.attempts <= 1 && (!released || before.hidden === 0);
    return { ...seen, resourceId, status: 200, ...(isNews ? { state: 'skipped' } : {}) };
  }
  try {
    const input = { path: { companyId }, body: { released } };
    const { status, requestId } = await client.call('nfse.backfill.release', input, options);
    const seen = await seenAfter(client, request, { options, before: statusBefore(before) });
    return { ...seen, resourceId, status, ...(requestId === undefined ? {} : { requestId }) };
  } catch (error) {
    throw backfillError(error, companyId);
  }
}

/**
 * Reads the state right after sending, so that a later request by someone else is noticed. The send counts as accepted
 * whatever this read returns.
 */
async function seenAfter(
  client: Client,
  request: SweepRequest,
  { options, before }: { readonly options: CallOptions; readonly before: string | undefined },
): Promise<Observation> {
  const unread = before === undefined ? {} : { remoteStatus: before };
  try {
    const { remoteStatus } = observeSweep(await summaryOf(client, request, options), request, before);
    return { state: 'pending', ...(remoteStatus === undefined ? unread : { remoteStatus }) };
  } catch (error) {
    if (error instanceof FiscalError) return { state: 'pending', ...unread };
    throw error;
  }
}

/** The backfill summary of a company (§4). Errors: those of the call, `backfill.forbidden`, `backfill.no_capture`. */
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

/** Rows of these two kinds always hold this input type. */
export function requestOf(item: ItemRow): SweepRequest {
  return item.input as SweepRequest;
}

/**
 * Explains the two refusals that a person can fix: the key lacks the role (403), or capture was never enabled (404).
 * Returns any other error unchanged.
 */
export function backfillError(error: unknown, companyId: string): unknown {
  if (!(error instanceof FiscalError)) return error;
  if (error.code === 'service.forbidden') {
    return new FiscalError('backfill.forbidden', { company: companyId, role: roleOf(error) }, error.facts);
  }
  if (error.code !== 'service.not_found') return error;
  return new FiscalError('backfill.no_capture', { company: companyId }, error.facts);
}

function roleOf({ facts }: FiscalError): string {
  const rows: Readonly<Record<string, Operation>> = operations;
  return rows[facts.operation ?? '']?.role ?? 'Management';
}
