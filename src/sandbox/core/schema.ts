import { invoices, invoiceTables } from './invoice-schema.js';

/** Company details and deletion; indexes for products by SKU and events by key. */
const companyMigration = `
ALTER TABLE companies ADD COLUMN details TEXT NOT NULL DEFAULT '{}';
ALTER TABLE companies ADD COLUMN created_on INTEGER NOT NULL DEFAULT 0;
ALTER TABLE companies ADD COLUMN modified_on INTEGER NOT NULL DEFAULT 0;
ALTER TABLE companies ADD COLUMN deleted_on INTEGER;
CREATE INDEX companies_by_tax_number ON companies (tenant_id, federal_tax_number);
CREATE INDEX products_by_sku ON products (tenant_id, json_extract(content, '$.sku'));
CREATE INDEX document_events_by_key ON document_events (access_key);
`;

/** Webhooks and their deliveries. Times are milliseconds since the epoch. */
const webhookMigration = `
CREATE TABLE webhooks (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  tenant_id TEXT NOT NULL,
  content TEXT NOT NULL
);

-- A copy has the id of the original. webhook_id is null for the address in a company's settings.
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
const webhookTables: readonly string[] = ['webhooks', 'deliveries'];

/** The state of the core and of the product registry. Times are milliseconds since the epoch. */
const first = `
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

/** Captures, captured documents, manifestations, and the registrations of the tax authority. */
const manifestations = `
CREATE TABLE captures (
  company_id TEXT NOT NULL,
  family TEXT NOT NULL,
  active INTEGER NOT NULL,
  PRIMARY KEY (company_id, family)
) WITHOUT ROWID;

CREATE TABLE documents (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  family TEXT NOT NULL,
  access_key TEXT NOT NULL,
  company_id TEXT NOT NULL,
  issuer_tax_number TEXT NOT NULL,
  issuer_name TEXT NOT NULL,
  total_amount TEXT NOT NULL,
  issued_on INTEGER NOT NULL,
  authorized_on INTEGER NOT NULL,
  cancelled INTEGER NOT NULL,
  direction TEXT NOT NULL,
  UNIQUE (access_key, company_id)
);

CREATE TABLE nfe_events (
  id TEXT PRIMARY KEY,
  tenant_id TEXT NOT NULL,
  company_id TEXT NOT NULL,
  access_key TEXT NOT NULL,
  event_code INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  detail TEXT NOT NULL,
  status TEXT NOT NULL,
  protocol TEXT,
  error_code TEXT,
  error_message TEXT,
  created_at INTEGER NOT NULL,
  modified_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX nfe_events_live ON nfe_events (access_key, event_code, sequence)
  WHERE status IN ('Pending', 'Accepted');

CREATE TABLE nfse_manifestations (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  company_id TEXT NOT NULL,
  access_key TEXT NOT NULL,
  event_code INTEGER NOT NULL,
  reason_code INTEGER,
  justification TEXT,
  status TEXT NOT NULL,
  error_code TEXT,
  error_message TEXT,
  created_at INTEGER NOT NULL,
  submitted_at INTEGER,
  accepted_at INTEGER
);
CREATE INDEX nfse_manifestations_by_key ON nfse_manifestations (access_key, company_id);
CREATE UNIQUE INDEX nfse_manifestations_live ON nfse_manifestations (access_key, company_id, event_code)
  WHERE status IN ('Pending', 'Accepted');

CREATE TABLE registrations (
  access_key TEXT NOT NULL,
  event_code INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  author TEXT NOT NULL,
  protocol TEXT NOT NULL,
  cancelled INTEGER NOT NULL,
  PRIMARY KEY (access_key, author, event_code, sequence)
) WITHOUT ROWID;

CREATE TABLE outcomes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  access_key TEXT NOT NULL,
  event_code INTEGER NOT NULL,
  rule TEXT NOT NULL,
  seen INTEGER NOT NULL,
  applied INTEGER NOT NULL
);
CREATE INDEX outcomes_by_key ON outcomes (access_key, id);
`;

/** Capture settings, more document columns, and the events of documents. */
const inbound = `
ALTER TABLE captures ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE captures ADD COLUMN created_on INTEGER NOT NULL DEFAULT 0;
ALTER TABLE captures ADD COLUMN modified_on INTEGER NOT NULL DEFAULT 0;
ALTER TABLE captures ADD COLUMN spaced_until INTEGER;

ALTER TABLE documents ADD COLUMN id TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN nsu INTEGER;
ALTER TABLE documents ADD COLUMN status TEXT NOT NULL DEFAULT 'Processed';
ALTER TABLE documents ADD COLUMN webhook_status TEXT NOT NULL DEFAULT 'Delivered';
ALTER TABLE documents ADD COLUMN visibility TEXT NOT NULL DEFAULT 'listed';
ALTER TABLE documents ADD COLUMN created_on INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN modified_on INTEGER NOT NULL DEFAULT 0;
ALTER TABLE documents ADD COLUMN hostile TEXT;
ALTER TABLE documents ADD COLUMN signature TEXT;
UPDATE documents SET id = 'document-' || position, created_on = authorized_on, modified_on = authorized_on;
CREATE INDEX documents_of_company ON documents (company_id, family, visibility, position);
CREATE INDEX documents_by_creation ON documents (company_id, family, visibility, created_on, position);
CREATE INDEX documents_by_nsu ON documents (company_id, family, nsu);
CREATE INDEX documents_by_id ON documents (id);

CREATE TABLE document_events (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  family TEXT NOT NULL,
  access_key TEXT NOT NULL,
  company_id TEXT NOT NULL,
  event_key TEXT NOT NULL,
  type TEXT NOT NULL,
  description TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  protocol TEXT NOT NULL,
  nsu INTEGER,
  issued_on INTEGER NOT NULL,
  created_on INTEGER NOT NULL,
  UNIQUE (company_id, event_key)
);
CREATE INDEX document_events_of_document ON document_events (company_id, access_key);
`;

