import type { Actor } from '../domain/actor.js';
import { exactJson } from '../domain/json-numbers.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { actorColumns, type ActorRecord, actorValues } from './actor-columns.js';
import { present } from '../domain/record.js';
import { fromJson, toScope } from './row.js';
import {
  all,
  alone,
  among,
  type Db,
  fieldsOf,
  get,
  given,
  greatest,
  indexedBy,
  limited,
  run,
  type Sql,
  sql,
  type Step,
  t,
  words,
} from './sql.js';
import type { ItemCounts, ItemState, JobRow, JobRows, NewItem } from './store.js';

type JobRecord = Omit<JobRow, 'scope' | 'finishedAt' | keyof ActorRecord> &
  ActorRecord & { readonly scope: string; readonly finishedAt: number | null };

const columns =
  words(`id, kind, operation, profile, input_digest AS "inputDigest", command_line AS "commandLine", scope,
  loader_id AS "loaderId", state, created_at AS "createdAt", updated_at AS "updatedAt", finished_at AS "finishedAt",
  ${actorColumns}`);

export const noItems: ItemCounts = {
  prepared: 0,
  sending: 0,
  pending: 0,
  succeeded: 0,
  rejected: 0,
  failed: 0,
  skipped: 0,
  uncertain: 0,
  cancelled: 0,
};

function toJob(record: JobRecord): JobRow {
  return present({ ...record, scope: toScope(fromJson(record.scope)) });
}

const newest = ({ operation, profile, inputDigest }: Parameters<JobRows['find']>[0]): Sql =>
  sql`SELECT ${columns} FROM ${t.jobs}
    WHERE operation = ${operation} AND profile = ${profile} AND input_digest = ${inputDigest} ORDER BY seq DESC LIMIT 1`;

