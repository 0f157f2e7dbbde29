import { FiscalError } from '../../errors/fiscal-error.js';
import { alone, type Connection, type Queries } from './connection.js';

/** Compared byte by byte, as SQLite does: the order of ids and keys does not depend on the language of a server. */
const text = 'text COLLATE "C"';

/** A number that SQLite would give as it is: 0 or 1. */
const flag = (name: string): string => `${name} smallint NOT NULL CHECK (${name} IN (0, 1))`;
const oneOf = (name: string, values: string): string => `CHECK (${name} IN (${values}))`;

const families = "'nfe', 'cte', 'nfse'";
const itemStates =
  "'prepared', 'sending', 'pending', 'succeeded', 'rejected', 'failed', 'skipped', 'uncertain', 'cancelled'";
const archiveStates = "'wanted', 'archived', 'quarantined', 'gone'";

const jobSchema = `
  CREATE TABLE fiscal.jobs (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id ${text} NOT NULL UNIQUE,
    kind ${text} NOT NULL,
    operation ${text} NOT NULL,
    profile ${text} NOT NULL,
    input_digest ${text} NOT NULL,
    command_line ${text} NOT NULL,
    scope ${text} NOT NULL,
    loader_id ${text} NOT NULL,
    state ${text} NOT NULL ${oneOf('state', "'loading', 'open', 'done', 'cancelled'")},
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    finished_at bigint
  );
  CREATE INDEX jobs_by_digest ON fiscal.jobs (operation, profile, input_digest, seq);

  CREATE TABLE fiscal.items (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id ${text} NOT NULL UNIQUE,
    job_id ${text} NOT NULL REFERENCES fiscal.jobs (id) ON DELETE CASCADE,
    profile ${text} NOT NULL,
    kind ${text} NOT NULL,
    ordinal bigint NOT NULL,
    label ${text} NOT NULL,
    dedupe_key ${text} NOT NULL,
    ${flag('holds_key')},
    input ${text} NOT NULL,
    ${flag('billed')},
    state ${text} NOT NULL ${oneOf('state', itemStates)},
    idempotency_key ${text} NOT NULL,
    attempts bigint NOT NULL DEFAULT 0,
    resource_id ${text},
    location ${text},
    remote_status ${text},
    request_id ${text},
    http_status bigint,
    answered_company ${text},
    error_code ${text},
    error_message ${text},
    lookup ${text} ${oneOf('lookup', "'found', 'not-possible'")},
    previous_id ${text},
    duplicate_of ${text},
    due_at bigint NOT NULL,
    sent_at bigint,
    settled_at bigint,
    updated_at bigint NOT NULL,
    epoch bigint NOT NULL DEFAULT 0,
    worker_id ${text},
    replaced smallint NOT NULL DEFAULT 0 CHECK (replaced IN (0, 1))
  );
  CREATE UNIQUE INDEX items_holding_key ON fiscal.items (profile, kind, dedupe_key) WHERE holds_key = 1;
  CREATE UNIQUE INDEX items_in_order ON fiscal.items (job_id, ordinal) WHERE replaced = 0;
  CREATE INDEX items_by_state ON fiscal.items (job_id, state, due_at, ordinal) WHERE replaced = 0;
  CREATE INDEX items_by_worker ON fiscal.items (worker_id) WHERE worker_id IS NOT NULL;
  CREATE INDEX items_sent_before ON fiscal.items (profile, kind, dedupe_key, seq) WHERE holds_key = 0 AND attempts > 0;
  CREATE INDEX items_pending_by_resource ON fiscal.items (profile, resource_id) WHERE state = 'pending';
  CREATE INDEX invoices_by_resource ON fiscal.items (kind, resource_id) WHERE kind LIKE '%-issue' AND resource_id IS NOT NULL;
  CREATE INDEX invoices_without_resource ON fiscal.items (kind)
    WHERE kind LIKE '%-issue' AND resource_id IS NULL AND holds_key = 1 AND attempts > 0;

  CREATE TABLE fiscal.item_events (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    item bigint NOT NULL REFERENCES fiscal.items (seq) ON DELETE CASCADE,
    at bigint NOT NULL,
    from_state ${text} NOT NULL,
    to_state ${text} NOT NULL,
    step ${text} NOT NULL
  );
  CREATE INDEX item_events_by_item ON fiscal.item_events (item);

  CREATE TABLE fiscal.workers (
    id ${text} PRIMARY KEY,
    pid bigint NOT NULL,
    machine ${text} NOT NULL,
    process_start ${text} NOT NULL,
    expires_at bigint NOT NULL,
    job_id ${text}
  );
`;

