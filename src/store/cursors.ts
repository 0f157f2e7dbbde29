import type { CursorRows, DocumentGroup } from './documents.js';
import { fromJson } from './row.js';
import { type Db, forUpdate, type Sql, sql, t } from './sql.js';

/** The rows of one company and family. */
export function inGroup({ profile, companyId, family }: DocumentGroup): Sql {
  return sql`profile = ${profile} AND company_id = ${companyId} AND family = ${family}`;
}

/**
 * Lists and archives can be read again, so these writes do not wait for the disk: a power cut may lose the last of
 * them, but never a row without its cursor. A later durable write keeps them all.
 */
export const readAgain = { durable: false } as const;

export function createCursorRows(db: Db): CursorRows {
  return {
    get: (key) =>
      db.get(
        sql`SELECT position, at FROM ${t.cursors} WHERE ${inGroup(key)} AND stream = ${key.stream}`,
        ({ position, at }: { position: string; at: number }) => ({ position: fromJson(position), at }),
      ),
    async save(key, { workerId, position, at }) {
      const { profile, companyId, family, stream } = key;
      const changes = await db.run(
        sql`WITH held AS (SELECT 1 FROM ${t.document_groups} WHERE ${inGroup(key)} AND worker_id = ${workerId} ${forUpdate})
          INSERT INTO ${t.cursors} (profile, company_id, family, stream, position, at)
          SELECT ${profile}, ${companyId}, ${family}, ${stream}, ${JSON.stringify(position ?? null)}, CAST(${at} AS bigint)
          FROM held WHERE true
          ON CONFLICT (profile, company_id, family, stream) DO UPDATE SET position = excluded.position, at = excluded.at`,
        readAgain,
      );
      return changes === 1;
    },
    async hold({ profile, companyId, family }, workerId, now) {
      const [row] = await db.change<{ holder: string }>(
        sql`INSERT INTO ${t.document_groups} AS g (profile, company_id, family, worker_id)
          VALUES (${profile}, ${companyId}, ${family}, ${workerId})
          ON CONFLICT (profile, company_id, family) DO UPDATE SET worker_id = CASE WHEN EXISTS
            (SELECT 1 FROM ${t.workers} WHERE id = g.worker_id AND expires_at > ${now})
            THEN g.worker_id ELSE excluded.worker_id END
          RETURNING worker_id AS holder`,
      );
      return row === undefined || row.holder === workerId ? undefined : row.holder;
    },
    release: async (group, workerId) =>
      void (await db.run(sql`DELETE FROM ${t.document_groups} WHERE ${inGroup(group)} AND worker_id = ${workerId}`)),
  };
}
