/** Webhooks, and what is to be delivered or was. Times are milliseconds since the epoch, of the service's clock. */
export const webhookMigration = `
CREATE TABLE webhooks (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  content TEXT NOT NULL
);

CREATE TABLE deliveries (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  -- A copy has the id of what it repeats.
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  webhook_id TEXT,
  uri TEXT NOT NULL,
  event TEXT NOT NULL,
  resource TEXT NOT NULL,
  body TEXT NOT NULL,
  -- The captured document whose webhookStatus tells of this delivery.
  document_id TEXT,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  -- Real time: until then a process is sending it.
  claimed_until INTEGER NOT NULL,
  answered INTEGER,
  error TEXT,
  created_on INTEGER NOT NULL,
  ended_on INTEGER
);
CREATE INDEX deliveries_due ON deliveries (rank, due_at, claimed_until) WHERE state = 'waiting';
CREATE INDEX deliveries_of_resource ON deliveries (resource, uri) WHERE state = 'waiting';
CREATE INDEX deliveries_of_document ON deliveries (document_id) WHERE document_id IS NOT NULL;

CREATE TABLE delivery_faults (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  rule TEXT NOT NULL,
  seen INTEGER NOT NULL,
  applied INTEGER NOT NULL
);
`;

/** Emptied by a reset. */
export const webhookTables: readonly string[] = ['webhooks', 'deliveries', 'delivery_faults'];
