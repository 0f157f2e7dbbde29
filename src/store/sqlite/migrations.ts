import type { Database } from 'better-sqlite3';
import { answerSchema } from './answers.js';
import { usageOfCompanies } from './call-records.js';
import { dayIndex, factSchema, openDocumentSchema } from './document-terms.js';
import { sightIndex, sightOfGroupIndex } from './overview.js';
import { owedSchema } from './owed.js';
import { firstIdentity, identitySchema } from './identity.js';
import { newestSchema, newestVersion } from './newest-schema.js';
import { timelineSchema } from './store-clock.js';

/** Step 2: captured documents, their events and the progress of reading their lists. */
const documentSchema = `
  CREATE TABLE documents (
    seq INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    company_id TEXT NOT NULL,
    family TEXT NOT NULL CHECK (family IN ('nfe', 'cte', 'nfse')),
    id TEXT NOT NULL,
    access_key TEXT,
    nsu TEXT,
    nsu_number INTEGER,
    status TEXT,
    webhook_status TEXT,
    type TEXT,
    issuer TEXT,
    issuer_name TEXT,
    recipient TEXT,
    amount_text TEXT,
    issued_on TEXT,
    issued_at INTEGER NOT NULL,
    authorized_on TEXT,
    created_on TEXT,
    modified_on TEXT,
    data TEXT NOT NULL,
    version INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('wanted', 'archived', 'quarantined', 'gone')),
    due INTEGER NOT NULL CHECK (due IN (0, 1)),
    archive TEXT,
    path TEXT,
    sha256 TEXT,
    bytes INTEGER,
    archived_at INTEGER,
    pdf_state TEXT CHECK (pdf_state IN ('wanted', 'archived', 'absent')),
    pdf_path TEXT,
    pdf_sha256 TEXT,
    pdf_bytes INTEGER,
    signature TEXT CHECK (signature IN ('valid', 'invalid', 'absent', 'unverifiable')),
    reason TEXT,
    first_seen_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (profile, company_id, family, id)
  ) STRICT;
  CREATE INDEX documents_due ON documents (profile, company_id, family, seq) WHERE due = 1;
  CREATE INDEX documents_by_issue ON documents (profile, company_id, family, issued_at);
  CREATE INDEX documents_by_status ON documents (profile, company_id, family, status, issued_at);
  CREATE INDEX documents_by_webhook ON documents (profile, company_id, family, webhook_status, issued_at);
  CREATE INDEX documents_by_issuer ON documents (profile, company_id, family, issuer, issued_at);
  CREATE INDEX documents_by_nsu ON documents (profile, company_id, family, nsu_number) WHERE nsu_number IS NOT NULL;
  CREATE INDEX documents_in_trouble ON documents (profile, company_id, family, state, issued_at) WHERE state <> 'archived';

  CREATE TABLE document_events (
    seq INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    company_id TEXT NOT NULL,
    family TEXT NOT NULL CHECK (family IN ('nfe', 'cte', 'nfse')),
    document_id TEXT NOT NULL,
    event_key TEXT NOT NULL,
    type TEXT,
    description TEXT,
    nsu TEXT,
    issued_on TEXT,
    created_on TEXT,
    state TEXT NOT NULL CHECK (state IN ('wanted', 'archived', 'quarantined', 'gone')),
    due INTEGER NOT NULL CHECK (due IN (0, 1)),
    archive TEXT,
    path TEXT,
    sha256 TEXT,
    bytes INTEGER,
    archived_at INTEGER,
    reason TEXT,
    first_seen_at INTEGER NOT NULL,
    UNIQUE (profile, company_id, family, document_id, event_key)
  ) STRICT;
  CREATE INDEX document_events_due ON document_events (profile, company_id, family, seq) WHERE due = 1;

  CREATE TABLE cursors (
    profile TEXT NOT NULL,
    company_id TEXT NOT NULL,
    family TEXT NOT NULL,
    stream TEXT NOT NULL,
    position TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (profile, company_id, family, stream)
  ) STRICT;

  CREATE TABLE document_groups (
    profile TEXT NOT NULL,
    company_id TEXT NOT NULL,
    family TEXT NOT NULL,
    worker_id TEXT NOT NULL,
    PRIMARY KEY (profile, company_id, family)
  ) STRICT;
`;

/**
 * Received webhook events. Only the first unfinished event of a resource has `due_at`, so skipping the others costs
 * nothing, however long the queue is. The last index finds the job item of an event.
 */
