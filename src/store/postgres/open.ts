import type { Actor } from '../../domain/actor.js';
import type { Clock } from '../../domain/world.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { SeenBefore } from '../seen-sends.js';
import type { Store } from '../store.js';
import { createAnswerRows } from './answers.js';
import { createHistoryRows, createUsageRows } from './call-records.js';
import { type Connection, createConnection, type Server } from './connection.js';
import { createCursorRows } from './cursors.js';
import { createDeliveryRows } from './deliveries.js';
import { createEventRows } from './document-events.js';
import { createDocumentRows } from './documents.js';
import { postgresFailure } from './failures.js';
import { createIdentity } from './identity.js';
import { createItemRows } from './items.js';
import { createJobRows } from './jobs.js';
import { createKnownRows } from './known.js';
import { knownSchema, migrate, schemaOf } from './migrations.js';
import { createOverviewRows } from './overview.js';
import { createOwedRows } from './owed.js';
import { noteServerHistory } from './server-history.js';
import { createPaceRows } from './pace.js';
import { openServerClock, type ServerClock } from './store-clock.js';
import { noteWentBack } from './went-back.js';
import { createWorkerRows } from './workers.js';

/** A worker that disappeared is deleted a day after its lease expired. */
const dayMs = 86_400_000;

/** The tables with rows per profile; those of items follow their jobs. */
const profileTables = [
  ...['jobs', 'pace', 'usage', 'history', 'known'],
  ...['documents', 'document_events', 'cursors', 'document_groups', 'owed', 'answers', 'webhook_events'],
];

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
  readonly migrated?: (from: number) => void;
}

/** Opens the store of a server, and creates its tables where there are none. Errors: `store.…`. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { server, clock, machine = '', actor = {} } = options;
  const connection = createConnection(server);
  try {
    const found = await prepare(connection, server.name);
    options.migrated?.(found);
    const storeClock = await openServerClock(connection, { clock, machine });
    await connection.repeatable.run('DELETE FROM fiscal.workers WHERE expires_at < @before', {
      before: storeClock.now() - dayMs,
    });
    const history = await noteServerHistory(connection);
    if (options.seen !== undefined) await noteWentBack(connection, options.seen);
    return await createStore(connection, { clock: storeClock, place: server.name, actor, history });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Checks before writing: a newer schema, or one of another program, is not touched. */
async function prepare(connection: Connection, name: string): Promise<number> {
  const found = await schemaOf(connection, name);
  if (found > knownSchema) throw new FiscalError('store.newer', { path: name, found, known: knownSchema });
  return found < knownSchema ? await migrate(connection, name) : found;
}

interface Opened {
  readonly clock: ServerClock;
  readonly place: string;
  readonly actor: Actor;
  /** That of the server when the store was opened. */
  readonly history: string | null;
}

type Rows = Omit<Store, 'place' | 'clock' | 'identity' | 'readOnly' | 'forget' | 'close'>;

function createRows(connection: Connection, { clock, actor, place, history }: Opened): Rows {
  return {
    jobs: createJobRows(connection, actor),
    items: createItemRows(connection, { clock, path: place, history, actor }),
    workers: createWorkerRows(connection, clock),
    pace: createPaceRows(connection),
    usage: createUsageRows(connection, actor),
    history: createHistoryRows(connection, actor),
    known: createKnownRows(connection),
    documents: createDocumentRows(connection),
    events: createEventRows(connection),
    owed: createOwedRows(connection),
    overview: createOverviewRows(connection),
    cursors: createCursorRows(connection),
    answers: createAnswerRows(connection),
    deliveries: createDeliveryRows(connection),
  };
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
  const { clock, place } = opened;
  return {
    place,
    clock,
    identity: await createIdentity(connection, place),
    ...explainingAll(createRows(connection, opened), place),
    forget: (profile) =>
      connection.together(async ({ run }) => {
        for (const table of profileTables)
          await run(`DELETE FROM fiscal.${table} WHERE profile = @profile`, { profile });
      }),
    close: () => connection.close(),
  };
}
