import type { BlockedHost, PaceRow, PaceRows } from '../store.js';
import { sentAway } from '../item-columns.js';
import type { Connection } from './connection.js';

/** The name of a spaced capture has blanks; that of a host has none. */
const isHost = "strpos(host, ' ') = 0";

export const blockedHostsQuery = `SELECT host, blocked_until AS "blockedUntil", asked_ms AS "askedMs" FROM fiscal.pace
  WHERE profile = @profile AND blocked_until > @now AND ${isHost} ORDER BY host`;

/** The shared request rate. */
export function createPaceRows({ all, get, run }: Connection): PaceRows {
  return {
    get: (key) =>
      get<PaceRow>(
        `SELECT blocked_until AS "blockedUntil", next_slot_at AS "nextSlotAt", interval_ms AS "intervalMs", accepted,
           refused_at AS "refusedAt", accepted_then AS "acceptedThen", agreeing, limit_per_ms AS "limitPerMs"
         FROM fiscal.pace WHERE profile = @profile AND host = @host`,
        { ...key },
      ),

    async reserve(key, { count, intervalMs, accepted = 0 }, now) {
      // A process without a rate limit does not queue behind the slots of one that has a limit.
      const row = await get<{ start: number }>(
        `INSERT INTO fiscal.pace AS p (profile, host, next_slot_at, interval_ms, accepted)
         VALUES (@profile, @host, CASE WHEN @step > 0 THEN @now + @width ELSE 0 END, @step, @accepted)
         ON CONFLICT (profile, host) DO UPDATE SET interval_ms = @step, accepted = p.accepted + @accepted, next_slot_at = CASE WHEN @step > 0
           THEN greatest(@now, p.blocked_until, p.next_slot_at) + @width ELSE p.next_slot_at END
         RETURNING CASE WHEN @step > 0 THEN next_slot_at - @width ELSE greatest(@now, blocked_until) END AS start`.replaceAll(
          /@(?:now|step|width|accepted)/g,
          '$&::double precision',
        ),
        { ...key, now, step: intervalMs, width: count * intervalMs, accepted },
      );
      return row?.start ?? now;
    },
    async learn(key, before, learned) {
      await run(
        `UPDATE fiscal.pace SET refused_at = @refusedAt, accepted_then = @acceptedThen, agreeing = @agreeing,
           limit_per_ms = @limitPerMs
         WHERE profile = @profile AND host = @host AND refused_at IS NOT DISTINCT FROM @before::double precision`,
        { ...key, ...learned, before },
      );
    },
    async block(key, until, askedMs) {
      await run(
        `INSERT INTO fiscal.pace AS p (profile, host, blocked_until, asked_ms) VALUES (@profile, @host, @until, @askedMs)
         ON CONFLICT (profile, host) DO UPDATE SET blocked_until = excluded.blocked_until, asked_ms = excluded.asked_ms
         WHERE excluded.blocked_until >= p.blocked_until`,
        { ...key, until, askedMs },
      );
    },
    blocked: (profile, now) => all<BlockedHost>(blockedHostsQuery, { profile, now }),
    async reset(profile) {
      await run(
        `WITH unblocked AS (
           UPDATE fiscal.pace SET blocked_until = 0, asked_ms = NULL WHERE profile = @profile AND ${isHost})
         UPDATE fiscal.items SET due_at = updated_at
         WHERE job_id IN (SELECT id FROM fiscal.jobs WHERE profile = @profile AND state = 'open') AND ${sentAway}`,
        { profile },
      );
    },
  };
}
