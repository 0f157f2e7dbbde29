import type { Outcome } from '../../domain/outcome.js';
import { formatUtc } from '../../domain/dates.js';
import type { Context } from '../../services/context.js';
import { readMoment } from '../../services/input/moment.js';

export interface HistoryRequest {
  readonly since: string | undefined;
  readonly operation: string | undefined;
  readonly limit: number;
}

/** The requests of this machine, newest first. They are redacted before they are stored. */
export async function listHistory(context: Context, request: HistoryRequest): Promise<Outcome> {
  const { profile, storeNamespace } = await context.settings();
  const store = await context.store();
  const rows = await store.history.list({
    limit: request.limit,
    ...(profile === undefined ? {} : { profile: storeNamespace }),
    ...(request.operation === undefined ? {} : { operation: request.operation }),
    ...(request.since === undefined
      ? {}
      : { since: readMoment('--since', request.since, context.clock.now()) }),
  });
  return { data: rows.map(({ at, ...row }) => ({ at: formatUtc(at), ...row })) };
}
