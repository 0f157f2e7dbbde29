export const schemaVersion = 1;

/** The whole state of the service. Times are milliseconds since the epoch. */
export const schema = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE accounts (
  tenant_id TEXT PRIMARY KEY,
  company_id TEXT NOT NULL,
  jwt_secret TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE keys (
  secret TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  roles TEXT NOT NULL,
  first INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE companies (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  name TEXT NOT NULL,
  federal_tax_number TEXT NOT NULL,
  status TEXT NOT NULL
);

CREATE TABLE products (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  content TEXT NOT NULL,
  status TEXT NOT NULL,
  error_message TEXT,
  revision INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE due_work (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  payload TEXT NOT NULL
);
CREATE INDEX due_work_by_time ON due_work (due_at, id);

CREATE TABLE usage (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  tenant_id TEXT NOT NULL,
  operation TEXT NOT NULL,
  action TEXT NOT NULL,
  resource_id TEXT NOT NULL
);

CREATE TABLE faults (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operation TEXT NOT NULL,
  rule TEXT NOT NULL,
  seen INTEGER NOT NULL,
  applied INTEGER NOT NULL
);

CREATE TABLE ledger (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  operation TEXT,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  key_kind TEXT,
  status INTEGER,
  cut TEXT,
  effect TEXT,
  billed TEXT,
  idempotency_key TEXT,
  request_id TEXT NOT NULL,
  fault TEXT
);
`;
