import type { Duplex } from 'node:stream';
import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { sound } from '../row.js';
import { canRepeat, connectFailure, isLost, OversizedAnswer, postgresFailure } from './failures.js';

type Take = (bytes: Buffer) => void;

/**
 * The driver's parser throws at a message that it does not know, such as a request for a login by GSSAPI. It runs in an event of the
 * socket, where nobody can catch that, and the process would end. Here the connection ends, with the error.
 */
class CarefulClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const connection: unknown = Reflect.get(this, 'connection');
    if (!(connection instanceof pg.Connection)) throw new Error('pg has another connection');
    const attach: unknown = Reflect.get(connection, 'attachListeners');
    if (typeof attach !== 'function') throw new Error('pg attaches its parser in another way');
    Reflect.set(connection, 'attachListeners', (stream: Duplex) => {
      const on = (event: string, take: Take) => stream.on(event, event === 'data' ? carefully(stream, take) : take);
      attach.call(connection, { on });
    });
  }
}

function carefully(stream: Duplex, take: Take): Take {
  const measure = measuring();
  return (bytes) => {
    try {
      measure(bytes);
      take(bytes);
    } catch (error) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  };
}

/** The parser takes memory for what a message announces, up to 2 GB, and for all rows of an answer. */
const MOST_BYTES = 512 * 1024 ** 2;
/** What the parser makes of a message takes so much besides its bytes. */
const MESSAGE_BYTES = 200;
/** A type, then the length of the message with this number. */
const HEADER = 5;
const READY = 'Z'.charCodeAt(0);

/** Throws `OversizedAnswer` when what came since the server was ready, with what the message announces, is too much. */
function measuring(): Take {
  const header = Buffer.alloc(HEADER);
  let inHeader = 0;
  let left = 0;
  let total: number | undefined;
  return (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      if (left > 0) {
        const skipped = Math.min(left, bytes.length - at);
        left -= skipped;
        at += skipped;
        continue;
      }
      header[inHeader] = bytes[at] ?? 0;
      inHeader += 1;
      at += 1;
      if (inHeader < HEADER) continue;
      inHeader = 0;
      // A server begins with its login, an error, a notice or its version. The driver gives an error of no code for other bytes.
      if (total === undefined && !/[RENv]/.test(String.fromCharCode(header[0] ?? 0)))
        throw new pg.DatabaseError('no message of PostgreSQL', 0, 'error');
      left = Math.max(0, header.readUInt32BE(1) - 4);
      total = header[0] === READY ? 0 : (total ?? 0) + HEADER + left + MESSAGE_BYTES;
      if (total > MOST_BYTES) throw new OversizedAnswer();
    }
  };
}

/** What one statement takes: its `@names` and their values. */
export type Values = Readonly<Record<string, unknown>>;

