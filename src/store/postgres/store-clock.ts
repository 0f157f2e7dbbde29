import type { Clock } from '../../domain/world.js';
import { serverMs } from '../sql.js';
import type { StoreClock } from '../store.js';
import type { Connection } from './connection.js';
import { requireRow } from './failures.js';

/** The server's time in whole milliseconds, as a column. */
export const serverNow = serverMs.postgres;

/** Smaller corrections of the wall clock are not reported. */
const JUMP_MS = 5_000;

/** The server's clock, carried on by the uptime of this machine between two answers of the server. */
export interface ServerClock extends StoreClock {
  /** Runs a statement whose answer has the server's time, and goes on from there. */
  reading<Row extends { readonly serverMs: number }>(ask: () => Promise<Row | undefined>): Promise<Row | undefined>;
}

interface ServerClockOptions {
  readonly clock: Clock;
  /** Name and boot of the machine; processes with the same one share its uptime. */
  readonly machine: string;
}

interface Start {
  readonly firstUptimeMs: number;
  /** The server's time when this boot was first seen. */
  readonly firstMs: number;
}

/**
 * Every process that works on the store counts by one clock, that of the server, whatever the clocks of their machines say.
 * Within a process the time never goes back.
 */
export async function openServerClock(
  connection: Connection,
  { clock, machine }: ServerClockOptions,
): Promise<ServerClock> {
  let offsetMs = 0;
  let latest = 0;
  const now = (): number => (latest = Math.max(latest, Math.floor(clock.uptime() + offsetMs)));
  const reading: ServerClock['reading'] = async (ask) => {
    const askedAt = clock.uptime();
    const row = await ask();
    // The server read its clock between the question and the answer, which may have waited for a lost server.
    if (row !== undefined)
      offsetMs = Math.min(Math.max(offsetMs, row.serverMs - clock.uptime()), row.serverMs - askedAt);
    return row;
  };
  offsetMs = await firstOffset(connection, clock);
  const start = await firstSeen(connection, { clock, machine, now: now() });
  return {
    now,
    reading,
    uptime: () => clock.uptime(),
    sleep: (ms, signal, awaited) => clock.sleep(ms, signal, awaited),
    surelySince: (at) => surely({ at, now: now(), uptime: clock.uptime(), start }),
    takeJump: async () => await takeJump(connection, machine, clock.now() - clock.uptime()),
  };
}

/** An answer that took longer than this says too little about the server's clock. */
const LONG_MS = 1_000;
const MOST_READINGS = 5;

/** The middle between question and answer is wrong by half of the time between them at most. */
async function firstOffset(connection: Connection, clock: Clock): Promise<number> {
  for (let nth = 1; ; nth += 1) {
    const askedAt = clock.uptime();
    const answer = await connection.get<{ serverMs: number }>(`SELECT ${serverNow} AS "serverMs"`);
    const { serverMs } = requireRow(answer, 'serverMs');
    const answeredAt = clock.uptime();
    if (answeredAt - askedAt <= LONG_MS || nth >= MOST_READINGS) return serverMs - (askedAt + answeredAt) / 2;
  }
}

/**
 * The server's clock may have been set forward: what it counted since this boot was first seen, and the machine did not,
 * is left out.
 */
function surely(when: { at: number; now: number; uptime: number; start: Start }): number {
  const { at, now, uptime, start } = when;
  const uncounted = Math.max(0, now - start.firstMs - (uptime - start.firstUptimeMs));
  return Math.max(0, now - Math.max(at, start.firstMs) - uncounted);
}

async function firstSeen(
  { repeatable }: Connection,
  { clock, machine, now }: ServerClockOptions & { readonly now: number },
): Promise<Start> {
  const uptime = clock.uptime();
  const seen = { firstUptimeMs: uptime, firstMs: now };
  const known = await repeatable.get<Start>(
    `INSERT INTO fiscal.timeline AS t (machine, first_uptime_ms, first_ms, wall_offset_ms)
     VALUES (@machine, @uptime, @now, @offset)
     ON CONFLICT (machine) DO UPDATE SET
       first_uptime_ms = CASE WHEN t.first_uptime_ms > @uptime THEN @uptime ELSE t.first_uptime_ms END,
       first_ms = CASE WHEN t.first_uptime_ms > @uptime THEN @now ELSE t.first_ms END
     RETURNING first_uptime_ms AS "firstUptimeMs", first_ms AS "firstMs"`,
    { machine, uptime, now, offset: clock.now() - uptime },
  );
  return known ?? seen;
}

/** Only the process that writes the new offset reports the jump. */
async function takeJump({ get, run }: Connection, machine: string, offset: number): Promise<number | undefined> {
  const known = await get<{ before: number }>(
    'SELECT wall_offset_ms AS before FROM fiscal.timeline WHERE machine = @machine',
    { machine },
  );
  const before = known?.before ?? offset;
  if (Math.abs(offset - before) < JUMP_MS) return undefined;
  const changes = await run(
    'UPDATE fiscal.timeline SET wall_offset_ms = @offset WHERE machine = @machine AND wall_offset_ms = @before',
    { machine, offset, before },
  );
  return changes === 1 ? offset - before : undefined;
}
