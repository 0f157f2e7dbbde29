import type { SandboxDatabase } from '../core/open-database.js';

/** A webhook of an account. Times are milliseconds since the epoch. */
export interface StoredWebhook {
  readonly id: string;
  readonly tenantId: string;
  readonly uri: string;
  /** Null: its deliveries are not signed. */
  readonly secret: string | null;
  readonly status: string;
  readonly filters: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly insecureSsl: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly createdOn: number;
  readonly modifiedOn: number;
}

export interface Webhooks {
  /** Replaces what stands under the same id. */
  put(webhook: StoredWebhook): void;
  find(tenantId: string, id: string): StoredWebhook | undefined;
  /** In order of creation. */
  list(tenantId: string): readonly StoredWebhook[];
  delete(id: string): void;
}

interface WebhookRow {
  id: string;
  tenant_id: string;
  content: string;
}

export function openWebhooks(database: SandboxDatabase): Webhooks {
  const put = database.prepare(
    `INSERT INTO webhooks (id, tenant_id, content) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET content = excluded.content`,
  );
  const find = database.prepare<[string, string], WebhookRow>(
    'SELECT * FROM webhooks WHERE tenant_id = ? AND id = ?',
  );
  const list = database.prepare<[string], WebhookRow>(
    'SELECT * FROM webhooks WHERE tenant_id = ? ORDER BY position',
  );
  const remove = database.prepare('DELETE FROM webhooks WHERE id = ?');
  return {
    put: ({ id, tenantId, ...content }) => void put.run(id, tenantId, JSON.stringify(content)),
    find(tenantId, id) {
      const row = find.get(tenantId, id);
      return row && toWebhook(row);
    },
    list: (tenantId) => list.all(tenantId).map(toWebhook),
    delete: (id) => void remove.run(id),
  };
}

/** What is read here was written here. */
function toWebhook(row: WebhookRow): StoredWebhook {
  return { ...JSON.parse(row.content), id: row.id, tenantId: row.tenant_id };
}
