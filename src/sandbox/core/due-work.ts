import type { SandboxDatabase } from './open-database.js';

/** Work in the background is rows with a due time: it survives a restart and runs in whichever process is up. */
export interface DueWork {
  schedule(kind: string, dueAt: number, payload: object): void;
  /** Takes the earliest row that is due at `now`. */
  take(now: number): DueRow | undefined;
  isDue(now: number): boolean;
  count(): number;
  clear(): void;
}

export interface DueRow {
  readonly kind: string;
  readonly dueAt: number;
  readonly payload: unknown;
}

interface StoredWork {
  id: number;
  kind: string;
  due_at: number;
  payload: string;
}

export function openDueWork(database: SandboxDatabase): DueWork {
  const insert = database.prepare('INSERT INTO due_work (kind, due_at, payload) VALUES (?, ?, ?)');
  const earliest = database.prepare<[number], StoredWork>(
    'SELECT id, kind, due_at, payload FROM due_work WHERE due_at <= ? ORDER BY due_at, id LIMIT 1',
  );
  const remove = database.prepare<[number]>('DELETE FROM due_work WHERE id = ?');
  const count = database.prepare<[], { count: number }>('SELECT count(*) AS count FROM due_work');
  const clear = database.prepare('DELETE FROM due_work');
  return {
    schedule: (kind, dueAt, payload) => void insert.run(kind, dueAt, JSON.stringify(payload)),
    take(now) {
      const row = earliest.get(now);
      if (row === undefined) return undefined;
      remove.run(row.id);
      return { kind: row.kind, dueAt: row.due_at, payload: JSON.parse(row.payload) };
    },
    isDue: (now) => earliest.get(now) !== undefined,
    count: () => count.get()?.count ?? 0,
    clear: () => void clear.run(),
  };
}
