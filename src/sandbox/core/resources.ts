import type { SandboxDatabase } from './database.js';
import { parseExactly, writeExactly } from './exact-json.js';

/** How resources of a kind are named in the table. */
interface Naming<Stored> {
  readonly kind: string;
  idOf(stored: Stored): string;
  /** What it belongs to: an account, a company, a document. */
  ownerOf(stored: Stored): string;
}

/** A page follows this resource, or ends right before it. */
export interface Cursor {
  readonly side: 'after' | 'before';
  readonly id: string;
}

/** The resources of one kind. What is deleted appears nowhere. */
export interface Collection<Stored> {
  /** Adds it, or replaces the one with its id, which keeps its place. */
  put(stored: Stored): void;
  get(id: string): Stored | undefined;
  /** `undefined` if the owner has none with this id. */
  find(owner: string, id: string): Stored | undefined;
  /** In order of creation. */
  of(owner: string): readonly Stored[];
  /** In order of creation, without a cursor the first ones; `undefined` if the owner does not have the one of the cursor. */
  page(owner: string, limit: number, cursor?: Cursor): readonly Stored[] | undefined;
  remove(id: string, at: number): void;
  /** Deletes all for good, and returns their number. */
  clear(): number;
  count(): number;
  countByStatus(): Readonly<Record<string, number>>;
}

interface Row {
  readonly json: string;
}

/** The statements are those of all kinds. */
export function openResources(database: SandboxDatabase) {
  const put = database.prepare(
    `INSERT INTO resources (kind, id, owner, json) VALUES (?, ?, ?, ?)
     ON CONFLICT (kind, id) DO UPDATE SET owner = excluded.owner, json = excluded.json`,
  );
  const get = database.prepare<[string, string], Row>(
    'SELECT json FROM resources WHERE kind = ? AND id = ? AND deletedOn IS NULL',
  );
  const of = database.prepare<[string, string], Row>(
    'SELECT json FROM resources WHERE kind = ? AND owner = ? AND deletedOn IS NULL ORDER BY position',
  );
  // Includes deleted ones.
  const placeOf = database.prepare<[string, string, string], { position: number }>(
    'SELECT position FROM resources WHERE kind = ? AND id = ? AND owner = ?',
  );
  const after = database.prepare<[string, string, number, number], Row>(
    `SELECT json FROM resources WHERE kind = ? AND owner = ? AND position > ? AND deletedOn IS NULL
     ORDER BY position LIMIT +?`,
  );
  const before = database.prepare<[string, string, number, number], Row>(
    `SELECT json FROM resources WHERE kind = ? AND owner = ? AND position < ? AND deletedOn IS NULL
     ORDER BY position DESC LIMIT +?`,
  );
  const remove = database.prepare('UPDATE resources SET deletedOn = ? WHERE kind = ? AND id = ?');
  const clear = database.prepare('DELETE FROM resources WHERE kind = ?');
  const count = database.prepare<[string], { count: number }>(
    'SELECT count(*) AS count FROM resources WHERE kind = ? AND deletedOn IS NULL',
  );
  const byStatus = database.prepare<[string], { status: string; count: number }>(
    `SELECT json ->> '$.status' AS status, count(*) AS count FROM resources WHERE kind = ? AND deletedOn IS NULL
     GROUP BY 1 ORDER BY 1`,
  );
  return <Stored extends object>({ kind, idOf, ownerOf }: Naming<Stored>): Collection<Stored> => {
    const read = (id: string) => fromRow<Stored>(get.get(kind, id));
    return {
      put: (stored) => void put.run(kind, idOf(stored), ownerOf(stored), writeExactly(stored)),
      get: read,
      find(owner, id) {
        const found = read(id);
        return found !== undefined && ownerOf(found) === owner ? found : undefined;
      },
      of: (owner) => fromRows<Stored>(of.all(kind, owner)),
      page(owner, limit, cursor) {
        const place = cursor === undefined ? { position: 0 } : placeOf.get(kind, cursor.id, owner);
        if (place === undefined) return undefined;
        if (cursor?.side !== 'before') return fromRows(after.all(kind, owner, place.position, limit));
        return fromRows<Stored>(before.all(kind, owner, place.position, limit)).toReversed();
      },
      remove: (id, at) => void remove.run(at, kind, id),
      clear: () => clear.run(kind).changes,
      count: () => count.get(kind)?.count ?? 0,
      countByStatus: () => Object.fromEntries(byStatus.all(kind).map((row) => [row.status, row.count])),
    };
  };
}

export type OpenCollection = ReturnType<typeof openResources>;

/** Written by `put`, so the form is known. */
export function fromRow<Stored>(row: Row | undefined): Stored | undefined {
  return row && (parseExactly(row.json) as Stored);
}

export function fromRows<Stored>(rows: readonly Row[]): readonly Stored[] {
  return rows.map(({ json }) => parseExactly(json) as Stored);
}