/** A text whose parameters are numbered, with their values. */
interface Written {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Statements on one connection, or each on any of them. */
export interface Queries {
  all<Row extends object>(sql: string | Written, values?: Values): Promise<readonly Row[]>;
  /** The first row. */
  get<Row extends object>(sql: string | Written, values?: Values): Promise<Row | undefined>;
  /** The number of rows that it changed. */
  run(sql: string | Written, values?: Values): Promise<number>;
}

/** A statement alone is a transaction of its own, and committed when it resolves. */
export interface Transactions extends Queries {
  /** Runs `work` in one transaction, again from its beginning when the server broke a deadlock with it. */
  together<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result>;
}

/** What the tables share. A `SELECT` alone is run again when its connection is lost. */
export interface Connection extends Transactions {
  /** For what may be carried out twice: it is run again when its connection is lost, whether it took effect or not. */
  readonly repeatable: Transactions;
  close(): Promise<void>;
}

/** More would only wait for each other: the work of one process is small, and servers limit their connections. */
const MOST_CONNECTIONS = 4;
/** Also the wait for a free connection. */
const CONNECT_LIMIT_MS = 15_000;

/**
 * In milliseconds, as parameters of the start of a connection: nothing else of a connection is ever set, so that a pooler
 * may give each transaction another one.
 */
const limits = { statement_timeout: 30_000, lock_timeout: 15_000, idle_in_transaction_session_timeout: 30_000 };

/** Where the server is. */
export interface Server {
  /** What errors call the store; it contains no password. */
  readonly name: string;
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Absent: the driver looks for PGPASSWORD and the password file. */
  readonly password?: string;
  readonly database: string;
  readonly tls: false | { readonly ca?: string; readonly verifies: 'all' | 'issuer' | 'nothing' };
}

interface ConnectionOptions {
  readonly application?: string;
  /** Rows are given as they are: whoever reads them looks for damage itself. */
  readonly isRaw?: boolean;
}

export function createConnection(
  { name, tls, ...place }: Server,
  { application = 'fiscal', isRaw = false }: ConnectionOptions = {},
): Connection {
  const pool = new pg.Pool({
    Client: CarefulClient,
    ...place,
    ssl: tls === false ? false : tlsOptions(tls),
    ...limits,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    application_name: application,
    types: { getTypeParser },
  });
  // A connection that the server ends while nobody uses it is only removed; the next statement makes another one.
  pool.on('error', () => undefined);
  // One that ends while it is used refuses the statement; the event says no more.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const prepare = createPrepare();
  const explain = (error: unknown) => postgresFailure(error, name);
  const send = isRaw ? (client: pg.PoolClient, query: pg.QueryConfig) => client.query(query) : soundRows;
  let lostSince: number | undefined = Number.NEGATIVE_INFINITY;
  const connect = async (): Promise<pg.PoolClient> => {
    try {
      const client = await pool.connect();
      lostSince = undefined;
      return client;
    } catch (error) {
      lostSince ??= performance.now();
      // A server that never answered is not waited for, nor one that was waited for already.
      const mayReturn = performance.now() - lostSince < LOST_LIMIT_MS;
      throw mayReturn && isLost(error) ? new NothingDone('', { cause: error }) : connectFailure(error, name);
    }
  };
  const transactions = (mayRepeat: boolean): Transactions => ({
    ...queriesOf(
      async (sql, values) =>
        await repeated(async () => {
          const client = await connect();
          const ask = (): Promise<pg.QueryResult> => send(client, prepare(sql, values));
          return await using(client, mayRepeat || isRead(sql) ? () => undone(ask) : ask);
        }, explain),
    ),
    together: async (work) =>
      await repeated(async () => {
        const client = await connect();
        const queries = queriesOf((sql, values) => send(client, prepare(sql, values)));
        const whole = (): ReturnType<typeof work> => inTransaction(client, () => work(queries));
        return await using(client, mayRepeat ? () => undone(whole) : whole);
      }, explain),
  });
  return { ...transactions(false), repeatable: transactions(true), close: () => pool.end() };
}

const isRead = (sql: string | Written): boolean => typeof sql === 'string' && /^\s*SELECT\b/.test(sql);

function tlsOptions({ verifies, ...tls }: Exclude<Server['tls'], false>): pg.ClientConfig['ssl'] {
  return {
    ...tls,
    rejectUnauthorized: verifies !== 'nothing',
    ...(verifies === 'all' ? {} : { checkServerIdentity: () => undefined }),
  };
}

type Send = (sql: string | Written, values: Values) => Promise<pg.QueryResult>;

function queriesOf(send: Send): Queries {
  return {
    all: async (sql, values = {}) => (await send(sql, values)).rows,
    get: async (sql, values = {}) => (await send(sql, values)).rows[0],
    run: async (sql, values = {}) => (await send(sql, values)).rowCount ?? 0,
  };
}

async function soundRows(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const result = await client.query(query);
  // A text of several statements has a result for each.
  for (const { rows } of [result].flat()) rows.forEach(sound);
  return result;
}

/** Gives the connection back; one that was lost is closed. */
async function using<Result>(client: pg.PoolClient, work: () => Promise<Result>): Promise<Result> {
  let fault: Error | undefined;
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && (error instanceof NothingDone || isLost(error))) fault = error;
    throw error;
  } finally {
    client.release(fault);
  }
}