export function createJobRows(db: Db, actor: Actor): JobRows {
  const { machine, user, ciRun } = actorValues(actor);
  return {
    create: (job, unless) =>
      db.together(function* () {
        const { id, kind, operation, profile, inputDigest, commandLine, scope, loaderId, at } = job;
        yield* alone('job', operation, profile, inputDigest);
        const earlier = yield* get<JobRecord>(newest(job));
        if (earlier !== undefined && unless.includes(earlier.state)) return toJob(earlier);
        yield* run(
          sql`INSERT INTO ${t.jobs} (id, kind, operation, profile, input_digest, command_line, scope, loader_id, state,
              created_at, updated_at, machine, os_user, ci_run)
            VALUES (${id}, ${kind}, ${operation}, ${profile}, ${inputDigest}, ${commandLine}, ${JSON.stringify(scope)}, ${loaderId},
              'loading', ${at}, ${at}, ${machine}, ${user}, ${ciRun})`,
        );
        return undefined;
      }),
    append: (jobId, items, at) => db.together(() => append({ jobId, items, at })),
    seal: async (id, at) =>
      void (await db.run(
        sql`UPDATE ${t.jobs} SET state = 'open', updated_at = ${at} WHERE id = ${id} AND state = 'loading'`,
        { repeatable: true },
      )),
    discard: async (id) =>
      void (await db.run(sql`DELETE FROM ${t.jobs} WHERE id = ${id} AND state = 'loading'`, { repeatable: true })),
    get: (id) => db.get(sql`SELECT ${columns} FROM ${t.jobs} WHERE id = ${id}`, toJob),
    find: (key) => db.get(newest(key), toJob),
    list: ({ profile, kind, states, limit }) =>
      db.all(
        sql`SELECT ${columns} FROM ${t.jobs} WHERE true ${given(profile, sql`AND profile = ${profile}`)}
            ${given(kind, sql`AND kind = ${kind}`)} ${given(states, sql`AND state ${among(states ?? [])}`)}
          ORDER BY seq DESC ${limited(limit)}`,
        toJob,
      ),
    setState: async (id, state, at) => {
      const end = state === 'done' || state === 'cancelled' ? sql`coalesce(finished_at, ${at})` : sql`NULL`;
      await db.run(
        sql`UPDATE ${t.jobs} SET state = ${state}, updated_at = ${at}, finished_at = ${end} WHERE id = ${id}`,
      );
    },
    async counts(jobId) {
      const rows = await db.all<{ state: ItemState; count: number }>(
        sql`SELECT state, count(*) AS count FROM ${t.items} WHERE job_id = ${jobId} AND replaced = 0 GROUP BY state`,
      );
      return { ...noItems, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
    },
    async withoutLookup(jobId) {
      const row = await db.get<{ count: number }>(
        sql`SELECT count(*) AS count FROM ${t.items}
          WHERE job_id = ${jobId} AND replaced = 0 AND lookup = 'not-possible'`,
      );
      return row?.count ?? 0;
    },
    prunable: async (before) => (await db.all(oldJobs(before))).length,
    async prune(before) {
      let removed = 0;
      // One job per transaction, so that removing many large jobs does not block others for long.
      for (const { id } of await db.all<{ id: string }>(oldJobs(before)))
        removed += await db.together(function* () {
          const changes = yield* run(sql`DELETE FROM ${t.jobs} AS jobs WHERE id = ${id} AND ${isOld(before)}`);
          if (changes === 0) return 0;
          yield* run(sql`DELETE FROM ${t.history} WHERE job_id = ${id}`);
          // Its sends are not missing: a person deleted them.
          yield* run(
            sql`UPDATE ${t.identity} SET may_lack_until = ${greatest}(coalesce(may_lack_until, 0), CAST(${Math.ceil(before)} AS bigint))`,
          );
          return changes;
        });
      return removed;
    },
  };
}

/** Finished long ago, or never written completely; never a job that waits for a person. */
const isOld = (before: number): Sql => sql`(state IN ('done', 'cancelled') AND finished_at < ${before}
    AND NOT EXISTS (SELECT 1 FROM ${t.items} WHERE job_id = jobs.id AND state = 'uncertain' AND replaced = 0)
  OR state = 'loading' AND updated_at < ${before}
    AND NOT EXISTS (SELECT 1 FROM ${t.workers} WHERE id = jobs.loader_id))`;

export const oldJobs = (before: number): Sql => sql`SELECT id FROM ${t.jobs} AS jobs WHERE ${isOld(before)}`;

const byKey = indexedBy('items_holding_key');

const added = fieldsOf({
  ...({ id: 'text', ordinal: 'int', label: 'text', dedupeKey: 'text', holdsKey: 'int', input: 'text' } as const),
  ...({ billed: 'int', state: 'text', idempotencyKey: 'text', previousId: 'text', duplicateOf: 'text' } as const),
  settledAt: 'int',
});

interface Addition {
  readonly jobId: string;
  readonly items: readonly NewItem[];
  readonly at: number;
}

/**
 * Adds new items; one whose key is taken is stored as `skipped`. Whoever gives a key of this profile and kind waits until then, so
 * that each sees the keys of the others.
 */
export function* append({ jobId, items, at }: Addition): Step<void> {
  const job = yield* get<{ readonly profile: string; readonly kind: string }>(
    sql`SELECT profile, kind FROM ${t.jobs} WHERE id = ${jobId}`,
  );
  if (job === undefined) throw new FiscalError('job.not_found', { id: jobId });
  const { profile, kind } = job;
  yield* alone('keys', profile, kind);
  const held = yield* all<{ readonly key: string; readonly id: string }>(
    heldKeys({ profile, kind, keys: items.map(({ dedupeKey }) => dedupeKey) }),
  );
  const holders = new Map(held.map(({ key, id }) => [key, id]));
  const rows = items.map(({ input, billed, ...item }) => {
    const duplicateOf = holders.get(item.dedupeKey);
    const free = duplicateOf === undefined;
    if (free) holders.set(item.dedupeKey, item.id);
    const state = { holdsKey: free ? 1 : 0, state: free ? 'prepared' : 'skipped', duplicateOf };
    // An absent input is stored as JSON null.
    return { ...item, ...state, input: exactJson(input), billed: billed ? 1 : 0, settledAt: free ? null : at };
  });
  yield* run(
    sql`INSERT INTO ${t.items} (id, job_id, profile, kind, ordinal, label, dedupe_key, holds_key, input, billed, state,
        idempotency_key, previous_id, duplicate_of, due_at, settled_at, updated_at)
      ${added.each} ${added.id}, ${jobId}, ${profile}, ${kind}, ${added.ordinal}, ${added.label}, ${added.dedupeKey},
        ${added.holdsKey}, ${added.input}, ${added.billed}, ${added.state}, ${added.idempotencyKey}, ${added.previousId},
        ${added.duplicateOf}, CAST(${at} AS bigint), ${added.settledAt}, CAST(${at} AS bigint) ${added.end}`.for(rows),
  );
}

export const heldKeys = ({
  profile,
  kind,
  keys,
}: {
  readonly profile: string;
  readonly kind: string;
  readonly keys: readonly string[];
}): Sql => sql`SELECT dedupe_key AS key, id FROM ${t.items} ${byKey}
  WHERE profile = ${profile} AND kind = ${kind} AND holds_key = 1 AND dedupe_key ${among(keys)}`;
