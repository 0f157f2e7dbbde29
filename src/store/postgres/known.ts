import { exactJson } from '../../domain/json-numbers.js';
import { fromJson, presentColumns } from '../row.js';
import type { KnownRow, KnownRows } from '../store.js';
import { type Connection, rowsOf } from './connection.js';

type KnownRecord = Omit<KnownRow, 'label' | 'status' | 'data'> & {
  readonly label: string | null;
  readonly status: string | null;
  readonly data: string;
};

const columns =
  'profile, kind, scope, id, label, status, data, first_seen_at AS "firstSeenAt", seen_at AS "seenAt"';

export function createKnownRows({ all, get, repeatable }: Connection): KnownRows {
  const putAll: KnownRows['putAll'] = async (rows) => {
    await repeatable.run(
      `INSERT INTO fiscal.known (profile, kind, scope, id, label, status, data, first_seen_at, seen_at)
       SELECT profile, kind, scope, id, label, status, data, "seenAt", "seenAt"
       FROM json_to_recordset(@rows::json) AS r (profile text, kind text, scope text, id text, label text, status text,
         data text, "seenAt" bigint)
       ON CONFLICT (profile, kind, scope, id) DO UPDATE SET
         label = excluded.label, status = excluded.status, data = excluded.data, seen_at = excluded.seen_at`,
      { rows: rowsOf(rows.map((row) => ({ ...row, data: exactJson(row.data) }))) },
    );
  };
  return {
    putAll,
    put: (row) => putAll([row]),
    async get(key) {
      const record = await get<KnownRecord>(
        `SELECT ${columns} FROM fiscal.known
         WHERE profile = @profile AND kind = @kind AND scope = @scope AND id = @id`,
        { ...key },
      );
      return record === undefined ? undefined : toKnown(record);
    },
    list: async (filter) =>
      (
        await all<KnownRecord>(
          `SELECT ${columns} FROM fiscal.known WHERE profile = @profile AND kind = @kind
             AND (@label::text IS NULL OR label = @label)
             AND (@scope::text IS NULL OR scope = @scope) AND (@status::text IS NULL OR status = @status)
           ORDER BY first_seen_at DESC, seq DESC LIMIT @limit`,
          { ...filter },
        )
      ).map(toKnown),
    labelled: async (filter) =>
      (
        await all<KnownRecord>(
          `SELECT ${columns} FROM fiscal.known
           WHERE profile = @profile AND kind = @kind AND label = ANY (@labels)
           ORDER BY first_seen_at DESC, seq DESC`,
          { ...filter },
        )
      ).map(toKnown),
    profilesWith: async (rows) =>
      (
        await all<{ profile: string }>(
          `SELECT DISTINCT profile FROM fiscal.known WHERE kind = @kind AND scope = @scope AND id = ANY (@ids)
           ORDER BY profile`,
          { ...rows },
        )
      ).map(({ profile }) => profile),
  };
}

function toKnown(record: KnownRecord): KnownRow {
  return presentColumns({ ...record, data: fromJson(record.data) });
}
