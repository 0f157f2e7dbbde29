/** Webhooks, and what is to be delivered or was. Times are milliseconds since the epoch. */
export const webhookMigration = `
CREATE TABLE webhooks (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  content TEXT NOT NULL
);

-- A copy has the id of what it repeats. Without a webhook: the address that a company gave.
CREATE TABLE deliveries (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  webhook_id TEXT,
  uri TEXT NOT NULL,
  event TEXT NOT NULL,
  resource TEXT NOT NULL,
  body TEXT NOT NULL,
  document_id TEXT,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  claimed_until INTEGER NOT NULL,
  status INTEGER,
  error TEXT,
  created_on INTEGER NOT NULL,
  ended_on INTEGER
);
CREATE INDEX deliveries_due ON deliveries (due_at, position) WHERE state = 'waiting';
CREATE INDEX deliveries_of_document ON deliveries (document_id) WHERE document_id IS NOT NULL;
CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id) WHERE state = 'waiting';
`;

/** Emptied by a reset. */
export const webhookTables: readonly string[] = ['webhooks', 'deliveries'];
