import type { CursorRows, DocumentGroup } from '../documents.js';
import { fromJson } from '../row.js';
import type { Connection } from './connection.js';

/** The rows of one company and family. */
export const inGroup = 'profile = @profile AND company_id = @companyId AND family = @family';

/** Keeps only the three columns: the group may be part of a larger object. */
export function groupOf({ profile, companyId, family }: DocumentGroup) {
  return { profile, companyId, family };
}

export function createCursorRows({ get, run }: Connection): CursorRows {
  return {
    async get(key) {
      const row = await get<{ position: string; at: number }>(
        `SELECT position, at FROM fiscal.cursors WHERE ${inGroup} AND stream = @stream`,
        { ...groupOf(key), stream: key.stream },
      );
      return row === undefined ? undefined : { position: fromJson(row.position), at: row.at };
    },
    async save(key, { workerId, position, at }) {
      const changes = await run(
        `WITH held AS (SELECT 1 FROM fiscal.document_groups WHERE ${inGroup} AND worker_id = @workerId FOR UPDATE)
         INSERT INTO fiscal.cursors (profile, company_id, family, stream, position, at)
         SELECT @profile, @companyId, @family, @stream, @position, @at::bigint FROM held
         ON CONFLICT (profile, company_id, family, stream) DO UPDATE SET position = excluded.position, at = excluded.at`,
        { ...groupOf(key), stream: key.stream, workerId, position: JSON.stringify(position ?? null), at },
      );
      return changes === 1;
    },
    async hold(group, workerId, now) {
      const row = await get<{ holder: string }>(
        `INSERT INTO fiscal.document_groups AS g (profile, company_id, family, worker_id)
         VALUES (@profile, @companyId, @family, @workerId)
         ON CONFLICT (profile, company_id, family) DO UPDATE SET worker_id = CASE WHEN EXISTS
           (SELECT 1 FROM fiscal.workers WHERE id = g.worker_id AND expires_at > @now)
           THEN g.worker_id ELSE excluded.worker_id END
         RETURNING worker_id AS holder`,
        { ...groupOf(group), workerId, now },
      );
      return row === undefined || row.holder === workerId ? undefined : row.holder;
    },
    async release(group, workerId) {
      await run(`DELETE FROM fiscal.document_groups WHERE ${inGroup} AND worker_id = @workerId`, {
        ...groupOf(group),
        workerId,
      });
    },
  };
}