const deliverySchema = `
  CREATE TABLE webhook_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    scheme TEXT NOT NULL,
    hook_id TEXT NOT NULL,
    event TEXT NOT NULL,
    resource TEXT NOT NULL,
    body BLOB NOT NULL,
    digest TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('received', 'forwarding', 'delivered', 'dead', 'kept')),
    attempts INTEGER NOT NULL DEFAULT 0,
    copies INTEGER NOT NULL DEFAULT 1,
    due_at INTEGER,
    last_error TEXT,
    done_by TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(done_by)),
    settled_at INTEGER,
    worker_id TEXT,
    UNIQUE (profile, digest, hook_id)
  ) STRICT;
  CREATE INDEX webhook_events_due ON webhook_events (profile, due_at, seq) WHERE due_at IS NOT NULL;
  CREATE INDEX webhook_events_waiting ON webhook_events (profile, resource, seq) WHERE state IN ('received', 'forwarding');
  CREATE INDEX webhook_events_by_resource ON webhook_events (profile, resource, seq);
  CREATE INDEX webhook_events_dead ON webhook_events (profile, seq) WHERE state = 'dead';
  CREATE INDEX items_pending_by_resource ON items (profile, resource_id) WHERE state = 'pending';
`;

/** Step 4: drops an index that no query used but every write updated. */
const unusedDocumentIndexes = `
  DROP INDEX documents_in_trouble;
`;

/**
 * What an archived XML contains. Only NF-e come as summaries, and those are never signed; where it may be a summary,
 * the kind stays empty until a sync reads the file again.
 */
const documentXmlKind = `
  ALTER TABLE documents ADD COLUMN xml_kind TEXT CHECK (xml_kind IN ('full', 'summary', 'event'));
  UPDATE documents SET xml_kind = 'full'
    WHERE path IS NOT NULL AND (family <> 'nfe' OR signature IN ('valid', 'invalid', 'unverifiable'));
  CREATE INDEX documents_not_full ON documents (profile, company_id, family, issued_at)
    WHERE xml_kind IS NOT 'full' AND path IS NOT NULL;
`;

/** Who wrote a row. */
const actorSchemaOf = (...tables: readonly string[]): string =>
  tables
    .flatMap((table) =>
      ['machine', 'os_user', 'ci_run'].map((column) => `ALTER TABLE ${table} ADD COLUMN ${column} TEXT;`),
    )
    .join('\n');

/**
 * The schema, step by step. A released step is never edited: a change is a new step. `STRICT` and the CHECK constraints
 * justify trusting a row.
 */
