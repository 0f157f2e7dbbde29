import { insertInto, type Meta, type SandboxDatabase } from './database.js';
import { parseExactly, writeExactly } from './exact-json.js';

/** The clock of the service: real time plus an offset, or frozen. Stored in the file, so that all processes agree. */
export interface ServiceClock {
  now(): number;
  state(): ClockState;
  advance(ms: number): void;
  set(at: number): void;
  freeze(frozen: boolean): void;
}

interface ClockState {
  readonly now: string;
  readonly offsetMs: number;
  readonly frozen: boolean;
}

const names = { offset: 'clock.offset', frozenAt: 'clock.frozenAt' };

export function openClock(meta: Meta): ServiceClock {
  const offset = () => Number(meta.get(names.offset) ?? 0);
  const frozenAt = () => {
    const text = meta.get(names.frozenAt);
    return text === undefined ? undefined : Number(text);
  };
  const now = () => frozenAt() ?? Date.now() + offset();
  const set = (at: number) => {
    meta.set(names.offset, String(at - Date.now()));
    if (frozenAt() !== undefined) meta.set(names.frozenAt, String(at));
  };
  return {
    now,
    set,
    state: () => ({
      now: new Date(now()).toISOString(),
      offsetMs: now() - Date.now(),
      frozen: frozenAt() !== undefined,
    }),
    advance: (ms) => set(now() + ms),
    freeze(frozen) {
      const at = now();
      if (frozen) meta.set(names.frozenAt, String(at));
      else meta.clear([names.frozenAt]);
      set(at);
    },
  };
}

/** Background work is stored with a due time: it survives a restart, and any process can do it. */
export interface DueWork {
  schedule(kind: string, dueAt: number, payload: object): void;
  /** Removes and returns the earliest row that is due at `now`. */
  take(now: number): DueRow | undefined;
  isDue(now: number): boolean;
  count(): number;
}

interface DueRow {
  readonly kind: string;
  readonly dueAt: number;
  readonly payload: unknown;
}

export function openDueWork(database: SandboxDatabase): DueWork {
  const insert = database.prepare(insertInto(database, 'dueWork'));
  const earliest = database.prepare<[number], { id: number; kind: string; dueAt: number; payload: string }>(
    'SELECT * FROM dueWork WHERE dueAt <= ? ORDER BY dueAt, id LIMIT 1',
  );
  const remove = database.prepare<[number]>('DELETE FROM dueWork WHERE id = ?');
  const count = database.prepare<[], { count: number }>('SELECT count(*) AS count FROM dueWork');
  return {
    schedule: (kind, dueAt, payload) => void insert.run({ kind, dueAt, payload: writeExactly(payload) }),
    take(now) {
      const row = earliest.get(now);
      if (row === undefined) return undefined;
      remove.run(row.id);
      return { ...row, payload: parseExactly(row.payload) };
    },
    isDue: (now) => earliest.get(now) !== undefined,
    count: () => count.get()?.count ?? 0,
  };
}

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Parses `10d`, `1h30m`, `250ms` to milliseconds; `undefined` for other text. */
export function parseDuration(text: string): number | undefined {
  if (!/^(\d+(ms|[smhdw]))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(?<!\d)(\d+)(ms|[smhdw])/g)) {
    total += Number(amount) * (units[unit ?? ''] ?? 0);
  }
  return Number.isSafeInteger(total) ? total : undefined;
}
