import { type CopyMark, toCopyMark } from '../copy-mark.js';
import { requireIdentity } from '../row.js';
import { toWentBack, type WentBackRow } from '../seen-sends.js';
import type { StoreIdentity } from '../store.js';
import type { Connection } from './connection.js';
import { postgresFailure } from './failures.js';

interface IdentityRow extends WentBackRow {
  readonly id: string;
  readonly firstSendAt: number | null;
  readonly copy: string | null;
  readonly changedAt: number | null;
}

/** Rows are lost only with a change of the server; a store that is gone refuses the next statement. */
export async function createIdentity({ get, repeatable }: Connection, path: string): Promise<StoreIdentity> {
  const found = await get<IdentityRow>(
    `SELECT id, first_send_at AS "firstSendAt", copy, changed_at AS "changedAt", went_back_to AS "wentBackTo",
       may_lack_until AS "mayLackUntil" FROM fiscal.identity LEFT JOIN fiscal.server ON true`,
  );
  const row = requireIdentity(found);
  const copy = readMark(row.copy, path);
  const wentBack = toWentBack(row);
  const lostRows = row.changedAt !== null;
  let isUsed = row.firstSendAt !== null && !lostRows;
  return {
    id: row.id,
    isNew: row.firstSendAt === null,
    lostRows,
    ...(copy && { copy }),
    ...(wentBack && { wentBack }),
    admit: async () => void (await repeatable.run('UPDATE fiscal.identity SET went_back_to = NULL')),
    async sentAt(at) {
      if (isUsed) return;
      await repeatable.run(
        `WITH noticed AS (UPDATE fiscal.server SET changed_at = NULL WHERE changed_at = @changedAt)
         UPDATE fiscal.identity SET first_send_at = coalesce(first_send_at, @at)`,
        { at: Math.ceil(at), changedAt: row.changedAt },
      );
      isUsed = true;
    },
    requirePresent: () => undefined,
  };
}

function readMark(column: string | null, path: string): CopyMark | undefined {
  try {
    return toCopyMark(column);
  } catch (error) {
    throw postgresFailure(error, path);
  }
}
