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
  const remove = database.prepare<[string]>('DELETE FROM meta WHERE name = ?');
  const get = (name: string) => read.get(name)?.value;
  const set = (name: string, value: string) => void write.run(name, value);
  return {
    get,
    set,
    next(name) {
      const value = Number(get(name) ?? 0) + 1;
      set(name, String(value));
      return value;
    },
    clear(names) {
      for (const name of names) remove.run(name);
    },
  };
}
