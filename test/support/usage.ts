import type { Billed } from '../../src/domain/billing.js';
import type { NewUsage, UsageRow, UsageRows } from '../../src/store/store.js';

/** A billed call as a test writes it down. */
export type UsageCall = NewUsage & {
  readonly outcome: Exclude<UsageRow['outcome'], 'repeat'>;
  readonly requestId?: string;
};

/** Stores a call that was sent, and returns what it cost. */
export async function addUsage(
  usage: Pick<UsageRows, 'reserve' | 'settle'>,
  { outcome, requestId, ...row }: UsageCall,
): Promise<Billed> {
  const seq = await usage.reserve(row);
  if (seq === undefined) throw new Error('a call without a limit was not counted');
  return await usage.settle(seq, { outcome, ...(requestId === undefined ? {} : { requestId }) });
}
