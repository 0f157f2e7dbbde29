import type { BlockedHost, LearnedRate, PaceKey, PaceRow, PaceRows } from '../store.js';
import { sentAway } from '../item-columns.js';
import type { Connection } from './connection.js';
import { sound } from '../row.js';

/** The name of a spaced capture has blanks; that of a host has none. */
const isHost = "instr(host, ' ') = 0";

export const blockedHostsQuery = `SELECT host, blocked_until AS blockedUntil, asked_ms AS askedMs FROM pace
  WHERE profile = ? AND blocked_until > ? AND ${isHost} ORDER BY host`;

/** By the index of the states of a job. */
const ofOpenJobs = "job_id IN (SELECT id FROM jobs WHERE profile = ? AND state = 'open')";

/**
 * The shared request rate. It survives a killed process, but is only advice between processes, so its writes do not
 * wait for the disk.
 */
export function createPaceRows({ statement, read, write }: Connection): PaceRows {
  const row = statement<[string, string], PaceRow>(
    `SELECT blocked_until AS blockedUntil, next_slot_at AS nextSlotAt, interval_ms AS intervalMs, accepted,
       refused_at AS refusedAt, accepted_then AS acceptedThen, agreeing, limit_per_ms AS limitPerMs
     FROM pace WHERE profile = ? AND host = ?`,
  );
  const setSlot = statement<[string, string, number, number, number]>(
    `INSERT INTO pace (profile, host, next_slot_at, interval_ms, accepted) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET next_slot_at = excluded.next_slot_at, interval_ms = excluded.interval_ms,
       accepted = accepted + excluded.accepted`,
  );
  const setLearned = statement<[LearnedRate & PaceKey & { before: number | null }]>(
    `UPDATE pace SET refused_at = @refusedAt, accepted_then = @acceptedThen, agreeing = @agreeing, limit_per_ms = @limitPerMs
     WHERE profile = @profile AND host = @host AND refused_at IS @before`,
  );
  const setBlock = statement<[string, string, number, number | null]>(
    `INSERT INTO pace (profile, host, blocked_until, asked_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET blocked_until = excluded.blocked_until, asked_ms = excluded.asked_ms
     WHERE excluded.blocked_until >= blocked_until`,
  );
  const blocked = statement<[string, number], BlockedHost>(blockedHostsQuery);
  const unblock = statement<[string]>(
    `UPDATE pace SET blocked_until = 0, asked_ms = NULL WHERE profile = ? AND ${isHost}`,
  );

  const hasten = statement<[string]>(
    `UPDATE items SET due_at = updated_at WHERE ${ofOpenJobs} AND ${sentAway}`,
  );
  const paceOf = ({ profile, host }: PaceKey): PaceRow | undefined => {
    const found = row().get(profile, host);
    return found && sound(found);
  };

  return {
    get: (key) => read(() => paceOf(key)),

    reserve: ({ profile, host }, { count, intervalMs, accepted = 0 }, now) =>
      write(
        () => {
          const pace = paceOf({ profile, host }) ?? { blockedUntil: 0, nextSlotAt: 0 };
          const open = Math.max(now, pace.blockedUntil);
          // A process without a rate limit does not queue behind the slots of one that has a limit.
          const start = intervalMs > 0 ? Math.max(open, pace.nextSlotAt) : open;
          const next = Math.max(pace.nextSlotAt, start + count * intervalMs);
          setSlot().run(profile, host, intervalMs > 0 ? next : pace.nextSlotAt, intervalMs, accepted);
          return start;
        },
        { durable: false },
      ),
    learn: (key, before, learned) =>
      write(() => void setLearned().run({ ...key, ...learned, before }), { durable: false }),

    block: ({ profile, host }, until, askedMs) =>
      write(() => void setBlock().run(profile, host, until, askedMs ?? null), { durable: false }),

    blocked: (profile, now) => read(() => blocked().all(profile, now).map(sound)),

    reset: (profile) =>
      write(() => {
        unblock().run(profile);
        hasten().run(profile);
      }),
  };
}
