import { type CopyMark, toCopyMark } from '../copy-mark.js';
import type { StoreIdentity } from '../store.js';
import type { Connection } from './connection.js';
import { postgresFailure } from './failures.js';

/** The server keeps every commit: no row is ever lost with a journal, and a store that is gone refuses the next statement. */
export async function createIdentity({ get, run }: Connection, path: string): Promise<StoreIdentity> {
  const row = await get<{ id: string; firstSendAt: number | null; copy: string | null }>(
    'SELECT id, first_send_at AS "firstSendAt", copy FROM fiscal.identity',
  );
  if (row === undefined) throw new Error('the store has no identity');
  const copy = readMark(row.copy, path);
  let isUsed = row.firstSendAt !== null;
  return {
    id: row.id,
    isNew: !isUsed,
    lostRows: false,
    ...(copy && { copy }),
    async sentAt(at) {
      if (isUsed) return;
      await run('UPDATE fiscal.identity SET first_send_at = coalesce(first_send_at, @at)', {
        at: Math.ceil(at),
      });
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
