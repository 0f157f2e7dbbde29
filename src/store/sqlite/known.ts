import type { KnownRow, KnownRows } from '../store.js';
import type { Connection } from './connection.js';
import { fromJson, presentColumns } from '../row.js';
import { exactJson } from '../../domain/json-numbers.js';

type KnownRecord = Omit<KnownRow, 'label' | 'status' | 'data'> & {
  readonly label: string | null;
  readonly status: string | null;
  readonly data: string;
};

const columns =
  'profile, kind, scope, id, label, status, data, first_seen_at AS firstSeenAt, seen_at AS seenAt';

function statements({ statement }: Connection) {
  const upsert = statement<[Record<string, unknown>]>(
    `INSERT INTO known (profile, kind, scope, id, label, status, data, first_seen_at, seen_at)
     VALUES (@profile, @kind, @scope, @id, @label, @status, @data, @seenAt, @seenAt)
     ON CONFLICT (profile, kind, scope, id) DO UPDATE SET
       label = excluded.label, status = excluded.status, data = excluded.data, seen_at = excluded.seen_at`,
  );
  const byKey = statement<[string, string, string, string], KnownRecord>(
    `SELECT ${columns} FROM known WHERE profile = ? AND kind = ? AND scope = ? AND id = ?`,
  );
  const filtered = statement<[Record<string, unknown>], KnownRecord>(
    `SELECT ${columns} FROM known WHERE profile = @profile AND kind = @kind
       AND (@scope IS NULL OR scope = @scope) AND (@status IS NULL OR status = @status)
     ORDER BY first_seen_at DESC, seq DESC LIMIT +@limit`,
  );
  // A separate statement, so that the index of labels is used.
  const labelled = statement<[Record<string, unknown>], KnownRecord>(
    `SELECT ${columns} FROM known WHERE profile = @profile AND kind = @kind AND label = @label
       AND (@scope IS NULL OR scope = @scope) AND (@status IS NULL OR status = @status)
     ORDER BY first_seen_at DESC, seq DESC LIMIT +@limit`,
  );
  const amongLabels = statement<[Record<string, unknown>], KnownRecord>(
    `SELECT ${columns} FROM (SELECT value AS wanted FROM json_each(@labels)) CROSS JOIN known INDEXED BY known_by_label
     WHERE profile = @profile AND kind = @kind AND label = wanted AND label IS NOT NULL
     ORDER BY first_seen_at DESC, seq DESC`,
  );
  const profilesWith = statement<[Record<string, unknown>], { profile: string }>(
    `SELECT DISTINCT profile FROM known WHERE kind = @kind AND scope = @scope
       AND id IN (SELECT value FROM json_each(@ids)) ORDER BY profile`,
  );
  return { upsert, byKey, filtered, labelled, amongLabels, profilesWith };
}

export function createKnownRows(connection: Connection): KnownRows {
  const { read, write } = connection;
  const { upsert, byKey, filtered, labelled, amongLabels, profilesWith } = statements(connection);
  const put = (row: Parameters<KnownRows['put']>[0]): void =>
    void upsert().run({
      profile: row.profile,
      kind: row.kind,
      scope: row.scope,
      id: row.id,
      label: row.label ?? null,
      status: row.status ?? null,
      data: exactJson(row.data),
      seenAt: row.seenAt,
    });
  return {
    put: (row, options) => write(() => put(row), options),
    putAll: (rows) => write(() => rows.forEach(put)),
    get: ({ profile, kind, scope, id }) =>
      read(() => {
        const record = byKey().get(profile, kind, scope, id);
        return record === undefined ? undefined : toKnown(record);
      }),
    list: (filter) =>
      read(() =>
        (filter.label === undefined ? filtered() : labelled())
          .all({
            profile: filter.profile,
            kind: filter.kind,
            scope: filter.scope ?? null,
            ...(filter.label === undefined ? {} : { label: filter.label }),
            status: filter.status ?? null,
            limit: filter.limit ?? -1,
          })
          .map(toKnown),
      ),
    labelled: ({ profile, kind, labels }) =>
      read(() =>
        amongLabels()
          .all({ profile, kind, labels: JSON.stringify(labels) })
          .map(toKnown),
      ),
    profilesWith: ({ kind, scope, ids }) =>
      read(() =>
        profilesWith()
          .all({ kind, scope, ids: JSON.stringify(ids) })
          .map(({ profile }) => profile),
      ),
  };
}

function toKnown(record: KnownRecord): KnownRow {
  return presentColumns({ ...record, data: fromJson(record.data) });
}
