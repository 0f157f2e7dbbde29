import {
  type Digest,
  digestOf,
  jobColumns,
  type JobRecord,
  noItems,
  toJob,
  toOptionalJob,
} from '../job-columns.js';
import type { Actor } from '../../domain/actor.js';
import { actorValues } from '../actor-columns.js';
import type { ItemState, JobFilter, JobRows, JobState, NewItem } from '../store.js';
import type { Connection } from './connection.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { exactJson } from '../../domain/json-numbers.js';

function statements({ statement }: Connection) {
  const byId = statement<[string], JobRecord>(`SELECT ${jobColumns} FROM jobs WHERE id = ?`);
  const newest = statement<[Digest], JobRecord>(
    `SELECT ${jobColumns} FROM jobs WHERE operation = @operation AND profile = @profile AND input_digest = @inputDigest
     ORDER BY seq DESC LIMIT 1`,
  );
  const insert = statement<[Record<string, unknown>]>(
    `INSERT INTO jobs (id, kind, operation, profile, input_digest, command_line, scope, loader_id, state, created_at, updated_at,
       machine, os_user, ci_run)
     VALUES (@id, @kind, @operation, @profile, @inputDigest, @commandLine, @scope, @loaderId, 'loading', @at, @at,
       @machine, @user, @ciRun)`,
  );
  const changeState = statement<[{ id: string; state: JobState; at: number }]>(
    `UPDATE jobs SET state = @state, updated_at = @at,
       finished_at = CASE WHEN @state IN ('done', 'cancelled') THEN coalesce(finished_at, @at) END
     WHERE id = @id`,
  );
  const open = statement<[number, string]>(
    `UPDATE jobs SET state = 'open', updated_at = ? WHERE id = ? AND state = 'loading'`,
  );
  const removeLoading = statement<[string]>(`DELETE FROM jobs WHERE id = ? AND state = 'loading'`);
  const filtered = statement<[Record<string, unknown>], JobRecord>(
    `SELECT ${jobColumns} FROM jobs
     WHERE (@profile IS NULL OR profile = @profile) AND (@kind IS NULL OR kind = @kind)
       AND (@states IS NULL OR state IN (SELECT value FROM json_each(@states)))
     ORDER BY seq DESC LIMIT +@limit`,
  );
  const countByState = statement<[string], { state: ItemState; count: number }>(
    `SELECT state, count(*) AS count FROM items WHERE job_id = ? AND replaced = 0 GROUP BY state`,
  );
  const countWithoutLookup = statement<[string], { count: number }>(
    `SELECT count(*) AS count FROM items WHERE job_id = ? AND replaced = 0 AND lookup = 'not-possible'`,
  );
  return {
    byId,
    newest,
    insert,
    changeState,
    open,
    removeLoading,
    filtered,
    countByState,
    countWithoutLookup,
  };
}

export function createJobRows(connection: Connection, actor: Actor): JobRows {
  const { read, write } = connection;
  const {
    byId,
    newest,
    insert,
    changeState,
    open,
    removeLoading,
    filtered,
    countByState,
    countWithoutLookup,
  } = statements(connection);
  const append = createAppend(connection);
  return {
    create: (job, unless) =>
      write(() => {
        const earlier = newest().get(digestOf(job));
        if (earlier !== undefined && unless.includes(earlier.state)) return toJob(earlier);
        insert().run({ ...job, ...actorValues(actor), scope: JSON.stringify(job.scope) });
        return undefined;
      }),
    append: (jobId, items, at) => write(() => append(jobId, items, at)),
    seal: (jobId, at) => write(() => void open().run(at, jobId)),
    discard: (jobId) => write(() => void removeLoading().run(jobId)),
    get: (jobId) => read(() => toOptionalJob(byId().get(jobId))),
    find: (key) => read(() => toOptionalJob(newest().get(digestOf(key)))),
    list: (filter) => read(() => filtered().all(bound(filter)).map(toJob)),
    setState: (jobId, state, at) => write(() => void changeState().run({ id: jobId, state, at })),
    counts: (jobId) =>
      read(() => ({
        ...noItems,
        ...Object.fromEntries(
          countByState()
            .all(jobId)
            .map((row) => [row.state, row.count]),
        ),
      })),
    withoutLookup: (jobId) => read(() => countWithoutLookup().get(jobId)?.count ?? 0),
    ...createPrune(connection),
  };
}

