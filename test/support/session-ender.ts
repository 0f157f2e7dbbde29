import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';

/**
 * `within`: while the server carries the statement out. `after`: when it has, and its answer is not there yet. `never`: the
 * statement does not arrive, and the server ends the session by a limit of its own.
 */
export type Moment = 'before' | 'within' | 'after' | 'never';

/** Which statement of all that come through, counted from 1. */
export interface Cut {
  readonly statement: number;
  readonly moment: Moment;
}

/** Hands every byte on between programs and a PostgreSQL server, and lets the server itself end one session, once. */
export interface SessionEnder {
  /** The address of the server, through here. */
  readonly url: string;
  /** The beginning of the text of each statement that came through. */
  readonly statements: readonly string[];
  /** Whether the server has ended the session at that moment. */
  readonly hasEnded: boolean;
  close(): Promise<void>;
}

export async function startSessionEnder(serverUrl: string, cut?: Cut): Promise<SessionEnder> {
  const { hostname, port } = new URL(serverUrl);
  const statements: string[] = [];
  const open = new Set<Session>();
  let hasEnded = false;
  const server = createServer({ noDelay: true }, (client) => {
    const session = new Session(client, connect({ host: hostname, port: Number(port), noDelay: true }));
    open.add(session);
    session.onStatement = async (text, pass) => {
      statements.push(text);
      if (cut === undefined || statements.length !== cut.statement) return pass();
      hasEnded = await endings[cut.moment](serverUrl, session, pass);
    };
    client.on('close', () => open.delete(session));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const own = String((server.address() as AddressInfo).port);
  return {
    url: Object.assign(new URL(serverUrl), { hostname: '127.0.0.1', port: own }).href,
    statements,
    get hasEnded() {
      return hasEnded;
    },
    async close() {
      for (const session of open) session.drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Ending = (url: string, session: Session, pass: () => void) => Promise<boolean>;

const endings: Readonly<Record<Moment, Ending>> = {
  // The program has sent the statement; the server does not read it any more.
  before: (url, { pid }) => asOwner(url, (owner) => end(owner, pid)),
  // Every table that can be locked is, until the statement waits for one of them.
  within: (url, { pid, answered }, pass) =>
    asOwner(url, async (owner) => {
      await owner.query('BEGIN');
      await owner.query(lockFreeTables);
      const isAnswered = answered();
      pass();
      const waits = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event_type = $2';
      while ((await owner.query(waits, [pid, 'Lock'])).rowCount === 0) if (isAnswered()) return false;
      return await end(owner, pid);
    }),
  after: async (url, session, pass) => {
    const isAnswered = session.holdAnswer();
    pass();
    await isAnswered;
    return await asOwner(url, (owner) => end(owner, session.pid));
  },
  never: () => Promise.resolve(true),
};

const lockFreeTables = `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'fiscal' LOOP
    BEGIN EXECUTE 'LOCK TABLE ' || name || ' IN ACCESS EXCLUSIVE MODE NOWAIT';
    EXCEPTION WHEN lock_not_available THEN NULL; END;
  END LOOP; END $$`;

async function end(owner: pg.Client, pid: number): Promise<boolean> {
  const { rows } = await owner.query<{ ended: boolean }>('SELECT pg_terminate_backend($1) AS ended', [pid]);
  return rows[0]?.ended === true;
}

async function asOwner<Result>(url: string, work: (owner: pg.Client) => Promise<Result>): Promise<Result> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

const TAG = 1;
const LENGTH = 4;

/** One connection of a program, which asks one thing at a time. */
class Session {
  /** The process of the server. */
  pid = 0;
  onStatement: (text: string, pass: () => void) => Promise<void> = async (_text, pass) => pass();
  readonly #client: Socket;
  readonly #server: Socket;
  #isGreeted = false;
  #asked = Buffer.alloc(0);
  #text = '';
  #said = Buffer.alloc(0);
  #answers = 0;
  #held: (() => void) | undefined;

  constructor(client: Socket, server: Socket) {
    this.#client = client;
    this.#server = server;
    client.on('data', (bytes: Buffer) => this.#take(bytes));
    server.on('data', (bytes: Buffer) => this.#hear(bytes));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => undefined);
      one.on('end', () => other.end());
      one.on('close', () => other.destroy());
    }
  }

  drop(): void {
    this.#client.destroy();
    this.#server.destroy();
  }

  /** A question whether the server has answered since. */
  readonly answered = (): (() => boolean) => {
    const before = this.#answers;
    return () => this.#answers > before;
  };

  /** The next answer never arrives; resolves when the server has given it. */
  async holdAnswer(): Promise<void> {
    await new Promise<void>((resolve) => (this.#held = resolve));
  }

  /** A statement ends with Query or Sync; everything else is handed on at once. */
  #take(bytes: Buffer): void {
    this.#asked = Buffer.concat([this.#asked, bytes]);
    for (let at = 0; ; ) {
      const tag = this.#isGreeted ? TAG : 0;
      if (this.#asked.length < at + tag + LENGTH) return;
      const next = at + tag + this.#asked.readInt32BE(at + tag);
      if (this.#asked.length < next) return;
      const kind = this.#isGreeted ? String.fromCharCode(this.#asked[at] ?? 0) : '';
      this.#isGreeted = true;
      // Parse has the name of the statement, which is empty, before its text.
      if (kind === 'Q' || kind === 'P')
        this.#text = this.#asked.toString('utf8', at + TAG + LENGTH + (kind === 'P' ? 1 : 0), next);
      at = next;
      if (!['Q', 'S', 'p', 'X', ''].includes(kind)) continue;
      const whole = this.#asked.subarray(0, at);
      this.#asked = this.#asked.subarray(at);
      at = 0;
      const pass = (): void => void this.#server.write(whole);
      if (kind !== 'Q' && kind !== 'S') pass();
      else this.onStatement(this.#text.slice(0, 120), pass).catch(() => this.drop());
    }
  }

  #hear(bytes: Buffer): void {
    this.#said = Buffer.concat([this.#said, bytes]);
    while (this.#said.length >= TAG + LENGTH) {
      const next = TAG + this.#said.readInt32BE(TAG);
      if (this.#said.length < next) return;
      const message = this.#said.subarray(0, next);
      this.#said = this.#said.subarray(next);
      const kind = String.fromCharCode(message[0] ?? 0);
      // BackendKeyData.
      if (kind === 'K') this.pid = message.readInt32BE(TAG + LENGTH);
      const held = this.#held;
      if (held === undefined) this.#client.write(message);
      // ReadyForQuery.
      if (kind !== 'Z') continue;
      this.#answers += 1;
      this.#held = undefined;
      held?.();
    }
  }
}
