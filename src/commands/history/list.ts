import type { Given } from '../../cli/command.js';
import type { Outcome } from '../../domain/outcome.js';
import { formatUtc } from '../../domain/dates.js';
import { present } from '../../domain/record.js';
import type { Context } from '../../services/context.js';
import { readMoment } from '../../services/input/moment.js';
import type { history } from './commands.js';

/** The requests of this machine, newest first. They are redacted before they are stored. */
export async function listHistory(
  context: Context,
  { since, operation, limit }: Given<typeof history>,
): Promise<Outcome> {
  const { profile, storeNamespace } = await context.settings();
  const store = await context.store();
  const rows = await store.history.list({
    limit,
    ...present({ profile: profile && storeNamespace, operation }),
    ...present({ since: since === undefined ? undefined : readMoment('--since', since, context.clock.now()) }),
  });
  return { data: rows.map(({ at, ...row }) => ({ at: formatUtc(at), ...row })) };
}
