import { insertInto, type SandboxDatabase } from './database.js';

/** Every request with its effect and its billing. Contains no keys, queries or bodies. */
export interface Ledger {
  add(entry: Omit<LedgerEntry, 'sequence'>): void;
  page(filter: LedgerFilter): LedgerPage;
  /** The ids of resources created or issued after this time. */
  idsCreatedSince(at: number): ReadonlySet<string>;
  /** The number of all entries. */
  count(): number;
  /** The number of entries, without captures and late effects. */
  requests(): number;
  clear(): void;
}

export interface LedgerEntry {
  readonly sequence: number;
  readonly at: string;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  /** `unknown`: the request has a key that does not exist. */
  readonly keyKind: string | null;
  /** The status sent; null if the connection was cut or stalled before it. */
  readonly status: number | null;
  /** When a fault cut the connection. */
  readonly cut: 'before' | 'after' | 'body' | null;
  readonly effect: Effect | null;
  readonly billed: string | null;
  readonly idempotencyKey: string | null;
  readonly requestId: string;
  readonly fault: string | null;
}

/** What a request changed, e.g. `{ created: 'product', id, sku }`. */
export type Effect = Readonly<Record<string, string>>;

/** The method of an entry whose effect came after an error answer. */
export const lateMethod = 'LATE';

/** The method of an entry without a request. */
export const captureMethod = 'CAPTURE';

interface LedgerFilter {
  readonly operation?: string;
  readonly effects: boolean;
  readonly after: number;
  readonly limit: number;
}

interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  /** The number of matching entries, regardless of `after` and `limit`. */
  readonly total: number;
}

type StoredEntry = Omit<LedgerEntry, 'effect'> & { readonly effect: string | null };

const matching = `WHERE (@operation IS NULL OR operation = @operation) AND (@effects = 0 OR effect IS NOT NULL)`;

export function openLedger(database: SandboxDatabase): Ledger {
  const insert = database.prepare(insertInto(database, 'ledger'));
  const page = database.prepare<[object], StoredEntry>(
    `SELECT * FROM ledger ${matching} AND sequence > @after ORDER BY sequence LIMIT +@limit`,
  );
  const total = database.prepare<[object], { count: number }>(`SELECT count(*) AS count FROM ledger ${matching}`);
  const requests = database.prepare<[string, string], { count: number }>(
    'SELECT count(*) AS count FROM ledger WHERE method NOT IN (?, ?)',
  );
  const clear = database.prepare('DELETE FROM ledger');
  const created = database.prepare<[string], { id: string }>(
    `SELECT effect ->> '$.id' AS id FROM ledger WHERE effect IS NOT NULL AND at > ?
       AND coalesce(effect ->> '$.created', effect ->> '$.issued') IS NOT NULL`,
  );
  return {
    requests: () => requests.get(captureMethod, lateMethod)?.count ?? 0,
    add: (entry) => void insert.run({ ...entry, effect: entry.effect === null ? null : JSON.stringify(entry.effect) }),
    page({ operation, effects, after, limit }) {
      const which = { operation: operation ?? null, effects: effects ? 1 : 0 };
      const entries = page.all({ ...which, after, limit }).map(toEntry);
      return { entries, total: total.get(which)?.count ?? 0 };
    },
    idsCreatedSince: (at) => new Set(created.all(new Date(at).toISOString()).map(({ id }) => id)),
    count: () => total.get({ operation: null, effects: 0 })?.count ?? 0,
    clear: () => void clear.run(),
  };
}

function toEntry(row: StoredEntry): LedgerEntry {
  return { ...row, effect: row.effect === null ? null : JSON.parse(row.effect) };
}

/** The simulated bill of the service (§1). */
export interface Usage {
  add(row: UsageRow): void;
  summary(): UsageSummary;
}

interface UsageRow {
  readonly at: number;
  readonly tenantId: string;
  readonly operation: string;
  readonly action: string;
  readonly resourceId: string;
}

interface UsageSummary {
  readonly total: number;
  readonly byAction: Readonly<Record<string, number>>;
  readonly byOperation: Readonly<Record<string, number>>;
}

export function openUsage(database: SandboxDatabase): Usage {
  const insert = database.prepare(insertInto(database, 'usage'));
  const groups = database.prepare<[], { operation: string; action: string; count: number }>(
    'SELECT operation, action, count(*) AS count FROM usage GROUP BY operation, action ORDER BY operation',
  );
  return {
    add: (row) => void insert.run(row),
    summary() {
      const byAction: Record<string, number> = {};
      const byOperation: Record<string, number> = {};
      let total = 0;
      for (const { operation, action, count } of groups.all()) {
        byAction[action] = (byAction[action] ?? 0) + count;
        byOperation[operation] = (byOperation[operation] ?? 0) + count;
        total += count;
      }
      return { total, byAction, byOperation };
    },
  };
}