/** The release of the history, certificates, capture notices, and roles by company. */
const maintenance = `
ALTER TABLE keys ADD COLUMN company_roles TEXT NOT NULL DEFAULT '{}';

ALTER TABLE captures ADD COLUMN released INTEGER NOT NULL DEFAULT 0;
ALTER TABLE captures ADD COLUMN sweep INTEGER NOT NULL DEFAULT 0;
ALTER TABLE captures ADD COLUMN swept INTEGER NOT NULL DEFAULT 0;
ALTER TABLE captures ADD COLUMN from_nsu INTEGER NOT NULL DEFAULT 0;

-- An expression, so that SQLite does not use this index to filter a list in another order, which would sort every page.
CREATE INDEX documents_by_issue ON documents (company_id, family, visibility, (issued_on + 0));
CREATE INDEX documents_by_change ON documents (company_id, family, visibility, modified_on, position);

CREATE TABLE capture_notices (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  company_id TEXT NOT NULL,
  family TEXT NOT NULL,
  type TEXT NOT NULL,
  message TEXT NOT NULL,
  created_on INTEGER NOT NULL
);
CREATE INDEX capture_notices_of_company ON capture_notices (company_id, family, created_on, position);

CREATE TABLE certificates (
  company_id TEXT NOT NULL,
  thumbprint TEXT NOT NULL,
  subject TEXT NOT NULL,
  valid_until INTEGER NOT NULL,
  standing TEXT NOT NULL,
  PRIMARY KEY (company_id, thumbprint)
) WITHOUT ROWID;
`;

/** Lists of changes continue after a row: by its time, then by its key. */
const changes = `
DROP INDEX documents_by_change;
CREATE INDEX documents_by_change ON documents (company_id, family, visibility, modified_on, access_key, position DESC);
`;

/** Whether the authority delivered a note in full or as a summary. */
const stages = `
ALTER TABLE documents ADD COLUMN stage TEXT NOT NULL DEFAULT 'full';
`;

/** Author and detail of events by recipients and takers. Events of issuers have no author. */
const events = `
ALTER TABLE document_events ADD COLUMN author TEXT;
ALTER TABLE document_events ADD COLUMN detail TEXT NOT NULL DEFAULT '{}';
`;

/** Parties of unusual notes. Null: the company or an invented customer is the recipient. */
const parties = `
ALTER TABLE documents ADD COLUMN recipient_tax_number TEXT;
ALTER TABLE documents ADD COLUMN recipient_name TEXT;
ALTER TABLE documents ADD COLUMN intermediary_tax_number TEXT;
ALTER TABLE documents ADD COLUMN intermediary_name TEXT;
`;

/** The uniqueness of an externalId is a mode of the service, not a constraint of the file. */
const externalIds = `
DROP INDEX invoices_by_external_id;
CREATE INDEX invoices_by_external_id ON invoices (company_id, kind, external_id);
`;

/** The last request for the history of NFS-e, so that reads can lag. */
const askedAt = `
ALTER TABLE captures ADD COLUMN asked_at INTEGER NOT NULL DEFAULT 0;
`;

/** For the last NSU, which each new event needs. */
const eventNumbers = `
CREATE INDEX document_events_by_nsu ON document_events (company_id, family, nsu);
`;

/** The state registration that issues an invoice. */
const issuingRegistrations = `
ALTER TABLE invoices ADD COLUMN state_tax_id TEXT;
`;

/** State and municipal registrations of the companies. */
const taxRegistrations = `
CREATE TABLE tax_registrations (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  company_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  content TEXT NOT NULL,
  authorizer TEXT NOT NULL,
  created_on INTEGER NOT NULL,
  modified_on INTEGER NOT NULL
);
CREATE INDEX tax_registrations_of_company ON tax_registrations (company_id, kind, position);
`;

/** XML of the user, served as it is. `digest`: SHA-256 in hexadecimal digits. */
const givenFiles = `
CREATE TABLE given_xml (
  company_id TEXT NOT NULL,
  name TEXT NOT NULL,
  digest TEXT NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (company_id, name)
);
-- Null: the number is in the key.
ALTER TABLE documents ADD COLUMN number TEXT;
`;

/** Each migration raises the version of a file by one; existing data is kept. */
export const migrations: readonly string[] = [
  first,
  manifestations,
  inbound,
  maintenance,
  invoices,
  companyMigration,
  webhookMigration,
  changes,
  stages,
  events,
  parties,
  externalIds,
  askedAt,
  eventNumbers,
  taxRegistrations,
  issuingRegistrations,
  givenFiles,
];

/** Emptied by a reset. */
export const resetTables: readonly string[] = [
  'companies',
  'products',
  'captures',
  'documents',
  'document_events',
  'given_xml',
  'capture_notices',
  'certificates',
  'nfe_events',
  'nfse_manifestations',
  'registrations',
  'outcomes',
  'tax_registrations',
  ...invoiceTables,
  ...webhookTables,
  'due_work',
  'usage',
  'faults',
  'ledger',
];