export const steps: readonly string[] = [
  `
  CREATE TABLE jobs (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    operation TEXT NOT NULL,
    profile TEXT NOT NULL,
    input_digest TEXT NOT NULL,
    command_line TEXT NOT NULL,
    scope TEXT NOT NULL CHECK (json_valid(scope)),
    loader_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('loading', 'open', 'done', 'cancelled')),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    finished_at INTEGER
  ) STRICT;
  CREATE INDEX jobs_by_digest ON jobs (operation, profile, input_digest);

  CREATE TABLE items (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    profile TEXT NOT NULL,
    kind TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    label TEXT NOT NULL,
    dedupe_key TEXT NOT NULL,
    holds_key INTEGER NOT NULL CHECK (holds_key IN (0, 1)),
    input TEXT NOT NULL,
    billed INTEGER NOT NULL CHECK (billed IN (0, 1)),
    state TEXT NOT NULL CHECK (state IN ('prepared', 'sending', 'pending', 'succeeded', 'rejected', 'failed',
      'skipped', 'uncertain', 'cancelled')),
    idempotency_key TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    resource_id TEXT,
    location TEXT,
    remote_status TEXT,
    request_id TEXT,
    http_status INTEGER,
    error_code TEXT,
    error_message TEXT,
    previous_id TEXT,
    duplicate_of TEXT,
    due_at INTEGER NOT NULL,
    sent_at INTEGER,
    settled_at INTEGER,
    updated_at INTEGER NOT NULL,
    epoch INTEGER NOT NULL DEFAULT 0,
    worker_id TEXT,
    replaced INTEGER NOT NULL DEFAULT 0 CHECK (replaced IN (0, 1))
  ) STRICT;
  CREATE UNIQUE INDEX items_holding_key ON items (profile, kind, dedupe_key) WHERE holds_key = 1;
  CREATE UNIQUE INDEX items_in_order ON items (job_id, ordinal) WHERE replaced = 0;
  CREATE INDEX items_by_state ON items (job_id, state, due_at, ordinal) WHERE replaced = 0;
  CREATE INDEX items_by_worker ON items (worker_id) WHERE worker_id IS NOT NULL;

  CREATE TABLE item_events (
    seq INTEGER PRIMARY KEY,
    item INTEGER NOT NULL REFERENCES items (seq) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    from_state TEXT NOT NULL,
    to_state TEXT NOT NULL,
    step TEXT NOT NULL
  ) STRICT;
  CREATE INDEX item_events_by_item ON item_events (item);

  CREATE TABLE workers (
    id TEXT PRIMARY KEY,
    pid INTEGER NOT NULL,
    machine TEXT NOT NULL,
    process_start TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE pace (
    profile TEXT NOT NULL,
    host TEXT NOT NULL,
    blocked_until REAL NOT NULL DEFAULT 0,
    next_slot_at REAL NOT NULL DEFAULT 0,
    interval_ms REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (profile, host)
  ) STRICT;

  CREATE TABLE usage (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    profile TEXT NOT NULL,
    operation TEXT NOT NULL,
    billed TEXT NOT NULL CHECK (billed IN ('engine', 'history', 'doc-by-key')),
    outcome TEXT NOT NULL CHECK (outcome IN ('billed', 'unknown')),
    job_id TEXT,
    item_id TEXT,
    request_id TEXT
  ) STRICT;
  CREATE INDEX usage_by_time ON usage (at);

  CREATE TABLE history (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    profile TEXT NOT NULL,
    operation TEXT NOT NULL,
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    sent TEXT NOT NULL,
    status INTEGER,
    request_id TEXT,
    error_code TEXT,
    job_id TEXT,
    item_id TEXT
  ) STRICT;
  CREATE INDEX history_by_time ON history (at);
  CREATE INDEX history_by_job ON history (job_id) WHERE job_id IS NOT NULL;

  CREATE TABLE known (
    seq INTEGER PRIMARY KEY,
    profile TEXT NOT NULL,
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    label TEXT,
    status TEXT,
    data TEXT NOT NULL,
    first_seen_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    UNIQUE (profile, kind, scope, id)
  ) STRICT;
  `,
  documentSchema,
  answerSchema,
  deliverySchema,
  unusedDocumentIndexes,
  documentXmlKind,
  'CREATE INDEX known_by_label ON known (profile, kind, label) WHERE label IS NOT NULL;',
  'ALTER TABLE items ADD COLUMN answered_company TEXT;',
  timelineSchema,
  identitySchema,
  usageOfCompanies,
  'ALTER TABLE workers ADD COLUMN job_id TEXT;',
  owedSchema,
  "ALTER TABLE items ADD COLUMN lookup TEXT CHECK (lookup IN ('found', 'not-possible'));",
  'CREATE INDEX items_sent_before ON items (profile, kind, dedupe_key) WHERE holds_key = 0 AND attempts > 0;',
  'ALTER TABLE history ADD COLUMN deprecation TEXT CHECK (deprecation IS NULL OR json_valid(deprecation));',
  `CREATE INDEX items_by_resource ON items (kind, resource_id) WHERE resource_id IS NOT NULL;
   CREATE INDEX items_without_resource ON items (kind) WHERE resource_id IS NULL AND holds_key = 1 AND attempts > 0;`,
  // Only invoices are found by their id; each step of an item of another kind would pay for it.
  `DROP INDEX items_by_resource;
   DROP INDEX items_without_resource;
   CREATE INDEX invoices_by_resource ON items (kind, resource_id) WHERE kind GLOB '*-issue' AND resource_id IS NOT NULL;
   CREATE INDEX invoices_without_resource ON items (kind)
     WHERE kind GLOB '*-issue' AND resource_id IS NULL AND holds_key = 1 AND attempts > 0;`,
  'ALTER TABLE pace ADD COLUMN asked_ms REAL;',
  // Written once per document, when it is first seen; no step of an item touches them.
  sightIndex + dayIndex,
  openDocumentSchema + sightOfGroupIndex,
  'ALTER TABLE identity ADD COLUMN copy TEXT;',
  actorSchemaOf('jobs', 'usage', 'history'),
  'CREATE INDEX usage_of_company ON usage (profile, company_id, at, operation, billed, outcome);',
  `ALTER TABLE pace ADD COLUMN accepted REAL NOT NULL DEFAULT 0;
   ALTER TABLE pace ADD COLUMN refused_at REAL;
   ALTER TABLE pace ADD COLUMN accepted_then REAL NOT NULL DEFAULT 0;
   ALTER TABLE pace ADD COLUMN agreeing REAL NOT NULL DEFAULT 0;
   ALTER TABLE pace ADD COLUMN limit_per_ms REAL NOT NULL DEFAULT 0;`,
  actorSchemaOf('item_events'),
  factSchema,
  `ALTER TABLE identity ADD COLUMN went_back_to INTEGER;
   ALTER TABLE identity ADD COLUMN may_lack_until INTEGER;`,
];

/** The schema version that this program writes. */
export const knownSchema = steps.length;

/**
 * Updates the schema in one transaction; another process may be doing the same. A new store takes the sum of the steps, which
 * costs a quarter of them. Returns the version that it found.
 */
export function migrate(database: Database): number {
  if (schemaOf(database) === knownSchema) return knownSchema;
  return database
    .transaction(() => {
      const found = schemaOf(database);
      if (found === 0) database.exec(newestSchema + firstIdentity);
      for (const step of steps.slice(found === 0 ? newestVersion : found)) database.exec(step);
      database.pragma(`user_version = ${knownSchema}`);
      return found;
    })
    .immediate();
}

export function schemaOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}