const recordSchema = `
  CREATE TABLE fiscal.pace (
    profile ${text} NOT NULL,
    host ${text} NOT NULL,
    blocked_until double precision NOT NULL DEFAULT 0,
    next_slot_at double precision NOT NULL DEFAULT 0,
    interval_ms double precision NOT NULL DEFAULT 0,
    asked_ms double precision,
    PRIMARY KEY (profile, host)
  );

  CREATE TABLE fiscal.usage (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    profile ${text} NOT NULL,
    operation ${text} NOT NULL,
    billed ${text} NOT NULL ${oneOf('billed', "'engine', 'history', 'doc-by-key'")},
    outcome ${text} NOT NULL ${oneOf('outcome', "'billed', 'unknown', 'repeat'")},
    company_id ${text},
    billed_once_for ${text},
    job_id ${text},
    item_id ${text},
    request_id ${text}
  );
  CREATE INDEX usage_by_time ON fiscal.usage (at);
  CREATE INDEX usage_billed_once ON fiscal.usage (profile, operation, company_id, billed_once_for)
    WHERE billed_once_for IS NOT NULL;

  CREATE TABLE fiscal.history (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    profile ${text} NOT NULL,
    operation ${text} NOT NULL,
    method ${text} NOT NULL,
    url ${text} NOT NULL,
    attempt bigint NOT NULL,
    duration_ms bigint NOT NULL,
    sent ${text} NOT NULL,
    status bigint,
    request_id ${text},
    error_code ${text},
    job_id ${text},
    item_id ${text},
    deprecation ${text}
  );
  CREATE INDEX history_by_time ON fiscal.history (at);
  CREATE INDEX history_by_job ON fiscal.history (job_id) WHERE job_id IS NOT NULL;

  CREATE TABLE fiscal.known (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    profile ${text} NOT NULL,
    kind ${text} NOT NULL,
    scope ${text} NOT NULL,
    id ${text} NOT NULL,
    label ${text},
    status ${text},
    data ${text} NOT NULL,
    first_seen_at bigint NOT NULL,
    seen_at bigint NOT NULL,
    UNIQUE (profile, kind, scope, id)
  );
  CREATE INDEX known_by_label ON fiscal.known (profile, kind, label) WHERE label IS NOT NULL;

  CREATE TABLE fiscal.answers (
    profile ${text} NOT NULL,
    kind ${text} NOT NULL,
    digest ${text} NOT NULL,
    fetched_at bigint NOT NULL,
    answer ${text} NOT NULL,
    PRIMARY KEY (profile, kind, digest)
  );
`;

/** A confirmation, a disavowal, or an operation that did not take place, which the authority registered. */
const isConclusive =
  'registered IS NOT NULL AND registered = 1 AND code IS NOT NULL AND code IN (210200, 210220, 210240)';

