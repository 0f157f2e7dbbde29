import type { Actor } from '../../domain/actor.js';
import type { Clock } from '../../domain/world.js';
import { createRows, forget, type Rows } from '../rows.js';
import { requireKnown } from '../schema.js';
import type { SeenBefore } from '../seen-sends.js';
import type { Store } from '../store.js';
import { type Connection, createConnection, type Server } from './connection.js';
import { createDb } from './db.js';
import { createDocumentList } from './document-list.js';
import { createOpenDocuments } from './document-list.js';
import { openFailure, postgresFailure } from './failures.js';
import { createIdentity } from './identity.js';
import { createItemWork } from './item-work.js';
import { create, schemaOf } from './schema.js';
import { noteServerHistory } from './server-history.js';
import { openServerClock, type ServerClock } from './store-clock.js';
import { noteWentBack } from './went-back.js';

/** A worker that disappeared is deleted a day after its lease expired. */
const dayMs = 86_400_000;

export interface PostgresStoreOptions {
  readonly server: Server;
  readonly clock: Clock;
  /** Name and boot of this machine, whose uptime carries the server's time on. */
  readonly machine?: string;
  /** Who opens it: named in rows of jobs, calls and costs. */
  readonly actor?: Actor;
  /** What this machine has seen of its stores. */
  readonly seen?: SeenBefore;
  /** Gets the version of the schema that was found, 0 where there were no tables. */
  readonly found?: (from: number) => void;
}

/** Opens the store of a server, and creates its tables where there are none. Errors: `store.…`. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { server, clock, machine = '', actor = {} } = options;
  const connection = createConnection(server);
  try {
    const found = await prepare(connection, server.name);
    options.found?.(found);
    const storeClock = await openServerClock(connection, { clock, machine });
    await connection.repeatable.run('DELETE FROM fiscal.workers WHERE expires_at < @before', {
      before: storeClock.now() - dayMs,
    });
    const history = await noteServerHistory(connection);
    if (options.seen !== undefined) await noteWentBack(connection, options.seen);
    return await createStore(connection, { clock: storeClock, place: server.name, actor, history });
  } catch (error) {
    await connection.close();
    throw openFailure(error, server.name);
  }
}

/** Checks before writing: a newer schema, or one of another program, is not touched. */
async function prepare(connection: Connection, name: string): Promise<number> {
  const found = await schemaOf(connection, name);
  requireKnown(name, found);
  return found === 0 ? await create(connection, name) : found;
}

interface Opened {
  readonly clock: ServerClock;
  readonly place: string;
  readonly actor: Actor;
  /** That of the server when the store was opened. */
  readonly history: string | null;
}

/** What is read back is understood outside of the connection, whose errors are explained already. */
function explaining<Group extends object>(rows: Group, name: string): Group {
  const methods = Object.entries(rows).map(([method, work]) => [
    method,
    async (...given: readonly unknown[]) => {
      try {
        return await (work as (...values: readonly unknown[]) => Promise<unknown>)(...given);
      } catch (error) {
        throw postgresFailure(error, name);
      }
    },
  ]);
  // The same methods, with the same arguments and results.
  return Object.fromEntries(methods) as Group;
}

function explainingAll(rows: Rows, name: string): Rows {
  const groups = Object.entries(rows).map(([group, methods]) => [group, explaining(methods, name)]);
  // The same groups.
  return Object.fromEntries(groups) as Rows;
}

async function createStore(connection: Connection, opened: Opened): Promise<Store> {
  const { clock, place, actor } = opened;
  const db = createDb(connection);
  const own = {
    ...{ ...createDocumentList(db), ...createOpenDocuments(db) },
    work: createItemWork(db, { ...opened, path: place }),
    renewing: clock.reading,
  };
  return {
    place,
    clock,
    identity: await createIdentity(connection, place),
    ...explainingAll(createRows(db, actor, own), place),
    forget: (profile) => forget(db, profile),
    close: () => connection.close(),
  };
}
