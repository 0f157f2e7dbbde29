import {
  among,
  amount,
  archivePlace,
  boolean,
  bytes,
  type Column,
  count,
  dated,
  due,
  type Engine,
  failures,
  first,
  flag,
  from,
  httpStatus,
  insidePath,
  itemStep,
  int,
  json,
  maybe,
  moment,
  name,
  object,
  one,
  oneOf,
  real,
  realDue,
  reason,
  seq,
  sha256,
  shortObject,
  termData,
  text,
  texts,
} from './columns.js';
import { FiscalError, type ErrorFacts } from '../errors/fiscal-error.js';
import { issuedAtOf, nsuNumberOf, termDayOf } from './document-dates.js';

/** The version of the tables below, which this program reads and writes. */
export const schemaVersion = 1;

/** Only tables of this version are read, and no others are changed. 0: there are none. Throws `store.newer` and `store.older`. */
export function requireKnown(path: string, found: number, facts: ErrorFacts = {}): void {
  const values = { path, found, known: schemaVersion };
  if (found > schemaVersion) throw new FiscalError('store.newer', values, facts);
  if (found !== 0 && found < schemaVersion) throw new FiscalError('store.older', values, facts);
}

/** A table of the store. */
export interface Table {
  readonly columns: Readonly<Record<string, Column>>;
  /** The primary key; a page of a copy follows it. */
  readonly key: readonly string[];
  readonly unique?: readonly string[];
  /** Columns and condition, where they differ by engine. */
  readonly indexes?: Readonly<Record<string, string | Partial<Record<Engine, string>>>>;
  /** It belongs to one store, and a copy does not have it. */
  readonly isOfStore?: true;
  /** Only this engine has it. */
  readonly of?: Engine;
  /** What SQLite is told besides. */
  readonly sqlite?: 'WITHOUT ROWID' | 'AUTOINCREMENT';
}

const bySeq = ['seq'];
const byGroup = ['profile', 'company_id', 'family'];

const actor = { machine: maybe(text), os_user: maybe(text), ci_run: maybe(text) };
const family = oneOf('nfe', 'cte', 'nfse');
const archiveState = oneOf('wanted', 'archived', 'quarantined', 'gone');
const itemStates = [
  ...['prepared', 'sending', 'pending', 'succeeded', 'rejected', 'failed', 'skipped', 'uncertain'],
  'cancelled',
];

const file = {
  archive: maybe(archivePlace),
  path: maybe(insidePath),
  sha256: maybe(sha256),
  bytes: maybe(count),
  archived_at: maybe(moment),
};

/** A confirmation, a disavowal, or an operation that did not take place, which the authority registered. */
const isConclusive =
  'registered IS NOT NULL AND registered = 1 AND code IS NOT NULL AND code IN (210200, 210220, 210240)';

