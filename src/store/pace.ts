import { sentAway } from './item-columns.js';
import { type Db, greatest, Part, type Sql, sql, t, words } from './sql.js';
import type { BlockedHost, PaceRow, PaceRows } from './store.js';

/** The name of a spaced capture has blanks; that of a host has none. */
const isHost = new Part("instr(host, ' ') = 0", "strpos(host, ' ') = 0");

const real = (value: number): Sql => sql`CAST(${value} AS double precision)`;

/** A next slot that is so far ahead is a wait as well; nearer ones are those of any rate. Milliseconds. */
const FAR_SLOT_MS = 5_000;

/** @param now the time, as a piece of a statement */
export const blockedHosts = (profile: string, now: Sql): Sql => {
  const slot = sql`CASE WHEN next_slot_at > ${now} + ${real(FAR_SLOT_MS)} THEN next_slot_at ELSE 0 END`;
  const until = sql`${greatest}(blocked_until, ${slot})`;
  return sql`SELECT host, ${until} AS "blockedUntil", asked_ms AS "askedMs"
    FROM ${t.pace} WHERE profile = ${profile} AND ${until} > ${now} AND ${isHost} ORDER BY host`;
};

const columns = words(
  `blocked_until AS "blockedUntil", next_slot_at AS "nextSlotAt", interval_ms AS "intervalMs", accepted,
    refused_at AS "refusedAt", accepted_then AS "acceptedThen", agreeing, limit_per_ms AS "limitPerMs"`,
);

/** Of every host; `profile` is a piece of a statement. */
export const pacesOf = (profile: Sql): Sql =>
  sql`SELECT host, ${columns} FROM ${t.pace} WHERE profile = ${profile} AND ${isHost}`;

const wasSentAway = words(sentAway);

/** It is only advice between processes, so its writes do not wait for the disk. */
const advice = { durable: false } as const;

/** The shared request rate, which survives a killed process. */
export function createPaceRows(db: Db): PaceRows {
  return {
    get: ({ profile, host }) =>
      db.get<PaceRow>(sql`SELECT ${columns} FROM ${t.pace} WHERE profile = ${profile} AND host = ${host}`),

    async reserve({ profile, host }, { count, intervalMs, accepted = 0 }, now) {
      const [step, width, at] = [real(intervalMs), real(count * intervalMs), real(now)];
      // A process without a rate limit does not queue behind the slots of one that has a limit.
      const [row] = await db.change<{ start: number }>(
        sql`INSERT INTO ${t.pace} AS p (profile, host, next_slot_at, interval_ms, accepted)
          VALUES (${profile}, ${host}, CASE WHEN ${step} > 0 THEN ${at} + ${width} ELSE 0 END, ${step}, ${real(accepted)})
          ON CONFLICT (profile, host) DO UPDATE SET interval_ms = excluded.interval_ms, accepted = p.accepted + excluded.accepted,
            next_slot_at = CASE WHEN ${step} > 0
              THEN ${greatest}(${at}, p.next_slot_at) + ${width} ELSE p.next_slot_at END
          RETURNING CASE WHEN ${step} > 0 THEN next_slot_at - ${width} ELSE ${at} END AS start`,
        undefined,
        advice,
      );
      return row?.start ?? now;
    },

    learn: async ({ profile, host }, before, { refusedAt, acceptedThen, agreeing, limitPerMs }) => {
      const isAsBefore = before === null ? sql`refused_at IS NULL` : sql`refused_at = ${before}`;
      await db.run(
        sql`UPDATE ${t.pace} SET refused_at = ${refusedAt}, accepted_then = ${acceptedThen}, agreeing = ${agreeing},
            limit_per_ms = ${limitPerMs} WHERE profile = ${profile} AND host = ${host} AND ${isAsBefore}`,
        advice,
      );
    },

    block: async ({ profile, host }, until, askedMs) =>
      void (await db.run(
        sql`INSERT INTO ${t.pace} AS p (profile, host, blocked_until, asked_ms) VALUES (${profile}, ${host}, ${until}, ${askedMs})
          ON CONFLICT (profile, host) DO UPDATE SET blocked_until = excluded.blocked_until, asked_ms = excluded.asked_ms
          WHERE excluded.blocked_until >= p.blocked_until`,
        advice,
      )),

    blocked: (profile, now) => db.all<BlockedHost>(blockedHosts(profile, sql`${now}`)),

    async reset(profile) {
      await db.run(
        sql`UPDATE ${t.pace} SET blocked_until = 0, asked_ms = NULL, next_slot_at = 0 WHERE profile = ${profile} AND ${isHost}`,
        { repeatable: true },
      );
      // By the index of the states of a job.
      await db.run(
        sql`UPDATE ${t.items} SET due_at = updated_at
          WHERE job_id IN (SELECT id FROM ${t.jobs} WHERE profile = ${profile} AND state = 'open') AND ${wasSentAway}`,
        { repeatable: true },
      );
    },
  };
}
