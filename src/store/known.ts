import { exactJson } from '../domain/json-numbers.js';
import { present } from '../domain/record.js';
import { fromJson } from './row.js';
import { among, type Db, fieldsOf, given, indexedBy, limited, type Sql, sql, t, words } from './sql.js';
import type { KnownRow, KnownRows, SeenRow } from './store.js';

type KnownRecord = Omit<KnownRow, 'label' | 'status' | 'data'> & {
  readonly label: string | null;
  readonly status: string | null;
  readonly data: string;
};

const columns = words(
  'profile, kind, scope, id, label, status, data, first_seen_at AS "firstSeenAt", seen_at AS "seenAt"',
);

const byLabel = indexedBy('known_by_label');

const row = fieldsOf({
  ...({ profile: 'text', kind: 'text', scope: 'text', id: 'text' } as const),
  ...({ label: 'text', status: 'text', data: 'text', seenAt: 'int' } as const),
});

export const knownWithLabels = (profile: string, kind: string, labels: readonly string[]): Sql =>
  sql`SELECT ${columns} FROM ${t.known} ${byLabel}
    WHERE profile = ${profile} AND kind = ${kind} AND label ${among(labels)} AND label IS NOT NULL
    ORDER BY first_seen_at DESC, seq DESC`;

export const putKnown = (rows: readonly SeenRow[]): Sql =>
  sql`INSERT INTO ${t.known} (profile, kind, scope, id, label, status, data, first_seen_at, seen_at)
    ${row.each} ${row.profile}, ${row.kind}, ${row.scope}, ${row.id}, ${row.label}, ${row.status}, ${row.data}, ${row.seenAt},
      ${row.seenAt} ${row.end}
    ON CONFLICT (profile, kind, scope, id) DO UPDATE SET
      label = excluded.label, status = excluded.status, data = excluded.data, seen_at = excluded.seen_at`.for(
    // One statement changes a row only once: of several the last counts.
    [...new Map(rows.map((one) => [JSON.stringify([one.profile, one.kind, one.scope, one.id]), one])).values()].map(
      (one) => ({ ...one, data: exactJson(one.data) }),
    ),
  );

export function createKnownRows(db: Db): KnownRows {
  return {
    put: async (one, { durable = true } = { durable: true }) =>
      void (await db.run(putKnown([one]), { durable, repeatable: true })),
    putAll: async (rows) => void (await db.run(putKnown(rows), { repeatable: true })),
    get: ({ profile, kind, scope, id }) =>
      db.get(
        sql`SELECT ${columns} FROM ${t.known}
          WHERE profile = ${profile} AND kind = ${kind} AND scope = ${scope} AND id = ${id}`,
        toKnown,
      ),
    list: ({ profile, kind, scope, label, status, limit }) =>
      db.all(
        sql`SELECT ${columns} FROM ${t.known} WHERE profile = ${profile} AND kind = ${kind}
            ${given(label, sql`AND label = ${label}`)} ${given(scope, sql`AND scope = ${scope}`)}
            ${given(status, sql`AND status = ${status}`)}
          ORDER BY first_seen_at DESC, seq DESC ${limited(limit)}`,
        toKnown,
      ),
    labelled: ({ profile, kind, labels }) => db.all(knownWithLabels(profile, kind, labels), toKnown),
    profilesWith: ({ kind, scope, ids }) =>
      db.all(
        sql`SELECT DISTINCT profile FROM ${t.known} WHERE kind = ${kind} AND scope = ${scope} AND id ${among(ids)}
          ORDER BY profile`,
        ({ profile }: { profile: string }) => profile,
      ),
  };
}

function toKnown(record: KnownRecord): KnownRow {
  return present({ ...record, data: fromJson(record.data) });
}
