import type { SandboxDatabase } from './open-database.js';

/** Small values of the service, by name. */
export interface Meta {
  get(name: string): string | undefined;
  set(name: string, value: string): void;
  /** Adds one and gives the new value; the first is 1. */
  next(name: string): number;
  clear(names: readonly string[]): void;
}

export function openMeta(database: SandboxDatabase): Meta {
  const read = database.prepare<[string], { value: string }>('SELECT value FROM meta WHERE name = ?');
  const write = database.prepare<[string, string]>('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)');
  const next = database.prepare<[string], { value: string }>(
    `INSERT INTO meta (name, value) VALUES (?, '1')
     ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1 RETURNING value`,
  );
  const remove = database.prepare<[string]>('DELETE FROM meta WHERE name = ?');
  const get = (name: string) => read.get(name)?.value;
  const set = (name: string, value: string) => void write.run(name, value);
  return {
    get,
    set,
    next: (name) => Number(next.get(name)?.value),
    clear(names) {
      for (const name of names) remove.run(name);
    },
  };
}
