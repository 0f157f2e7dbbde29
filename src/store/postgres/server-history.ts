import { alone, type Connection, type Queries } from './connection.js';
import { doubtUnsent } from './doubt.js';
import { requireRow } from './failures.js';
import { serverNow } from './store-clock.js';

/** A commit waits for a standby. */
export const isSynchronous = `(current_setting('synchronous_standby_names') <> ''
  AND current_setting('synchronous_commit') NOT IN ('off', 'local'))`;

interface Seen {
  /** The cluster and its timeline, which changes when a standby is promoted or a backup restored; null where the server does not say. */
  readonly history: string | null;
  readonly isSynchronous: boolean;
  /** What the store has noted; null: nothing yet. */
  readonly known: string | null;
  readonly wasSynchronous: boolean | null;
}

/**
 * Compares the server with the one that the store was on, and returns its history. After a fail-over or a restore the last rows may
 * be missing: unless each commit was on a standby as well, every item that looks unsent becomes one whose send was interrupted.
 */
export async function noteServerHistory(connection: Connection): Promise<string | null> {
  const seen = await look(connection);
  if (isKnown(seen)) return seen.history;
  return await connection.repeatable.together(async (queries) => {
    await alone(queries, 'server');
    const { history, known, isSynchronous, wasSynchronous } = await look(queries);
    const isOther = known !== null && known !== history;
    if (isOther && wasSynchronous !== true) await doubtUnsent(queries, 'server-changed');
    await queries.run(
      `INSERT INTO fiscal.server AS s (one, history, is_synchronous) VALUES (1, @history, @isSynchronous)
       ON CONFLICT (one) DO UPDATE SET history = excluded.history, is_synchronous = excluded.is_synchronous,
         changed_at = CASE WHEN @isOther THEN ${serverNow} ELSE s.changed_at END`,
      { history, isSynchronous, isOther },
    );
    return history;
  });
}

async function look({ get }: Queries): Promise<Seen> {
  const seen = await get<Seen>(
    `SELECT fiscal.server_history() AS history, ${isSynchronous} AS "isSynchronous", history AS known, is_synchronous AS "wasSynchronous"
     FROM (SELECT 1) AS always LEFT JOIN fiscal.server ON true`,
  );
  return requireRow(seen, 'history', 'isSynchronous', 'known', 'wasSynchronous');
}

function isKnown({ history, known, isSynchronous, wasSynchronous }: Seen): boolean {
  return history === null || (history === known && isSynchronous === wasSynchronous);
}
