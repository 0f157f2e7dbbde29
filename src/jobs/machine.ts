import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { kill } from 'node:process';
import type { WorkerRow } from '../store/store.js';

/** Tells this machine's living processes from dead ones, so that nobody waits for a lease of the dead. */
export interface Machine {
  /**
   * Name, start and process namespace of this machine: a process of another one, or of another container, cannot be judged
   * from here.
   */
  readonly id: string;
  readonly pid: number;
  /** When the process started, in the system's own words; empty where the system does not tell. */
  processStart(pid: number): string;
  isAlive(pid: number): boolean;
}

export function thisMachine(pid: number): Machine {
  return { id: [hostname(), bootId(), processNamespace()].join('/'), pid, processStart, isAlive };
}

/** Only a process of this machine can be proven dead; any other is given the benefit of its lease. */
export function isProvenDead(worker: WorkerRow, machine: Machine): boolean {
  if (worker.machine !== machine.id) return false;
  if (!machine.isAlive(worker.pid)) return true;
  const start = machine.processStart(worker.pid);
  return start !== '' && worker.processStart !== '' && start !== worker.processStart;
}

function bootId(): string {
  return readOrEmpty('/proc/sys/kernel/random/boot_id').trim();
}

/** Containers of one machine share its name at times, and its start always, but not the numbers of their processes. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Field 22 of `/proc/<pid>/stat`; the name in field 2 may hold spaces and brackets. */
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

/** The files exist on Linux only; elsewhere the lease's own time decides. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