/** The connection was lost, and it does no harm to begin again: nothing took effect, or it may take effect twice. */
class NothingDone extends Error {
  override readonly name = 'NothingDone';
}

async function undone<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isLost(error) ? new NothingDone('', { cause: error }) : error;
  }
}

async function inTransaction<Result>(client: pg.PoolClient, work: () => Promise<Result>): Promise<Result> {
  const result = await begun(client, work);
  // Whether this one took effect is unknown when the connection is lost meanwhile.
  await client.query('COMMIT');
  return result;
}

async function begun<Result>(client: pg.PoolClient, work: () => Promise<Result>): Promise<Result> {
  try {
    return await undone(async () => {
      await client.query('BEGIN');
      return await work();
    });
  } catch (error) {
    if (!(error instanceof NothingDone)) await client.query('ROLLBACK');
    throw error;
  }
}

const MOST_ATTEMPTS = 5;
/** A server is started again in this time. */
const LOST_LIMIT_MS = 10_000;
const LOST_PAUSE_MS = 250;

async function repeated<Result>(work: () => Promise<Result>, explain: (error: unknown) => Error): Promise<Result> {
  let lostSince: number | undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof NothingDone) {
        lostSince ??= performance.now();
        // A server that ends every session is not asked for ever.
        if (performance.now() - lostSince >= LOST_LIMIT_MS) throw explain(error.cause);
        await pause(LOST_PAUSE_MS);
      } else if (!canRepeat(error) || attempt >= MOST_ATTEMPTS) throw explain(error);
    }
  }
}

/** `@name` in a text becomes a numbered parameter; a text is read once. */
function createPrepare(): (sql: string | Written, values: Values) => pg.QueryConfig {
  const known = new Map<string, { readonly text: string; readonly names: readonly string[] }>();
  return (sql, values) => {
    if (typeof sql !== 'string') return { text: sql.text, values: sql.values.map(storable) };
    const found = known.get(sql) ?? numbered(sql);
    known.set(sql, found);
    return { text: found.text, values: found.names.map((name) => storable(values[name])) };
  };
}

function numbered(sql: string): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const text = sql.replaceAll(/@([a-zA-Z]\w*)/g, (_whole, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { text, names };
}

/** Halves of a pair, and the character zero. */
const noText = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** PostgreSQL has no text with such characters, which a service may send in a sentence. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(noText, '\uFFFD');
  if (Array.isArray(value)) return value.map(storable);
  if (value instanceof Uint8Array) return Buffer.from(value);
  return value ?? null;
}

/** How JSON writes these characters. */
const noTextInJson = /\\u(?:0000|d[89a-f])/;

/** These fields of rows, as one parameter: `FROM json_to_recordset(CAST($1 AS json))`. */
export function rowsOf(rows: readonly object[], names: readonly string[]): string {
  const text = JSON.stringify(rows, [...names]);
  // Few texts have such characters; to look at each of them would cost more than the rest.
  if (!noTextInJson.test(text)) return text;
  return JSON.stringify(JSON.parse(text), (_name, value: unknown) =>
    typeof value === 'string' ? storable(value) : value,
  );
}

const BIGINT = 20;

/** Counts and times are `bigint`, which the driver would give as text; none is beyond 2^53. */
function getTypeParser(type: number, format?: 'text' | 'binary'): (text: string) => unknown {
  return type === BIGINT ? Number : pg.types.getTypeParser(type, format ?? 'text');
}

/** Lets nobody else pass who asks for the same name, until the transaction ends. */
export async function alone({ get }: Queries, ...name: readonly string[]): Promise<void> {
  await get('SELECT pg_advisory_xact_lock(hashtextextended(@name, 0))', { name: ['fiscal', ...name].join(' ') });
}
