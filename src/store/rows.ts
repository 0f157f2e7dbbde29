import { exactJson } from '../domain/json-numbers.js';
import { present } from '../domain/record.js';
import { fromJson } from './row.js';
import { among, fieldsOf, given, indexedBy, limited, run, sql, t, words, type Db, type Sql } from './sql.js';
import type { KnownRow, KnownRows, Store } from './store.js';
import type { Actor } from '../domain/actor.js';
import { createAnswerRows } from './answers.js';
import { createHistoryRows, createUsageRows } from './call-records.js';
import { createCursorRows } from './cursors.js';
import { createDeliveryRows } from './deliveries.js';
import { createEventRows } from './document-events.js';
import { createDocumentRows } from './document-rows.js';
import type { DocumentRows } from './documents.js';
import { createItemRows, type ItemWork } from './items.js';
import { createJobRows } from './jobs.js';
import { createOverviewRows } from './overview.js';
import { createOwedRows } from './owed.js';
import { createPaceRows } from './pace.js';
import { profileTables } from './schema.js';
import { createWorkerRows, type Renewing } from './workers.js';

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

function createKnownRows(db: Db): KnownRows {
  const put = (rows: Parameters<KnownRows['putAll']>[0]): Sql =>
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
  return {
    put: async (one, { durable = true } = { durable: true }) =>
      void (await db.run(put([one]), { durable, repeatable: true })),
    putAll: async (rows) => void (await db.run(put(rows), { repeatable: true })),
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

export type Rows = Omit<Store, 'place' | 'clock' | 'identity' | 'readOnly' | 'forget' | 'close'>;

/** What an engine does in its own way. */
interface OfEngine extends Pick<DocumentRows, 'list' | 'open'> {
  readonly work: ItemWork;
  readonly renewing?: Renewing;
  /** Instead of the statements of the store, for what a later run need not find again. */
  readonly passing?: Db;
}

/** The rows of the store, by their nouns. */
export function createRows(db: Db, actor: Actor, { work, renewing, passing = db, list, open }: OfEngine): Rows {
  return {
    jobs: createJobRows(db, actor),
    items: createItemRows(db, work),
    workers: createWorkerRows(passing, renewing),
    pace: createPaceRows(passing),
    usage: createUsageRows(passing, actor),
    history: createHistoryRows(passing, actor),
    known: createKnownRows(passing),
    documents: { ...createDocumentRows(db), list, open },
    events: createEventRows(db),
    owed: createOwedRows(db),
    overview: createOverviewRows(db),
    cursors: createCursorRows(db),
    answers: createAnswerRows(passing),
    deliveries: createDeliveryRows(db),
  };
}

/** Deletes every row of one profile. */
export function forget(db: Db, profile: string): Promise<void> {
  return db.together(function* () {
    for (const table of profileTables) yield* run(sql`DELETE FROM ${t[table]} WHERE profile = ${profile}`);
  });
}
