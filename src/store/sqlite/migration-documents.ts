/** Step 2 of the schema: captured documents, their events and how far their lists were read. */
export const documentSchema = `
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

/** Step 4: no query took this index, and every document was put into it and taken out again. */
export const unusedDocumentIndexes = `
  DROP INDEX documents_in_trouble;
`;

/**
 * What an archived XML holds. Only NF-e come as summaries, and those are never signed; what may be one has no kind
 * until a sync reads it again.
 */
export const documentXmlKind = `
  ALTER TABLE documents ADD COLUMN xml_kind TEXT CHECK (xml_kind IN ('full', 'summary', 'event'));
  UPDATE documents SET xml_kind = 'full'
    WHERE path IS NOT NULL AND (family <> 'nfe' OR signature IN ('valid', 'invalid', 'unverifiable'));
  CREATE INDEX documents_not_full ON documents (profile, company_id, family, issued_at)
    WHERE xml_kind IS NOT 'full' AND path IS NOT NULL;
`;