/** In an order in which each row finds the rows that it refers to. */
const described = {
  identity: {
    columns: {
      one,
      id: name,
      first_send_at: maybe(moment),
      lost_rows: { ...flag, default: 0, of: 'sqlite' },
      copy: maybe(text),
      went_back_to: maybe(due),
      may_lack_until: maybe(due),
    },
    key: ['one'],
    isOfStore: true,
  },
  workers: {
    columns: { id: text, pid: first, machine: text, process_start: text, expires_at: due, job_id: maybe(text) },
    key: ['id'],
    isOfStore: true,
  },
  document_groups: {
    columns: { profile: text, company_id: text, family: text, worker_id: text },
    key: byGroup,
    isOfStore: true,
  },
  // One row per boot of each machine: its uptime in relation to the time of the store.
  timeline: {
    columns: {
      machine: text,
      uptime_ms: { ...amount, of: 'sqlite' },
      store_ms: { ...realDue, of: 'sqlite' },
      first_uptime_ms: { ...amount, of: 'postgres' },
      first_ms: realDue,
      wall_offset_ms: real,
    },
    key: ['machine'],
    isOfStore: true,
  },
  jobs: {
    columns: {
      seq,
      id: name,
      kind: name,
      operation: name,
      profile: text,
      input_digest: text,
      command_line: text,
      scope: shortObject,
      loader_id: text,
      state: oneOf('loading', 'open', 'done', 'cancelled'),
      created_at: moment,
      updated_at: moment,
      finished_at: maybe(moment),
      ...actor,
    },
    key: bySeq,
    unique: ['id'],
    indexes: {
      jobs_by_digest: {
        sqlite: '(operation, profile, input_digest)',
        postgres: '(operation, profile, input_digest, seq)',
      },
    },
  },
  items: {
    columns: {
      seq,
      id: name,
      job_id: { ...text, refers: ['jobs', 'id'] },
      profile: text,
      kind: name,
      ordinal: count,
      label: text,
      dedupe_key: name,
      holds_key: flag,
      input: json,
      billed: flag,
      state: oneOf(...itemStates),
      idempotency_key: text,
      attempts: { ...count, default: 0 },
      resource_id: maybe(text),
      location: maybe(text),
      remote_status: maybe(text),
      request_id: maybe(text),
      http_status: maybe(httpStatus),
      answered_company: maybe(text),
      error_code: maybe(text),
      reason: maybe(reason),
      lookup: maybe(oneOf('found', 'not-possible')),
      previous_id: maybe(text),
      duplicate_of: maybe(text),
      due_at: due,
      sent_at: maybe(moment),
      settled_at: maybe(moment),
      updated_at: moment,
      epoch: { ...count, default: 0 },
      worker_id: { ...maybe(text), isHolder: true },
      replaced: { ...flag, default: 0 },
    },
    key: bySeq,
    unique: ['id'],
    indexes: {
      items_holding_key: 'UNIQUE (profile, kind, dedupe_key) WHERE holds_key = 1',
      items_in_order: 'UNIQUE (job_id, ordinal) WHERE replaced = 0',
      items_by_state: '(job_id, state, due_at, ordinal) WHERE replaced = 0',
      items_by_worker: '(worker_id) WHERE worker_id IS NOT NULL',
      items_sent_before: {
        sqlite: '(profile, kind, dedupe_key) WHERE holds_key = 0 AND attempts > 0',
        postgres: '(profile, kind, dedupe_key, seq) WHERE holds_key = 0 AND attempts > 0',
      },
      items_pending_by_resource: `(profile, resource_id) WHERE state = 'pending'`,
      // Only invoices are found by their id; each step of an item of another kind would pay for it.
      invoices_by_resource: `(kind, resource_id) WHERE kind LIKE '%-issue' AND resource_id IS NOT NULL`,
      invoices_without_resource: `(kind) WHERE kind LIKE '%-issue' AND resource_id IS NULL AND holds_key = 1 AND attempts > 0`,
    },
  },
  item_events: {
    columns: {
      seq,
      item: { ...int, refers: ['items', 'seq'] },
      at: moment,
      from_state: among(...itemStates),
      to_state: among(...itemStates),
      step: itemStep,
      ...actor,
    },
    key: bySeq,
    indexes: { item_events_by_item: '(item)' },
  },
  pace: {
    columns: {
      profile: text,
      host: text,
      blocked_until: { ...realDue, default: 0 },
      next_slot_at: { ...realDue, default: 0 },
      interval_ms: { ...amount, default: 0 },
      asked_ms: maybe(amount),
      accepted: { ...amount, default: 0 },
      refused_at: maybe(realDue),
      accepted_then: { ...amount, default: 0 },
      agreeing: { ...amount, default: 0 },
      limit_per_ms: { ...amount, default: 0 },
    },
    key: ['profile', 'host'],
  },
  usage: {
    columns: {
      seq,
      at: moment,
      profile: text,
      operation: name,
      billed: oneOf('engine', 'history', 'doc-by-key'),
      outcome: oneOf('billed', 'unknown', 'repeat'),
      company_id: maybe(text),
      billed_once_for: maybe(text),
      job_id: maybe(text),
      item_id: maybe(text),
      request_id: maybe(text),
      ...actor,
    },
    key: bySeq,
    indexes: {
      usage_by_time: '(at)',
      usage_billed_once: '(profile, operation, company_id, billed_once_for) WHERE billed_once_for IS NOT NULL',
      usage_of_company: '(profile, company_id, at, operation, billed, outcome)',
    },
  },
  history: {
    columns: {
      seq,
      at: moment,
      profile: text,
      operation: name,
      method: name,
      url: name,
      attempt: first,
      duration_ms: count,
      sent: among('no', 'yes', 'unknown'),
      status: maybe(httpStatus),
      request_id: maybe(text),
      error_code: maybe(text),
      job_id: maybe(text),
      item_id: maybe(text),
      deprecation: maybe(shortObject),
      ...actor,
    },
    key: bySeq,
    indexes: { history_by_time: '(at)', history_by_job: '(job_id) WHERE job_id IS NOT NULL' },
  },
  known: {
    columns: {
      seq,
      profile: text,
      kind: name,
      scope: text,
      id: name,
      label: maybe(text),
      status: maybe(text),
      data: object,
      first_seen_at: moment,
      seen_at: moment,
    },
    key: bySeq,
    unique: ['profile', 'kind', 'scope', 'id'],
    indexes: { known_by_label: '(profile, kind, label) WHERE label IS NOT NULL' },
  },
  answers: {
    columns: { profile: text, kind: text, digest: name, fetched_at: moment, answer: json },
    key: ['profile', 'kind', 'digest'],
  },
  documents: {
    columns: {
      seq,
      profile: text,
      company_id: text,
      family,
      id: name,
      access_key: maybe(text),
      nsu: maybe(text),
      nsu_number: maybe(from('nsu', nsuNumberOf)),
      status: maybe(text),
      webhook_status: maybe(text),
      type: maybe(text),
      issuer: maybe(text),
      issuer_name: maybe(text),
      recipient: maybe(text),
      amount_text: maybe(text),
      issued_on: maybe(text),
      issued_at: dated('int', issuedAtOf),
      authorized_on: maybe(text),
      created_on: maybe(text),
      modified_on: maybe(text),
      data: object,
      // What of the data decides about terms, so that they are judged without reading the rest.
      term_data: termData,
      version: first,
      state: archiveState,
      due: flag,
      ...file,
      xml_kind: maybe(oneOf('full', 'summary', 'event')),
      pdf_state: maybe(oneOf('wanted', 'archived', 'absent')),
      pdf_path: maybe(insidePath),
      pdf_sha256: maybe(sha256),
      pdf_bytes: maybe(count),
      signature: maybe(oneOf('valid', 'invalid', 'absent', 'unverifiable')),
      reason: maybe(reason),
      first_seen_at: moment,
      updated_at: moment,
      xml_facts: maybe(shortObject),
      term_day: dated('text', termDayOf),
    },
    key: bySeq,
    unique: [...byGroup, 'id'],
    indexes: {
      documents_due: '(profile, company_id, family, seq) WHERE due = 1',
      documents_by_issue: {
        sqlite: '(profile, company_id, family, issued_at)',
        postgres: '(profile, company_id, family, issued_at DESC, seq DESC)',
      },
      documents_by_status: '(profile, company_id, family, status, issued_at)',
      documents_by_webhook: '(profile, company_id, family, webhook_status, issued_at)',
      documents_by_issuer: '(profile, company_id, family, issuer, issued_at)',
      documents_by_nsu: '(profile, company_id, family, nsu_number) WHERE nsu_number IS NOT NULL',
      documents_not_full: `(profile, company_id, family, issued_at) WHERE xml_kind IS DISTINCT FROM 'full' AND path IS NOT NULL`,
      // The new documents of a company are counted from the index alone, and listed by it.
      documents_by_sight: '(profile, company_id, family, first_seen_at)',
      documents_by_day: { postgres: `(profile, family, term_day, seq) WHERE family <> 'cte'` },
    },
  },
  document_events: {
    columns: {
      seq,
      profile: text,
      company_id: text,
      family,
      document_id: name,
      event_key: name,
      type: maybe(text),
      description: maybe(text),
      nsu: maybe(text),
      issued_on: maybe(text),
      created_on: maybe(text),
      state: archiveState,
      due: flag,
      ...file,
      reason: maybe(reason),
      first_seen_at: moment,
      code: maybe(int),
      sequence: maybe(int),
      answer_code: maybe(text),
      answer_text: maybe(text),
      protocol: maybe(text),
      author: maybe(text),
      substitute_key: maybe(text),
      registered: maybe(flag),
      is_conclusive: { ...boolean, generated: isConclusive, of: 'postgres' },
    },
    key: bySeq,
    unique: [...byGroup, 'document_id', 'event_key'],
    indexes: { document_events_due: '(profile, company_id, family, seq) WHERE due = 1' },
  },
  // Listed and not fetched, with the attempts. An event has the key of its document as well; a document has no event key.
  owed: {
    columns: {
      profile: text,
      company_id: text,
      family,
      document_id: text,
      event_key: text,
      reason: maybe(reason),
      since: due,
      tries: count,
      tried_at: maybe(moment),
      next_at: due,
      written_off_at: maybe(moment),
      written_off_reason: maybe(text),
    },
    key: [...byGroup, 'document_id', 'event_key'],
  },
  cursors: {
    columns: { profile: text, company_id: text, family: text, stream: text, position: object, at: moment },
    key: [...byGroup, 'stream'],
  },
  // Only the first unfinished event of a resource has `due_at`, so skipping the others costs nothing, however long the queue is.
  webhook_events: {
    columns: {
      seq,
      id: name,
      profile: text,
      received_at: moment,
      scheme: text,
      hook_id: text,
      signed_id: text,
      event: text,
      resource: text,
      body: bytes,
      digest: text,
      state: oneOf('received', 'forwarding', 'delivered', 'dead', 'kept'),
      attempts: { ...count, default: 0 },
      copies: { ...first, default: 1 },
      due_at: maybe(due),
      failures: maybe(failures),
      done_by: { ...texts, default: '[]' },
      settled_at: maybe(moment),
      worker_id: { ...maybe(text), isHolder: true },
    },
    key: bySeq,
    unique: ['profile', 'digest', 'signed_id'],
    indexes: {
      webhook_events_id: 'UNIQUE (id)',
      webhook_events_due: '(profile, due_at, seq) WHERE due_at IS NOT NULL',
      webhook_events_waiting: `(profile, resource, seq) WHERE state IN ('received', 'forwarding')`,
      webhook_events_by_resource: '(profile, resource, seq)',
      webhook_events_dead: `(profile, seq) WHERE state = 'dead'`,
    },
    sqlite: 'AUTOINCREMENT',
  },
  // The documents of which no conclusive event is listed, in the order of the day from which terms count; triggers keep it.
  open_documents: {
    columns: { profile: text, family: text, day: text, document: int },
    key: ['profile', 'family', 'day', 'document'],
    isOfStore: true,
    of: 'sqlite',
    sqlite: 'WITHOUT ROWID',
  },
  version: { columns: { one, schema: int }, key: ['one'], isOfStore: true, of: 'postgres' },
  // Which server the store is on.
  server: {
    columns: { one, history: text, is_synchronous: boolean, changed_at: maybe(int) },
    key: ['one'],
    isOfStore: true,
    of: 'postgres',
  },
} as const satisfies Readonly<Record<string, Table>>;

