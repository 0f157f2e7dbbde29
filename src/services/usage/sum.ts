import type { Outcome } from '../../domain/outcome.js';
import { formatUtc } from '../../domain/utc.js';
import type { UsageRow } from '../../store/store.js';
import type { Context } from '../context.js';

export interface UsageRequest {
  readonly sinceMs: number;
  readonly by: 'operation' | 'day';
}

interface Sum {
  readonly day?: string;
  readonly profile: string;
  readonly operation: string;
  /** What the service bills the calls as. */
  readonly billedAs: UsageRow['billed'];
  readonly billed: number;
  /** Sent, and the outcome never came: the service may have billed them. */
  readonly unknown: number;
}

/** Counts the billed calls that this machine caused; the service's own invoice is what counts. */
export async function sumUsage(context: Context, request: UsageRequest): Promise<Outcome<readonly Sum[]>> {
  const { profile, space } = await context.settings();
  const store = await context.store();
  const rows = await store.usage.list({
    since: context.clock.now() - request.sinceMs,
    ...(profile === undefined ? {} : { profile: space }),
  });
  const sums = new Map<string, Sum>();
  for (const row of rows) {
    const day = request.by === 'day' ? { day: formatUtc(row.at).slice(0, 10) } : {};
    const key = JSON.stringify([day, row.profile, row.operation, row.billed]);
    const { profile, operation, billed: billedAs } = row;
    const sum = sums.get(key) ?? { ...day, profile, operation, billedAs, billed: 0, unknown: 0 };
    sums.set(key, { ...sum, [row.outcome]: sum[row.outcome] + 1 });
  }
  const data = [...sums.values()].sort(inOrder);
  return { data, notices: data.some((sum) => sum.unknown > 0) ? [unknownNotice] : [] };
}

/** The newest day first, then by name. */
function inOrder(left: Sum, right: Sum): number {
  const byDay = (right.day ?? '').localeCompare(left.day ?? '');
  return byDay || left.profile.localeCompare(right.profile) || left.operation.localeCompare(right.operation);
}

const unknownNotice = {
  en: 'some calls were sent and their outcome never came: the service may have billed them',
  pt: 'algumas chamadas foram enviadas e o resultado nunca chegou: o serviço pode tê-las cobrado',
};
