import type { Text } from '../contract/text.js';
import { momentInWords } from '../domain/dates.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Store, WorkerRow } from '../store/store.js';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { kill } from 'node:process';

const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 15_000;
/** No send starts this close to the end of the lease: its response would arrive after a takeover. */
const SEND_MARGIN_MS = 5_000;

/** The right of this process to work on items: one row, renewed while the process lives. */
export interface Lease {
  readonly workerId: string;
  /** False when a send could outlive the lease. */
  maySend(): boolean;
  /** Aborts with `job.lease_lost` when another process has taken over. */
  readonly lost: AbortSignal;
  end(): Promise<void>;
}

interface LeaseDependencies {
  readonly store: Store;
  readonly machine: Machine;
  readonly workerId: string;
  readonly jobId: string;
}

export async function takeLease(dependencies: LeaseDependencies): Promise<Lease> {
  const { store, machine, workerId } = dependencies;
  const { clock } = store;
  let expiresAt = clock.now() + LEASE_MS;
  await store.workers.register({
    id: workerId,
    pid: machine.pid,
    machine: machine.id,
    processStart: machine.processStart(machine.pid),
    expiresAt,
    jobId: dependencies.jobId,
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
        lost.abort(leaseLostOf(dependencies.jobId));
        return;
      }
      expiresAt = next;
    }
  }
  // When the store cannot be written, the right to send ends; the signal informs the run.
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

/** Another process has taken over. */
export function leaseLostOf(jobId: string): FiscalError {
  return new FiscalError('job.lease_lost', { id: jobId }, { jobId });
}

/** Releases the items of processes known to be dead, so that the next run need not wait for their leases to expire. */
export async function removeDeadWorkers(store: Store, machine: Machine): Promise<void> {
  await livingWorkers(store, machine);
}

/** Like `removeDeadWorkers`; returns the workers whose lease is still valid. */
export async function livingWorkers(store: Store, machine: Machine): Promise<readonly WorkerRow[]> {
  const workers = await store.workers.list();
  const dead = workers.filter((worker) => isProvenDead(worker, machine));
  await Promise.all(dead.map((worker) => store.workers.remove(worker.id)));
  const now = store.clock.now();
  return workers.filter((worker) => !dead.includes(worker) && worker.expiresAt > now);
}

/** Identifies living and dead processes of this machine, so that nobody waits for the lease of a dead one. */
export interface Machine {
  /**
   * Host name, boot time and process namespace. Processes of another machine or container cannot be checked from here.
   */
  readonly id: string;
  readonly pid: number;
  /** The start time of a process as the system reports it; empty where it does not. */
  processStart(pid: number): string;
  isAlive(pid: number): boolean;
}

export function thisMachine(pid: number): Machine {
  return { id: [hostname(), bootId(), processNamespace()].join('/'), pid, processStart, isAlive };
}

/** True only for a dead process of this machine; any other keeps its lease until it expires. */
export function isProvenDead(worker: WorkerRow, machine: Machine): boolean {
  if (worker.machine !== machine.id) return false;
  if (!machine.isAlive(worker.pid)) return true;
  const start = machine.processStart(worker.pid);
  return start !== '' && worker.processStart !== '' && start !== worker.processStart;
}

function bootId(): string {
  return readOrEmpty('/proc/sys/kernel/random/boot_id').trim();
}

/** Containers of one machine share its boot time and sometimes its name, but not its process numbers. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Field 22 of `/proc/<pid>/stat`; the name in field 2 may contain spaces and brackets. */
function processStart(pid: number): string {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function isAlive(pid: number): boolean {
  try {
    kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** These files exist only on Linux; elsewhere only the lease's expiry counts. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Of a process that died on another machine, the lease ends by itself. */
export function leaseInWords({ pid, expiresAt }: WorkerRow): Text {
  const at = momentInWords(expiresAt);
  return {
    en: `process ${pid}, which works on this job; unless it renews it, its lease ends at ${at.en}`,
    pt: `o processo ${pid}, que trabalha neste lote; se não a renovar, a reserva dele termina em ${at.pt}`,
  };
}