export type TableName = keyof typeof described;

export const tables: Readonly<Record<TableName, Table>> = described;

export interface NamedTable extends Table {
  readonly name: TableName;
}

const all: readonly NamedTable[] = Object.entries<Table>(tables).map(([name, table]) => ({
  // An object has the keys of its type.
  name: name as TableName,
  ...table,
}));

/** The tables whose rows belong to a profile: a copy has them. */
export const copiedTables: readonly NamedTable[] = all.filter(({ isOfStore }) => isOfStore !== true);

/** Those of one engine: first what belongs to the store, at the end what no other engine has. */
export function tablesOf(engine: Engine): readonly NamedTable[] {
  const isShared = ({ of }: Table): boolean => of === undefined;
  return [
    ...all.filter((table) => isShared(table) && table.isOfStore === true),
    ...copiedTables,
    ...all.filter((table) => table.of === engine),
  ];
}

/** Rows that go with their profile; those that refer to another table go with its rows. */
export const profileTables: readonly TableName[] = all
  .filter(({ columns, of }) => of === undefined && columns['profile'] !== undefined)
  .filter(({ columns }) => Object.values(columns).every(({ refers }) => refers === undefined))
  .map(({ name }) => name);

export function columnsOf({ columns }: Table, engine: Engine): readonly (readonly [string, Column])[] {
  return Object.entries(columns).filter(([, { of = engine }]) => of === engine);
}

