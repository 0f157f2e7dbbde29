import type { SandboxDatabase } from './open-database.js';

/** What the service would bill (§1). */
export interface Usage {
  add(row: UsageRow): void;
  summary(): UsageSummary;
  clear(): void;
}

export interface UsageRow {
  readonly at: number;
  readonly tenantId: string;
  readonly operation: string;
  readonly action: string;
  readonly resourceId: string;
}

export interface UsageSummary {
  readonly total: number;
  readonly byAction: Readonly<Record<string, number>>;
  readonly byOperation: Readonly<Record<string, number>>;
}

export function openUsage(database: SandboxDatabase): Usage {
  const insert = database.prepare(
    'INSERT INTO usage (at, tenant_id, operation, action, resource_id) VALUES (?, ?, ?, ?, ?)',
  );
  const groups = database.prepare<[], { operation: string; action: string; count: number }>(
    'SELECT operation, action, count(*) AS count FROM usage GROUP BY operation, action ORDER BY operation',
  );
  const clear = database.prepare('DELETE FROM usage');
  return {
    add: (row) => void insert.run(row.at, row.tenantId, row.operation, row.action, row.resourceId),
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
    clear: () => void clear.run(),
  };
}
