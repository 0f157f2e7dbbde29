import type { Client } from '../client/client.js';
import type { Text } from '../contract/text.js';
import type { Random } from '../domain/world.js';
import type { FiscalError } from '../errors/fiscal-error.js';
import type { ItemState, Store, StoreClock } from '../store/store.js';
import type { AdmitParts, RunnableKind } from './kind.js';
import type { BilledCalls } from './billed-calls.js';
import type { Lease } from './lease.js';

/** What one step on one item may use. */
export interface StepParts {
  readonly store: Store;
  readonly client: Client;
  readonly clock: StoreClock;
  readonly random: Random;
  readonly kind: RunnableKind;
  readonly lease: Lease;
  readonly jobId: string;
  readonly profile: string;
  readonly intervalMs: number;
  readonly maxRetryWaitMs: number;
  readonly retryBillable: boolean;
  readonly resendAbsent: boolean;
  /** How long after a send its absence proves nothing. */
  readonly settleMs: number;
  readonly signal: AbortSignal;
  readonly billedCalls: BilledCalls;
  readonly lists: AdmitParts['lists'];
  /** A request is about to leave. */
  sending(): void;
  /** An item is about to be sent though nobody could say whether the service has it already. */
  sendingUnlooked?(reason: Text): Promise<void>;
}

export type StepStop = 'billable-limit' | 'rate-limited' | 'credentials' | 'lease-lost';

export interface StepResult {
  readonly to: ItemState;
  /** When the item wants attention again; absent when it is settled. */
  readonly dueAt?: number;
  /** The service answered this step, whatever it said. */
  readonly answered: boolean;
  readonly error?: FiscalError;
  /** The far side's word for the state, when this step heard one. */
  readonly seen?: string;
  /** The whole run must stop. */
  readonly stop?: StepStop;
}