/** The columns that a copy reads: not who holds a row, nor what one engine keeps for itself. */
export function copiedColumns({ columns }: Table): readonly string[] {
  return Object.entries(columns)
    .filter(([, { of, isHolder }]) => of === undefined && isHolder !== true)
    .map(([name]) => name);
}

/** Rows have numbers that other rows and later inserts refer to: they are kept. */
export function isNumbered({ key }: Table): boolean {
  return key === bySeq;
}

const typesOf: Readonly<Record<Engine, Readonly<Record<Column['type'], string>>>> = {
  sqlite: {
    ...{ seq: 'INTEGER', one: 'INTEGER', int: 'INTEGER', real: 'REAL', flag: 'INTEGER', boolean: 'INTEGER' },
    ...{ text: 'TEXT', json: 'TEXT', shortJson: 'TEXT', bytes: 'BLOB' },
  },
  postgres: {
    ...{ seq: 'bigint', one: 'smallint', int: 'bigint', real: 'double precision', flag: 'smallint' },
    ...{ boolean: 'boolean', text: 'text', json: 'text', shortJson: 'text', bytes: 'bytea' },
  },
};

export function typeOf({ type }: Column, engine: Engine): string {
  return typesOf[engine][type];
}

const quoted = (value: string | number): string => (typeof value === 'number' ? String(value) : `'${value}'`);

