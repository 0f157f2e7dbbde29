import { FiscalError } from '../../errors/fiscal-error.js';
import type { NewItem } from '../store.js';
import type { Connection } from './connection.js';

interface Owner {
  readonly id: string;
  readonly profile: string;
  readonly kind: string;
}

/** Adds new items inside a running write; one whose key is held is stored as `skipped`. */
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
        // An absent input is stored as the JSON word for it.
        input: JSON.stringify(item.input ?? null),
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
