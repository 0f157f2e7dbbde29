import type { Database } from 'better-sqlite3';
import { answerSchema } from './answers.js';
import { deliverySchema } from './migration-deliveries.js';
import { usageOfCompanies } from './usage.js';
import { documentSchema, documentXmlKind, unusedDocumentIndexes } from './migration-documents.js';
import { owedSchema } from './owed.js';
import { identitySchema } from './identity.js';
import { timelineSchema } from './store-clock.js';

/**
 * The schema, step by step. A step that was released is never edited: a change is a new step.
 * `STRICT` and the checks are what makes it sound to trust a row that was read.
 */
const steps: readonly string[] = [
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
    note TEXT NOT NULL
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
];

/** The schema that this program writes. */
export const knownSchema = steps.length;

/** Brings the schema up to date in one transaction; another process may be doing the same. */
export function migrate(database: Database): void {
  if (schemaOf(database) === knownSchema) return;
  database
    .transaction(() => {
      for (const [index, step] of steps.entries()) {
        if (index >= schemaOf(database)) {
          database.exec(step);
          database.pragma(`user_version = ${index + 1}`);
        }
      }
    })
    .immediate();
}

export function schemaOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}