/** What the engine checks of the column; `undefined`: nothing but its type. */
export function checkOf(column: string, { type, words }: Column, engine: Engine): string | undefined {
  if (type === 'one') return `${column} = 1`;
  if (type === 'flag') return `${column} IN (0, 1)`;
  if (type === 'shortJson' && engine === 'sqlite') return `${column} IS NULL OR json_valid(${column})`;
  return words && `${column} IN (${words.map(quoted).join(', ')})`;
}

/** The constraint that `unique` makes, by the name that PostgreSQL has for it. */
export function uniqueName({ name, unique = [] }: NamedTable): string {
  return unique.length === 1 ? `${name}_${unique.join('')}_key` : `${name}_key`;
}

export function indexesOf({ indexes = {} }: Table, engine: Engine): readonly (readonly [string, string])[] {
  return Object.entries(indexes).flatMap(([name, index]) => {
    const text = typeof index === 'string' ? index : index[engine];
    return text === undefined ? [] : [[name, text] as const];
  });
}

/** The statements that create every table and index. */
export function creationOf(engine: Engine): string {
  const schema = engine === 'postgres' ? 'fiscal.' : '';
  return tablesOf(engine)
    .flatMap((table) => [
      tableText(table, engine, schema),
      ...indexesOf(table, engine).map(([name, text]) => {
        const unique = text.startsWith('UNIQUE ') ? 'UNIQUE ' : '';
        return `CREATE ${unique}INDEX ${name} ON ${schema}${table.name} ${text.slice(unique.length)};`;
      }),
    ])
    .join('\n');
}

function tableText(table: NamedTable, engine: Engine, schema: string): string {
  const { name, key, unique, sqlite } = table;
  const lines = columnsOf(table, engine).map(([column, about]) => {
    const { type, isOptional, default: value, refers, generated } = about;
    const check = checkOf(column, about, engine);
    const collation = engine === 'postgres' && /^(?:text|json|shortJson)$/.test(type) ? ' COLLATE "C"' : '';
    const numbered = engine === 'postgres' ? ' GENERATED ALWAYS AS IDENTITY PRIMARY KEY' : ' PRIMARY KEY';
    return [
      `${column} ${typeOf(about, engine)}${collation}`,
      type === 'seq' ? `${numbered}${engine === 'sqlite' && sqlite === 'AUTOINCREMENT' ? ' AUTOINCREMENT' : ''}` : '',
      isOptional === true || type === 'seq' ? '' : ' NOT NULL',
      value === undefined ? '' : ` DEFAULT ${quoted(value)}`,
      generated === undefined ? '' : ` GENERATED ALWAYS AS (${generated}) STORED`,
      check === undefined ? '' : ` CHECK (${check})`,
      refers === undefined ? '' : ` REFERENCES ${schema}${refers[0]} (${refers[1]}) ON DELETE CASCADE`,
    ].join('');
  });
  if (!isNumbered(table)) lines.push(`PRIMARY KEY (${key.join(', ')})`);
  if (unique !== undefined) lines.push(`CONSTRAINT ${uniqueName(table)} UNIQUE (${unique.join(', ')})`);
  const options = ['STRICT', ...(sqlite === 'WITHOUT ROWID' ? [sqlite] : [])];
  const end = engine === 'sqlite' ? ` ${options.join(', ')}` : '';
  return `CREATE TABLE ${schema}${name} (\n  ${lines.join(',\n  ')}\n)${end};`;
}
