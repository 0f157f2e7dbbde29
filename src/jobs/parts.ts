import type { Client } from '../client/client.js';
import type { Random } from '../domain/world.js';
import type { Store, StoreClock } from '../store/store.js';
import type { RunnableKind } from './kind.js';
import type { Machine } from './machine.js';

/** What the engine works with. */
export interface EngineParts {
  readonly store: Store;
  /** Asked for only when there is something to send or read. */
  client(): Promise<Client>;
  /** The store's: no change of the machine's wall clock moves a wait or a lease. */
  readonly clock: StoreClock;
  readonly random: Random;
  readonly machine: Machine;
  /** Defaults to the kinds of the program. */
  readonly kinds?: (name: string) => RunnableKind | undefined;
}
