import { FiscalError } from '../errors/fiscal-error.js';
import type { Store, WorkerRow } from '../store/store.js';
import { isProvenDead, type Machine } from './machine.js';

const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 15_000;
/** No send starts this close to the end of the lease: its answer would come after a take-over. */
const SEND_MARGIN_MS = 5_000;

/** The right of this process to work on items. One row, renewed while the process lives. */
export interface Lease {
  readonly workerId: string;
  /** False when a send could outlive the lease. */
  maySend(): boolean;
  /** Aborts with `job.lease_lost` when another process has taken the right away. */
  readonly lost: AbortSignal;
  end(): Promise<void>;
}

export interface LeaseParts {
  readonly store: Store;
  readonly machine: Machine;
  readonly workerId: string;
  readonly jobId: string;
}

export async function takeLease(parts: LeaseParts): Promise<Lease> {
  const { store, machine, workerId } = parts;
  const { clock } = store;
  let expiresAt = clock.now() + LEASE_MS;
  await store.workers.register({
    id: workerId,
    pid: machine.pid,
    machine: machine.id,
    processStart: machine.processStart(machine.pid),
    expiresAt,
    jobId: parts.jobId,
  });
  const lost = new AbortController();
  const ended = new AbortController();
  const renewal = renewUntilEnded();

  async function renewUntilEnded(): Promise<void> {
    while (!ended.signal.aborted) {
      await clock.sleep(RENEW_EVERY_MS, ended.signal).catch(() => undefined);
      if (ended.signal.aborted) return;
      const next = clock.now() + LEASE_MS;
      if (!(await store.workers.renew(workerId, next))) {
        lost.abort(new FiscalError('job.lease_lost', { id: parts.jobId }, { jobId: parts.jobId }));
        return;
      }
      expiresAt = next;
    }
  }
  // A store that cannot be written ends the right to send; the run hears of it by the signal.
  renewal.catch((error: unknown) => lost.abort(error));

  return {
    workerId,
    lost: lost.signal,
    maySend: () => !lost.signal.aborted && clock.now() + SEND_MARGIN_MS < expiresAt,
    end: async () => {
      ended.abort();
      await renewal.catch(() => undefined);
      await store.workers.remove(workerId);
    },
  };
}

/** Frees the items of processes that are known to be dead, so that the next run need not wait for their leases. */
export async function buryTheDead(store: Store, machine: Machine): Promise<void> {
  await livingWorkers(store, machine);
}

/** The same, and who is left: processes whose lease runs. */
export async function livingWorkers(store: Store, machine: Machine): Promise<readonly WorkerRow[]> {
  const workers = await store.workers.list();
  const dead = workers.filter((worker) => isProvenDead(worker, machine));
  await Promise.all(dead.map((worker) => store.workers.remove(worker.id)));
  const now = store.clock.now();
  return workers.filter((worker) => !dead.includes(worker) && worker.expiresAt > now);
}
