/** Issued invoices of every kind, their events, and their configured outcomes. */
export const invoices = `
CREATE TABLE invoices (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  company_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  external_id TEXT,
  environment TEXT NOT NULL,
  content TEXT NOT NULL,
  total_amount TEXT NOT NULL,
  status TEXT NOT NULL,
  serie INTEGER,
  number INTEGER,
  access_key TEXT,
  protocol TEXT,
  error_code TEXT,
  error_message TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL,
  issued_at INTEGER,
  cancelled_at INTEGER,
  signature TEXT
);
CREATE INDEX invoices_of_company ON invoices (company_id, kind, environment, position);
CREATE INDEX invoices_by_number ON invoices (company_id, kind, environment, serie, number)
  WHERE access_key IS NOT NULL;
CREATE INDEX invoices_by_key ON invoices (access_key);
CREATE UNIQUE INDEX invoices_by_external_id ON invoices (company_id, external_id) WHERE kind = 'nfse';

CREATE TABLE invoice_events (
  invoice_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  type TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  reason TEXT,
  status TEXT NOT NULL,
  protocol TEXT,
  error_code TEXT,
  error_message TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (invoice_id, ordinal)
) WITHOUT ROWID;

CREATE TABLE invoice_outcomes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  rule TEXT NOT NULL,
  seen INTEGER NOT NULL,
  applied INTEGER NOT NULL
);

CREATE TABLE idempotency_keys (
  tenant_id TEXT NOT NULL,
  key TEXT NOT NULL,
  digest TEXT NOT NULL,
  invoice_id TEXT NOT NULL,
  PRIMARY KEY (tenant_id, key)
) WITHOUT ROWID;

CREATE TABLE disablements (
  company_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  environment TEXT NOT NULL,
  serie INTEGER NOT NULL,
  begin_number INTEGER NOT NULL,
  last_number INTEGER NOT NULL,
  protocol TEXT NOT NULL,
  PRIMARY KEY (company_id, kind, environment, serie, begin_number)
) WITHOUT ROWID;
`;

/** Emptied by a reset. */
export const invoiceTables: readonly string[] = [
  'invoices',
  'invoice_events',
  'invoice_outcomes',
  'idempotency_keys',
  'disablements',
];
