import { exactJson } from '../../domain/json-numbers.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { digestOf, jobColumns, type JobRecord, noItems, toJob, toOptionalJob } from '../job-columns.js';
import { actorValues } from '../actor-columns.js';
import type { Actor } from '../../domain/actor.js';
import type { ItemState, JobRows, NewItem } from '../store.js';
import { alone, type Connection, type Queries, rowsOf } from './connection.js';

const newest = `SELECT ${jobColumns} FROM fiscal.jobs
  WHERE operation = @operation AND profile = @profile AND input_digest = @inputDigest ORDER BY seq DESC LIMIT 1`;

export function createJobRows(connection: Connection, actor: Actor): JobRows {
  const { all, get, run, repeatable, together } = connection;
  const one = (id: string) => get<JobRecord>(`SELECT ${jobColumns} FROM fiscal.jobs WHERE id = @id`, { id });
  return {
    create: (job, unless) =>
      together(async (queries) => {
        await alone(queries, 'job', job.operation, job.profile, job.inputDigest);
        const earlier = await queries.get<JobRecord>(newest, digestOf(job));
        if (earlier !== undefined && unless.includes(earlier.state)) return toJob(earlier);
        await queries.run(
          `INSERT INTO fiscal.jobs (id, kind, operation, profile, input_digest, command_line, scope, loader_id, state,
             created_at, updated_at, machine, os_user, ci_run)
           VALUES (@id, @kind, @operation, @profile, @inputDigest, @commandLine, @scope, @loaderId, 'loading', @at, @at,
             @machine, @user, @ciRun)`,
          { ...job, ...actorValues(actor), scope: JSON.stringify(job.scope) },
        );
        return undefined;
      }),
    append: (jobId, items, at) => together((queries) => append(queries, { jobId, items, at })),
    async seal(id, at) {
      await repeatable.run(
        `UPDATE fiscal.jobs SET state = 'open', updated_at = @at WHERE id = @id AND state = 'loading'`,
        { id, at },
      );
    },
    async discard(id) {
      await repeatable.run(`DELETE FROM fiscal.jobs WHERE id = @id AND state = 'loading'`, { id });
    },
    get: async (jobId) => toOptionalJob(await one(jobId)),
    find: async (key) => toOptionalJob(await get<JobRecord>(newest, digestOf(key))),
    list: async (filter) =>
      (
        await all<JobRecord>(
          `SELECT ${jobColumns} FROM fiscal.jobs
           WHERE (@profile::text IS NULL OR profile = @profile) AND (@kind::text IS NULL OR kind = @kind)
             AND (@states::text[] IS NULL OR state = ANY (@states))
           ORDER BY seq DESC LIMIT @limit`,
          { ...filter },
        )
      ).map(toJob),
    async setState(id, state, at) {
      await run(
        `UPDATE fiscal.jobs SET state = @state::text, updated_at = @at, finished_at =
           CASE WHEN @state IN ('done', 'cancelled') THEN coalesce(finished_at, @at) END WHERE id = @id`,
        { id, state, at },
      );
    },
    async counts(jobId) {
      const rows = await all<{ state: ItemState; count: number }>(
        `SELECT state, count(*) AS count FROM fiscal.items WHERE job_id = @jobId AND replaced = 0 GROUP BY state`,
        { jobId },
      );
      return { ...noItems, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
    },
    async withoutLookup(jobId) {
      const row = await get<{ count: number }>(
        `SELECT count(*) AS count FROM fiscal.items
         WHERE job_id = @jobId AND replaced = 0 AND lookup = 'not-possible'`,
        { jobId },
      );
      return row?.count ?? 0;
    },
    ...createPrune(connection),
  };
}

interface Owner {
  readonly profile: string;
  readonly kind: string;
}

interface Addition {
  readonly jobId: string;
  readonly items: readonly NewItem[];
  readonly at: number;
}

/**
 * Adds new items within a running transaction; one whose key is taken is stored as `skipped`. Whoever gives a key of this
 * profile and kind waits until then, so that each sees the keys of the others.
 */
export async function append(queries: Queries, { jobId, items, at }: Addition): Promise<void> {
  const job = await queries.get<Owner>('SELECT profile, kind FROM fiscal.jobs WHERE id = @jobId', { jobId });
  if (job === undefined) throw new FiscalError('job.not_found', { id: jobId });
  await alone(queries, 'keys', job.profile, job.kind);
  const held = await queries.all<{ key: string; id: string }>(
    `SELECT dedupe_key AS key, id FROM fiscal.items
     WHERE profile = @profile AND kind = @kind AND holds_key = 1 AND dedupe_key = ANY (@keys)`,
    { ...job, keys: items.map(({ dedupeKey }) => dedupeKey) },
  );
  const holders = new Map(held.map(({ key, id }) => [key, id]));
  const rows = items.map(({ input, billed, ...item }) => {
    const duplicateOf = holders.get(item.dedupeKey);
    if (duplicateOf === undefined) holders.set(item.dedupeKey, item.id);
    return { ...item, input: exactJson(input), billed: billed ? 1 : 0, duplicateOf };
  });
  await queries.run(
    `INSERT INTO fiscal.items (id, job_id, profile, kind, ordinal, label, dedupe_key, holds_key, input, billed, state,
       idempotency_key, previous_id, duplicate_of, due_at, settled_at, updated_at)
     SELECT id, @jobId, @profile, @kind, ordinal, label, "dedupeKey", CASE WHEN "duplicateOf" IS NULL THEN 1 ELSE 0 END,
       input, billed, CASE WHEN "duplicateOf" IS NULL THEN 'prepared' ELSE 'skipped' END,
       "idempotencyKey", "previousId", "duplicateOf", @at::bigint,
       CASE WHEN "duplicateOf" IS NULL THEN NULL ELSE @at::bigint END, @at::bigint
     FROM json_to_recordset(@rows::json) AS r (id text, ordinal bigint, label text, "dedupeKey" text, input text,
       billed smallint, "idempotencyKey" text, "previousId" text, "duplicateOf" text)`,
    { jobId, ...job, at, rows: rowsOf(rows) },
  );
}

/** Finished long ago, or never written completely; never a job that waits for a person. */
const isOld = `(state IN ('done', 'cancelled') AND finished_at < @before
    AND NOT EXISTS (SELECT 1 FROM fiscal.items WHERE job_id = jobs.id AND state = 'uncertain' AND replaced = 0)
  OR state = 'loading' AND updated_at < @before
    AND NOT EXISTS (SELECT 1 FROM fiscal.workers WHERE id = jobs.loader_id))`;

/** One job per transaction, so that removing many large jobs does not block others for long. */
function createPrune({ all, together }: Connection): Pick<JobRows, 'prune' | 'prunable'> {
  const candidates = (before: number) =>
    all<{ id: string }>(`SELECT id FROM fiscal.jobs AS jobs WHERE ${isOld}`, { before });
  const remove = (id: string, before: number) =>
    together(async (queries) => {
      const changes = await queries.run(`DELETE FROM fiscal.jobs AS jobs WHERE id = @id AND ${isOld}`, {
        id,
        before,
      });
      if (changes === 0) return 0;
      await queries.run('DELETE FROM fiscal.history WHERE job_id = @id', { id });
      // Its sends are not missing: a person deleted them.
      await queries.run('UPDATE fiscal.identity SET may_lack_until = greatest(may_lack_until, @before)', {
        before: Math.ceil(before),
      });
      return changes;
    });
  return {
    prunable: async (before) => (await candidates(before)).length,
    async prune(before) {
      let removed = 0;
      for (const { id } of await candidates(before)) removed += await remove(id, before);
      return removed;
    },
  };
}
