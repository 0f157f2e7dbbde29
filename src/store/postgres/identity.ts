import { type CopyMark, toCopyMark } from '../copy-mark.js';
import type { StoreIdentity } from '../store.js';
import type { Connection } from './connection.js';
import { postgresFailure } from './failures.js';

/** Rows are lost only with a change of the server; a store that is gone refuses the next statement. */
export async function createIdentity({ get, run }: Connection, path: string): Promise<StoreIdentity> {
  const row = await get<{ id: string; firstSendAt: number | null; copy: string | null; lostRows: boolean }>(
    `SELECT id, first_send_at AS "firstSendAt", copy, changed_at IS NOT NULL AS "lostRows"
     FROM fiscal.identity LEFT JOIN fiscal.server ON true`,
  );
  if (row === undefined) throw new Error('the store has no identity');
  const copy = readMark(row.copy, path);
  let isUsed = row.firstSendAt !== null && !row.lostRows;
  return {
    id: row.id,
    isNew: row.firstSendAt === null,
    lostRows: row.lostRows,
    ...(copy && { copy }),
    async sentAt(at) {
      if (isUsed) return;
      await run('UPDATE fiscal.identity SET first_send_at = coalesce(first_send_at, @at)', {
        at: Math.ceil(at),
      });
      await run('UPDATE fiscal.server SET changed_at = NULL');
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