function bound(filter: JobFilter): Record<string, unknown> {
  return {
    profile: filter.profile ?? null,
    kind: filter.kind ?? null,
    states: filter.states === undefined ? null : JSON.stringify(filter.states),
    limit: filter.limit ?? -1,
  };
}

interface Owner {
  readonly id: string;
  readonly profile: string;
  readonly kind: string;
}

/** Adds new items within a running write; one whose key is taken is stored as `skipped`. */
export function createAppend({
  statement,
}: Connection): (jobId: string, items: readonly NewItem[], at: number) => void {
  const owner = statement<[string], Owner>('SELECT id, profile, kind FROM jobs WHERE id = ?');
  const holder = statement<[string, string, string], { id: string }>(
    'SELECT id FROM items WHERE profile = ? AND kind = ? AND dedupe_key = ? AND holds_key = 1',
  );
  const insert = statement<[Record<string, unknown>]>(
    `INSERT INTO items (id, job_id, profile, kind, ordinal, label, dedupe_key, holds_key, input, billed, state,
       idempotency_key, previous_id, duplicate_of, due_at, settled_at, updated_at)
     VALUES (@id, @jobId, @profile, @kind, @ordinal, @label, @dedupeKey, @holdsKey, @input, @billed, @state,
       @idempotencyKey, @previousId, @duplicateOf, @at, @settledAt, @at)`,
  );

  return (jobId, items, at) => {
    const job = owner().get(jobId);
    if (job === undefined) throw new FiscalError('job.not_found', { id: jobId });
    for (const item of items) {
      const duplicateOf = holder().get(job.profile, job.kind, item.dedupeKey)?.id;
      const free = duplicateOf === undefined;
      insert().run({
        id: item.id,
        jobId,
        profile: job.profile,
        kind: job.kind,
        ordinal: item.ordinal,
        label: item.label,
        dedupeKey: item.dedupeKey,
        holdsKey: free ? 1 : 0,
        // An absent input is stored as JSON null.
        input: exactJson(item.input),
        billed: item.billed ? 1 : 0,
        state: free ? 'prepared' : 'skipped',
        idempotencyKey: item.idempotencyKey,
        previousId: item.previousId ?? null,
        duplicateOf: duplicateOf ?? null,
        at,
        settledAt: free ? null : at,
      });
    }
  };
}

/** Finished long ago, or never written completely; never a job that waits for a person. */
const isOld = `(state IN ('done', 'cancelled') AND finished_at < @before
    AND NOT EXISTS (SELECT 1 FROM items WHERE job_id = jobs.id AND state = 'uncertain' AND replaced = 0)
  OR state = 'loading' AND updated_at < @before AND NOT EXISTS (SELECT 1 FROM workers WHERE id = jobs.loader_id))`;

/** One job per transaction, so that removing many large jobs does not block others for long. */
function createPrune({ statement, read, write }: Connection): Pick<JobRows, 'prune' | 'prunable'> {
  const candidates = statement<[{ before: number }], { id: string }>(`SELECT id FROM jobs WHERE ${isOld}`);
  const remove = statement<[{ before: number; id: string }]>(`DELETE FROM jobs WHERE id = @id AND ${isOld}`);
  const removeHistory = statement<[string]>('DELETE FROM history WHERE job_id = ?');
  const forgotten = statement<[number]>(
    'UPDATE identity SET may_lack_until = max(coalesce(may_lack_until, 0), ?)',
  );
  return {
    prunable: (before) => read(() => candidates().all({ before }).length),
    prune: async (before) => {
      let removed = 0;
      for (const { id } of await read(() => candidates().all({ before }))) {
        removed += await write(() => {
          const { changes } = remove().run({ id, before });
          if (changes === 0) return 0;
          removeHistory().run(id);
          // Its sends are not missing: a person deleted them.
          forgotten().run(Math.ceil(before));
          return changes;
        });
      }
      return removed;
    },
  };
}
