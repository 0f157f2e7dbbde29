import type { Database } from 'better-sqlite3';
import { reasonText } from '../item-history.js';
import { requireIdentity } from '../row.js';
import { newestMissing, type SeenBefore, type SeenSend, type WentBackRow } from '../seen-sends.js';

/**
 * Compares the store with the sends that this machine has seen of it. Where it lacks one, it was put back: every item that looks
 * unsent becomes one whose send was interrupted, and the store says so until a person lets it send again.
 */
export function noteWentBack(database: Database, seen: SeenBefore, now: number): void {
  const { sends, except } = seen;
  const { id, mayLackUntil } = noted(database);
  const before = sends.of(id);
  const until = newestMissing(before, { has: sendsAmong(database, before), mayLackUntil });
  if (until !== undefined) database.transaction(() => write(database, { until, except, now })).immediate();
  const newest = newestSend(database, except);
  if (newest !== undefined && !before.some((send) => isSame(send, newest))) sends.add(id, newest);
}

function isSame(one: SeenSend, other: SeenSend): boolean {
  return one.itemId === other.itemId && one.attempts === other.attempts;
}

interface Noted extends WentBackRow {
  readonly id: string;
}

function noted(database: Database): Noted {
  return requireIdentity(
    database
      .prepare<[], Noted>('SELECT id, went_back_to AS wentBackTo, may_lack_until AS mayLackUntil FROM identity')
      .get(),
  );
}

function sendsAmong(database: Database, seen: readonly SeenSend[]): ReadonlyMap<string, number> {
  if (seen.length === 0) return new Map();
  const ids = JSON.stringify(seen.map(({ itemId }) => itemId));
  const rows = database
    .prepare<[string], { id: string; attempts: number }>(
      'SELECT id, attempts FROM items WHERE id IN (SELECT value FROM json_each(?))',
    )
    .all(ids);
  return new Map(rows.map(({ id, attempts }) => [id, attempts]));
}

/** Only the last steps are looked at: a send is among them, or a later command finds it. */
function newestSend(database: Database, except: string): SeenSend | undefined {
  return database
    .prepare<[string], SeenSend>(
      `SELECT items.id AS itemId, attempts, step.at FROM
         (SELECT seq, item, at, to_state FROM item_events ORDER BY seq DESC LIMIT 200) AS step JOIN items ON items.seq = step.item
       WHERE to_state = 'sending' AND attempts > 0 AND profile <> ? ORDER BY step.seq DESC LIMIT 1`,
    )
    .get(except);
}

interface Finding {
  readonly until: number;
  readonly except: string;
  readonly now: number;
}

function write(database: Database, { until, except, now }: Finding): void {
  const newest = database
    .prepare<[string], number>('SELECT coalesce(max(sent_at), 0) FROM items WHERE profile <> ?')
    .pluck()
    .get(except);
  database
    .prepare(
      `UPDATE identity SET went_back_to = min(coalesce(went_back_to, @newest), @newest),
         may_lack_until = max(coalesce(may_lack_until, 0), @until)`,
    )
    .run({ newest, until });
  const doubtful = `state = 'prepared' AND replaced = 0 AND profile <> @except
    AND job_id IN (SELECT id FROM jobs WHERE state = 'open')`;
  const values = { except, at: Math.ceil(now), reason: reasonText({ is: 'store-went-back' }) };
  database
    .prepare(
      `INSERT INTO item_events (item, at, from_state, to_state, step)
       SELECT seq, @at, state, 'sending', json_object('is', 'sent', 'attempt', attempts + 1, 'perhaps', 'went-back') FROM items WHERE ${doubtful}`,
    )
    .run(values);
  database
    .prepare(
      `UPDATE items SET state = 'sending', attempts = attempts + 1, sent_at = @at, updated_at = @at, epoch = epoch + 1,
         worker_id = NULL, lookup = NULL, http_status = NULL, error_code = 'outcome.unknown', reason = @reason
       WHERE ${doubtful}`,
    )
    .run(values);
}
