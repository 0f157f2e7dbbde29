import type { CursorRows, DocumentGroup } from '../documents.js';
import type { Connection } from './connection.js';
import { fromJson, sound } from '../row.js';

function statements({ statement }: Connection) {
  const byKey = statement<[Record<string, unknown>], { position: string; at: number }>(
    `SELECT position, at FROM cursors
     WHERE profile = @profile AND company_id = @companyId AND family = @family AND stream = @stream`,
  );
  const upsert = statement<[Record<string, unknown>]>(
    `INSERT INTO cursors (profile, company_id, family, stream, position, at)
     VALUES (@profile, @companyId, @family, @stream, @position, @at)
     ON CONFLICT DO UPDATE SET position = excluded.position, at = excluded.at`,
  );
  const holder = statement<[Record<string, unknown>], string>(
    `SELECT worker_id FROM document_groups
     WHERE profile = @profile AND company_id = @companyId AND family = @family`,
  );
  const living = statement<[string, number]>('SELECT 1 FROM workers WHERE id = ? AND expires_at > ?');
  const take = statement<[Record<string, unknown>]>(
    `INSERT INTO document_groups (profile, company_id, family, worker_id)
     VALUES (@profile, @companyId, @family, @workerId)
     ON CONFLICT DO UPDATE SET worker_id = excluded.worker_id`,
  );
  const free = statement<[Record<string, unknown>]>(
    `DELETE FROM document_groups
     WHERE profile = @profile AND company_id = @companyId AND family = @family AND worker_id = @workerId`,
  );
  return { byKey, upsert, holder, living, take, free };
}

export function createCursorRows(connection: Connection): CursorRows {
  const { read, write } = connection;
  const { byKey, upsert, holder, living, take, free } = statements(connection);
  return {
    get: (key) =>
      read(() => {
        const row = byKey().get({ ...groupOf(key), stream: key.stream });
        return row === undefined ? undefined : { position: fromJson(row.position), at: sound(row).at };
      }),
    save: (key, { workerId, position, at }) =>
      write(() => {
        if (holder().pluck().get(groupOf(key)) !== workerId) return false;
        upsert().run({ ...groupOf(key), stream: key.stream, position: JSON.stringify(position ?? null), at });
        return true;
      }, readAgain),
    hold: (group, workerId, now) =>
      write(() => {
        const current = holder().pluck().get(groupOf(group));
        if (current !== undefined && current !== workerId && living().get(current, now) !== undefined) {
          return current;
        }
        take().run({ ...groupOf(group), workerId });
        return undefined;
      }),
    release: (group, workerId) => write(() => void free().run({ ...groupOf(group), workerId })),
  };
}

/**
 * Lists and archives can be read again, so these writes do not wait for the disk: a power cut may lose the last of
 * them, but never a row without its cursor. A later durable write keeps them all.
 */
export const readAgain = { durable: false } as const;

/** Keeps only the three columns: the group may be part of a larger object. */
export function groupOf({ profile, companyId, family }: DocumentGroup) {
  return { profile, companyId, family };
}
