import type { PaceRow, PaceRows } from '../store.js';
import type { Connection } from './connection.js';

/**
 * The shared request rate. It survives a killed process, but is only advice between processes, so its writes do not
 * wait for the disk.
 */
export function createPaceRows({ statement, read, write }: Connection): PaceRows {
  const row = statement<[string, string], PaceRow>(
    `SELECT blocked_until AS blockedUntil, next_slot_at AS nextSlotAt, interval_ms AS intervalMs
     FROM pace WHERE profile = ? AND host = ?`,
  );
  const setSlot = statement<[string, string, number, number]>(
    `INSERT INTO pace (profile, host, next_slot_at, interval_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET next_slot_at = excluded.next_slot_at, interval_ms = excluded.interval_ms`,
  );
  const setBlock = statement<[string, string, number]>(
    `INSERT INTO pace (profile, host, blocked_until) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET blocked_until = max(blocked_until, excluded.blocked_until)`,
  );

  return {
    get: ({ profile, host }) => read(() => row().get(profile, host)),

    reserve: ({ profile, host }, count, intervalMs, now) =>
      write(
        () => {
          const pace = row().get(profile, host) ?? { blockedUntil: 0, nextSlotAt: 0 };
          const open = Math.max(now, pace.blockedUntil);
          // A process without a rate limit does not queue behind the slots of one that has a limit.
          const start = intervalMs > 0 ? Math.max(open, pace.nextSlotAt) : open;
          const next = Math.max(pace.nextSlotAt, start + count * intervalMs);
          setSlot().run(profile, host, intervalMs > 0 ? next : pace.nextSlotAt, intervalMs);
          return start;
        },
        { durable: false },
      ),
    block: ({ profile, host }, until) =>
      write(() => void setBlock().run(profile, host, until), { durable: false }),
  };
}
