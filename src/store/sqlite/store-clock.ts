import type { Database } from 'better-sqlite3';
import type { Clock } from '../../domain/world.js';
import type { StoreClock } from '../store.js';
import type { Connection } from './connection.js';
import { sound } from '../row.js';

interface Anchor {
  readonly uptimeMs: number;
  readonly storeMs: number;
  /** The store's time when this boot was first seen. */
  readonly firstMs: number;
  /** Wall clock minus the store's time at the last comparison. */
  readonly wallOffsetMs: number;
}

/** Smaller corrections of the wall clock are not reported. */
const JUMP_MS = 5_000;
/** Age at which a process writes the row again. */
const REFRESH_MS = 60_000;
/** The longest pause that is kept after a reboot or a change of clock. */
const LONGEST_PAUSE_MS = 15 * 60_000;

interface StoreClockOptions {
  readonly clock: Clock;
  /** Name and boot of the machine; processes with the same one share its uptime. */
  readonly machine: string;
}

/** Reads or creates this machine's row, in one short transaction. */
export function openStoreClock(database: Database, connection: Connection, options: StoreClockOptions): StoreClock {
  const anchor = database.transaction(() => readAnchor(database, options)).immediate();
  const { clock, machine } = options;
  const now = (): number => Math.floor(anchor.storeMs + (clock.uptime() - anchor.uptimeMs));
  return {
    now,
    uptime: () => clock.uptime(),
    sleep: (ms, signal, awaited) => clock.sleep(ms, signal, awaited),
    surelySince: (at) => Math.max(0, now() - Math.max(at, anchor.firstMs)),
    takeJump: async () => await takeJump(connection, machine, clock.now() - now()),
  };
}

/** Only the process that writes the new offset reports the jump. */
async function takeJump(
  { statement, read, write }: Connection,
  machine: string,
  offsetMs: number,
): Promise<number | undefined> {
  const known = statement<[string], { offset: number }>(
    'SELECT wall_offset_ms AS offset FROM timeline WHERE machine = ?',
  );
  const move = statement<[number, string, number]>(
    'UPDATE timeline SET wall_offset_ms = ? WHERE machine = ? AND wall_offset_ms = ?',
  );
  const before = (await read(() => known().get(machine)))?.offset ?? offsetMs;
  if (Math.abs(offsetMs - before) < JUMP_MS) return undefined;
  const { changes } = await write(() => move().run(offsetMs, machine, before), { durable: false });
  return changes === 1 ? offsetMs - before : undefined;
}

function readAnchor(database: Database, { clock, machine }: StoreClockOptions): Anchor {
  const uptimeMs = clock.uptime();
  const known = database
    .prepare<[string], Anchor>(
      `SELECT uptime_ms AS uptimeMs, store_ms AS storeMs, first_ms AS firstMs, wall_offset_ms AS wallOffsetMs
       FROM timeline WHERE machine = ?`,
    )
    .get(machine);
  if (known !== undefined && uptimeMs >= known.uptimeMs) {
    const storeMs = known.storeMs + (uptimeMs - known.uptimeMs);
    const anchor = sound({ ...known, uptimeMs, storeMs });
    if (uptimeMs - known.uptimeMs > REFRESH_MS) write(database, machine, anchor);
    return anchor;
  }
  const last = Number(database.prepare('SELECT coalesce(max(store_ms), 0) FROM timeline').pluck().get());
  // The uptime, and with it the last time, has fractions of a millisecond; the times of items have none.
  const { storeMs } = sound({ storeMs: Math.ceil(Math.max(clock.now(), last)) });
  const anchor = { uptimeMs, storeMs, firstMs: storeMs, wallOffsetMs: clock.now() - storeMs };
  write(database, machine, anchor);
  shortenPauses(database, storeMs);
  return anchor;
}

function write(database: Database, machine: string, anchor: Anchor): void {
  database
    .prepare(
      `INSERT OR REPLACE INTO timeline (machine, uptime_ms, store_ms, first_ms, wall_offset_ms)
       VALUES (@machine, @uptimeMs, @storeMs, @firstMs, @wallOffsetMs)`,
    )
    .run({ machine, ...anchor });
}

/** Shortens pauses that another boot, or another clock, placed far in the future. */
function shortenPauses(database: Database, now: number): void {
  database.prepare("UPDATE items SET due_at = ? WHERE state = 'prepared' AND due_at > ?").run(now, now);
  const latest = now + LONGEST_PAUSE_MS;
  database.prepare('UPDATE pace SET blocked_until = ? WHERE blocked_until > ?').run(latest, latest);
  database.prepare('UPDATE pace SET next_slot_at = ? WHERE next_slot_at > ?').run(now, now);
  database.prepare('UPDATE pace SET refused_at = ? WHERE refused_at > ?').run(now, now);
}