const documentSchema = `
  CREATE TABLE fiscal.documents (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    profile ${text} NOT NULL,
    company_id ${text} NOT NULL,
    family ${text} NOT NULL ${oneOf('family', families)},
    id ${text} NOT NULL,
    access_key ${text},
    nsu ${text},
    nsu_number bigint,
    status ${text},
    webhook_status ${text},
    type ${text},
    issuer ${text},
    issuer_name ${text},
    recipient ${text},
    amount_text ${text},
    issued_on ${text},
    issued_at bigint NOT NULL,
    authorized_on ${text},
    created_on ${text},
    modified_on ${text},
    data ${text} NOT NULL,
    term_data ${text} NOT NULL,
    version bigint NOT NULL,
    state ${text} NOT NULL ${oneOf('state', archiveStates)},
    ${flag('due')},
    archive ${text},
    path ${text},
    sha256 ${text},
    bytes bigint,
    xml_kind ${text} ${oneOf('xml_kind', "'full', 'summary', 'event'")},
    archived_at bigint,
    pdf_state ${text} ${oneOf('pdf_state', "'wanted', 'archived', 'absent'")},
    pdf_path ${text},
    pdf_sha256 ${text},
    pdf_bytes bigint,
    signature ${text} ${oneOf('signature', "'valid', 'invalid', 'absent', 'unverifiable'")},
    reason ${text},
    first_seen_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    xml_facts ${text},
    term_day ${text} NOT NULL,
    UNIQUE (profile, company_id, family, id)
  );
  CREATE INDEX documents_due ON fiscal.documents (profile, company_id, family, seq) WHERE due = 1;
  CREATE INDEX documents_by_issue ON fiscal.documents (profile, company_id, family, issued_at DESC, seq DESC);
  CREATE INDEX documents_by_status ON fiscal.documents (profile, company_id, family, status, issued_at);
  CREATE INDEX documents_by_webhook ON fiscal.documents (profile, company_id, family, webhook_status, issued_at);
  CREATE INDEX documents_by_issuer ON fiscal.documents (profile, company_id, family, issuer, issued_at);
  CREATE INDEX documents_by_nsu ON fiscal.documents (profile, company_id, family, nsu_number) WHERE nsu_number IS NOT NULL;
  CREATE INDEX documents_not_full ON fiscal.documents (profile, company_id, family, issued_at)
    WHERE xml_kind IS DISTINCT FROM 'full' AND path IS NOT NULL;
  CREATE INDEX documents_by_sight ON fiscal.documents (profile, company_id, family, first_seen_at);
  CREATE INDEX documents_by_day ON fiscal.documents (profile, family, term_day, seq) WHERE family <> 'cte';

  CREATE TABLE fiscal.document_events (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    profile ${text} NOT NULL,
    company_id ${text} NOT NULL,
    family ${text} NOT NULL ${oneOf('family', families)},
    document_id ${text} NOT NULL,
    event_key ${text} NOT NULL,
    type ${text},
    description ${text},
    nsu ${text},
    issued_on ${text},
    created_on ${text},
    state ${text} NOT NULL ${oneOf('state', archiveStates)},
    ${flag('due')},
    archive ${text},
    path ${text},
    sha256 ${text},
    bytes bigint,
    archived_at bigint,
    reason ${text},
    first_seen_at bigint NOT NULL,
    code bigint,
    sequence bigint,
    answer_code ${text},
    answer_text ${text},
    protocol ${text},
    author ${text},
    substitute_key ${text},
    registered smallint CHECK (registered IN (0, 1)),
    is_conclusive boolean NOT NULL GENERATED ALWAYS AS (${isConclusive}) STORED,
    UNIQUE (profile, company_id, family, document_id, event_key)
  );
  CREATE INDEX document_events_due ON fiscal.document_events (profile, company_id, family, seq) WHERE due = 1;

  CREATE TABLE fiscal.owed (
    profile ${text} NOT NULL,
    company_id ${text} NOT NULL,
    family ${text} NOT NULL ${oneOf('family', families)},
    document_id ${text} NOT NULL,
    event_key ${text} NOT NULL,
    reason ${text},
    since bigint NOT NULL,
    tries bigint NOT NULL,
    tried_at bigint,
    next_at bigint NOT NULL,
    written_off_at bigint,
    written_off_reason ${text},
    PRIMARY KEY (profile, company_id, family, document_id, event_key)
  );

  CREATE TABLE fiscal.cursors (
    profile ${text} NOT NULL,
    company_id ${text} NOT NULL,
    family ${text} NOT NULL,
    stream ${text} NOT NULL,
    position ${text} NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (profile, company_id, family, stream)
  );

  CREATE TABLE fiscal.document_groups (
    profile ${text} NOT NULL,
    company_id ${text} NOT NULL,
    family ${text} NOT NULL,
    worker_id ${text} NOT NULL,
    PRIMARY KEY (profile, company_id, family)
  );
`;

/** Only the first unfinished event of a resource has `due_at`, so that skipping the others costs nothing. */
const deliverySchema = `
  CREATE TABLE fiscal.webhook_events (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id ${text} NOT NULL UNIQUE,
    profile ${text} NOT NULL,
    received_at bigint NOT NULL,
    scheme ${text} NOT NULL,
    hook_id ${text} NOT NULL,
    event ${text} NOT NULL,
    resource ${text} NOT NULL,
    body bytea NOT NULL,
    digest ${text} NOT NULL,
    state ${text} NOT NULL ${oneOf('state', "'received', 'forwarding', 'delivered', 'dead', 'kept'")},
    attempts bigint NOT NULL DEFAULT 0,
    copies bigint NOT NULL DEFAULT 1,
    due_at bigint,
    last_error ${text},
    done_by ${text} NOT NULL DEFAULT '[]',
    settled_at bigint,
    worker_id ${text},
    UNIQUE (profile, digest, hook_id)
  );
  CREATE INDEX webhook_events_due ON fiscal.webhook_events (profile, due_at, seq) WHERE due_at IS NOT NULL;
  CREATE INDEX webhook_events_waiting ON fiscal.webhook_events (profile, resource, seq)
    WHERE state IN ('received', 'forwarding');
  CREATE INDEX webhook_events_by_resource ON fiscal.webhook_events (profile, resource, seq);
  CREATE INDEX webhook_events_dead ON fiscal.webhook_events (profile, seq) WHERE state = 'dead';
`;

/** One row per boot of each machine, and the identity of the store. */
const clockAndIdentitySchema = `
  CREATE TABLE fiscal.timeline (
    machine ${text} PRIMARY KEY,
    first_uptime_ms double precision NOT NULL,
    first_ms double precision NOT NULL,
    wall_offset_ms double precision NOT NULL
  );
  CREATE TABLE fiscal.identity (
    one smallint PRIMARY KEY CHECK (one = 1),
    id ${text} NOT NULL,
    first_send_at bigint
  );
  INSERT INTO fiscal.identity (one, id) VALUES (1, replace(gen_random_uuid()::text, '-', ''));
`;

