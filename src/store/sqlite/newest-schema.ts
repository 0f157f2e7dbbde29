/** All `steps` of migrations.ts at once. Written by its test, with `--update`. */
export const newestSchema = String.raw`
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
  , machine TEXT, os_user TEXT, ci_run TEXT) STRICT;
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
  , answered_company TEXT, lookup TEXT CHECK (lookup IN ('found', 'not-possible'))) STRICT;
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
  , machine TEXT, os_user TEXT, ci_run TEXT) STRICT;
CREATE INDEX item_events_by_item ON item_events (item);
CREATE TABLE workers (
    id TEXT PRIMARY KEY,
    pid INTEGER NOT NULL,
    machine TEXT NOT NULL,
    process_start TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  , job_id TEXT) STRICT;
CREATE TABLE pace (
    profile TEXT NOT NULL,
    host TEXT NOT NULL,
    blocked_until REAL NOT NULL DEFAULT 0,
    next_slot_at REAL NOT NULL DEFAULT 0,
    interval_ms REAL NOT NULL DEFAULT 0, asked_ms REAL, accepted REAL NOT NULL DEFAULT 0, refused_at REAL, accepted_then REAL NOT NULL DEFAULT 0, agreeing REAL NOT NULL DEFAULT 0, limit_per_ms REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (profile, host)
  ) STRICT;
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
  , deprecation TEXT CHECK (deprecation IS NULL OR json_valid(deprecation)), machine TEXT, os_user TEXT, ci_run TEXT) STRICT;
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
    updated_at INTEGER NOT NULL, xml_kind TEXT CHECK (xml_kind IN ('full', 'summary', 'event')), xml_facts TEXT CHECK (xml_facts IS NULL OR json_valid(xml_facts)), term_day TEXT NOT NULL DEFAULT '',
    UNIQUE (profile, company_id, family, id)
  ) STRICT;
CREATE INDEX documents_due ON documents (profile, company_id, family, seq) WHERE due = 1;
CREATE INDEX documents_by_issue ON documents (profile, company_id, family, issued_at);
CREATE INDEX documents_by_status ON documents (profile, company_id, family, status, issued_at);
CREATE INDEX documents_by_webhook ON documents (profile, company_id, family, webhook_status, issued_at);
CREATE INDEX documents_by_issuer ON documents (profile, company_id, family, issuer, issued_at);
CREATE INDEX documents_by_nsu ON documents (profile, company_id, family, nsu_number) WHERE nsu_number IS NOT NULL;
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
    first_seen_at INTEGER NOT NULL, code INTEGER, sequence INTEGER, answer_code TEXT, answer_text TEXT, protocol TEXT, author TEXT, substitute_key TEXT, registered INTEGER CHECK (registered IN (0, 1)),
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
CREATE TABLE answers (
    profile TEXT NOT NULL,
    kind TEXT NOT NULL,
    digest TEXT NOT NULL,
    fetched_at INTEGER NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (profile, kind, digest)
  ) STRICT;
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
CREATE INDEX documents_not_full ON documents (profile, company_id, family, issued_at)
    WHERE xml_kind IS NOT 'full' AND path IS NOT NULL;
CREATE INDEX known_by_label ON known (profile, kind, label) WHERE label IS NOT NULL;
CREATE TABLE timeline (
    machine TEXT PRIMARY KEY,
    uptime_ms REAL NOT NULL,
    store_ms REAL NOT NULL,
    first_ms REAL NOT NULL,
    wall_offset_ms REAL NOT NULL
  ) STRICT;
CREATE TABLE identity (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL,
    first_send_at INTEGER,
    lost_rows INTEGER NOT NULL DEFAULT 0 CHECK (lost_rows IN (0, 1))
  , copy TEXT, went_back_to INTEGER, may_lack_until INTEGER) STRICT;
CREATE TABLE usage (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    profile TEXT NOT NULL,
    operation TEXT NOT NULL,
    billed TEXT NOT NULL CHECK (billed IN ('engine', 'history', 'doc-by-key')),
    outcome TEXT NOT NULL CHECK (outcome IN ('billed', 'unknown', 'repeat')),
    company_id TEXT,
    billed_once_for TEXT,
    job_id TEXT,
    item_id TEXT,
    request_id TEXT
  , machine TEXT, os_user TEXT, ci_run TEXT) STRICT;
CREATE INDEX usage_by_time ON usage (at);
CREATE INDEX usage_billed_once ON usage (profile, operation, company_id, billed_once_for)
    WHERE billed_once_for IS NOT NULL;
CREATE TABLE owed (
    profile TEXT NOT NULL,
    company_id TEXT NOT NULL,
    family TEXT NOT NULL CHECK (family IN ('nfe', 'cte', 'nfse')),
    document_id TEXT NOT NULL,
    event_key TEXT NOT NULL,
    reason TEXT,
    since INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    tried_at INTEGER,
    next_at INTEGER NOT NULL,
    written_off_at INTEGER,
    written_off_reason TEXT,
    PRIMARY KEY (profile, company_id, family, document_id, event_key)
  ) STRICT;
CREATE INDEX items_sent_before ON items (profile, kind, dedupe_key) WHERE holds_key = 0 AND attempts > 0;
CREATE INDEX invoices_by_resource ON items (kind, resource_id) WHERE kind GLOB '*-issue' AND resource_id IS NOT NULL;
CREATE INDEX invoices_without_resource ON items (kind)
     WHERE kind GLOB '*-issue' AND resource_id IS NULL AND holds_key = 1 AND attempts > 0;
CREATE TABLE open_documents (
    profile TEXT NOT NULL,
    family TEXT NOT NULL,
    day TEXT NOT NULL,
    document INTEGER NOT NULL,
    PRIMARY KEY (profile, family, day, document)
  ) STRICT, WITHOUT ROWID;
CREATE INDEX documents_by_sight ON documents (profile, company_id, family, first_seen_at);
CREATE INDEX usage_of_company ON usage (profile, company_id, at, operation, billed, outcome);
CREATE TRIGGER open_document_added AFTER INSERT ON documents WHEN NEW.family <> 'cte' BEGIN
    INSERT INTO open_documents VALUES (NEW.profile, NEW.family, NEW.term_day, NEW.seq);
  END;
CREATE TRIGGER open_document_dated AFTER UPDATE OF term_day ON documents WHEN OLD.term_day <> NEW.term_day BEGIN
    UPDATE open_documents SET day = NEW.term_day
      WHERE (profile, family, day, document) = (OLD.profile, OLD.family, OLD.term_day, OLD.seq);
  END;
CREATE TRIGGER open_document_removed AFTER DELETE ON documents BEGIN
    DELETE FROM open_documents
      WHERE (profile, family, day, document) = (OLD.profile, OLD.family, OLD.term_day, OLD.seq);
  END;
CREATE TRIGGER open_document_settled AFTER INSERT ON document_events WHEN coalesce(NEW.registered = 1 AND NEW.code IN (210200, 210220, 210240), 0) BEGIN
    DELETE FROM open_documents WHERE (profile, family, day, document) =
      (SELECT profile, family, term_day, seq FROM documents
        WHERE (profile, company_id, family, id) = (NEW.profile, NEW.company_id, NEW.family, NEW.document_id));
  END;
CREATE TRIGGER open_document_settled_later AFTER UPDATE OF code, registered ON document_events WHEN coalesce(NEW.registered = 1 AND NEW.code IN (210200, 210220, 210240), 0) BEGIN
    DELETE FROM open_documents WHERE (profile, family, day, document) =
      (SELECT profile, family, term_day, seq FROM documents
        WHERE (profile, company_id, family, id) = (NEW.profile, NEW.company_id, NEW.family, NEW.document_id));
  END;
CREATE TRIGGER open_document_reopened AFTER UPDATE OF code, registered ON document_events
    WHEN coalesce(OLD.registered = 1 AND OLD.code IN (210200, 210220, 210240), 0) AND NOT coalesce(NEW.registered = 1 AND NEW.code IN (210200, 210220, 210240), 0) BEGIN
    INSERT OR IGNORE INTO open_documents SELECT profile, family, term_day, seq FROM documents AS d
      WHERE (profile, company_id, family, id) = (NEW.profile, NEW.company_id, NEW.family, NEW.document_id)
        AND family <> 'cte' AND NOT EXISTS (SELECT 1 FROM document_events AS e
          WHERE (e.profile, e.company_id, e.family, e.document_id) = (d.profile, d.company_id, d.family, d.id)
            AND coalesce(e.registered = 1 AND e.code IN (210200, 210220, 210240), 0));
  END;
`;

/** The steps that it holds. */
export const newestVersion = 28;