/** Who wrote a row. */
const actorSchemaOf = (...tables: readonly string[]): string =>
  tables
    .map(
      (table) =>
        `ALTER TABLE fiscal.${table} ADD COLUMN machine ${text}, ADD COLUMN os_user ${text}, ADD COLUMN ci_run ${text};`,
    )
    .join('\n');

/** Which server the store is on, and the function that asks it: null where it does not say. */
const serverSchema = `
  CREATE TABLE fiscal.server (
    one smallint PRIMARY KEY CHECK (one = 1),
    history ${text} NOT NULL,
    is_synchronous boolean NOT NULL,
    changed_at bigint
  );
  CREATE FUNCTION fiscal.server_history() RETURNS text LANGUAGE plpgsql AS $history$
    BEGIN
      RETURN (SELECT system_identifier FROM pg_catalog.pg_control_system()) || '/'
        || substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8);
    EXCEPTION WHEN OTHERS THEN
      RETURN NULL;
    END $history$;
`;

/** The schema, step by step. A released step is never edited: a change is a new step. */
const steps: readonly string[] = [
  jobSchema + recordSchema + documentSchema + deliverySchema + clockAndIdentitySchema,
  `ALTER TABLE fiscal.identity ADD COLUMN copy ${text};`,
  actorSchemaOf('jobs', 'usage', 'history'),
  serverSchema,
  'CREATE INDEX usage_of_company ON fiscal.usage (profile, company_id, at, operation, billed, outcome);',
  `ALTER TABLE fiscal.pace
     ADD COLUMN accepted double precision NOT NULL DEFAULT 0,
     ADD COLUMN refused_at double precision,
     ADD COLUMN accepted_then double precision NOT NULL DEFAULT 0,
     ADD COLUMN agreeing double precision NOT NULL DEFAULT 0,
     ADD COLUMN limit_per_ms double precision NOT NULL DEFAULT 0;`,
  actorSchemaOf('item_events'),
  'ALTER TABLE fiscal.identity ADD COLUMN went_back_to bigint, ADD COLUMN may_lack_until bigint;',
];

/** The schema version that this program reads and writes. */
export const knownSchema = steps.length;

/** 0: there are no tables yet. A schema `fiscal` of another program is damaged. */
export async function schemaOf({ get }: Pick<Queries, 'get'>, path: string): Promise<number> {
  const place = await get<{ version: string | null; tables: number }>(
    `SELECT to_regclass('fiscal.version')::text AS version,
       (SELECT count(*) FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace('fiscal')) AS tables`,
  );
  if (place?.version !== null && place !== undefined)
    return (await get<{ schema: number }>('SELECT schema FROM fiscal.version'))?.schema ?? 0;
  if ((place?.tables ?? 0) > 0) {
    const reason = {
      en: 'its schema fiscal is of another program',
      pt: 'o esquema fiscal é de outro programa',
    };
    throw new FiscalError('store.damaged', { path, reason });
  }
  return 0;
}

/**
 * Creates the tables, or updates them, in one transaction; another process may be doing the same. Returns the version that it
 * found. A login that may not is told who may.
 */
export async function migrate(connection: Connection, path: string): Promise<number> {
  try {
    return await update(connection, path);
  } catch (error) {
    if (error instanceof FiscalError && error.code === 'store.forbidden')
      throw error.with({ hint: ownerHint });
    throw error;
  }
}

const ownerHint = {
  en: 'its tables are missing or older than this program: run "fiscal store migrate" once with the login of their owner in FISCAL_STORE_URL',
  pt: 'as tabelas faltam ou são mais antigas que este programa: execute "fiscal store migrate" uma vez com o acesso do dono em FISCAL_STORE_URL',
};

async function update(connection: Connection, path: string): Promise<number> {
  return await connection.repeatable.together(async (queries) => {
    await alone(queries, 'migrate');
    const found = await schemaOf(queries, path);
    if (found > knownSchema) throw new FiscalError('store.newer', { path, found, known: knownSchema });
    if (found === 0) {
      await queries.run('CREATE SCHEMA IF NOT EXISTS fiscal');
      await queries.run(
        'CREATE TABLE IF NOT EXISTS fiscal.version (one smallint PRIMARY KEY CHECK (one = 1), schema bigint NOT NULL)',
      );
    }
    for (const step of steps.slice(found)) await queries.run(step);
    await queries.run(
      'INSERT INTO fiscal.version (one, schema) VALUES (1, @schema) ON CONFLICT (one) DO UPDATE SET schema = excluded.schema',
      { schema: knownSchema },
    );
    return found;
  });
}
