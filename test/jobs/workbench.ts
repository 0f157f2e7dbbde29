import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../src/domain/world.js';
import { createEngine } from '../../src/jobs/create.js';
import type { JobEngine, RunOptions, StartRequest } from '../../src/jobs/engine.js';
import type { RunnableKind } from '../../src/jobs/kind.js';
import { openStore } from '../../src/store/sqlite/open.js';
import type { ItemRow, Store } from '../../src/store/store.js';
import { noClient } from './no-client.js';
import { virtualClock } from './virtual-clock.js';

/** A folder with one store, and processes that work on it. */
export interface Workbench {
  readonly clock: Clock;
  readonly store: Store;
  /** A process of this machine with its own connection to the store, which `change` may change. */
  process(pid: number, kind: RunnableKind, change?: (store: Store) => void): Promise<JobEngine>;
  /** From now on the machine says that this process is gone. */
  kill(pid: number): void;
  close(): Promise<void>;
}

export async function workbench(): Promise<Workbench> {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-jobs-'));
  const path = join(folder, 'jobs.sqlite');
  const clock = virtualClock(Date.UTC(2026, 9, 1));
  const stores: Store[] = [await openStore({ path, clock })];
  const dead = new Set<number>();
  let uuid = 0;
  const [store] = stores;
  if (store === undefined) throw new Error('no store');
  return {
    clock,
    store,
    async process(pid, kind, change) {
      const own = await openStore({ path, clock });
      change?.(own);
      stores.push(own);
      return createEngine({
        store: own,
        client: () => Promise.resolve(noClient),
        clock: own.clock,
        random: { unit: () => 0.5, uuid: () => `${pid}-${(uuid += 1)}` },
        machine: { id: 'here', pid, processStart: String, isAlive: (other) => !dead.has(other) },
        kinds: () => kind,
      });
    },
    kill: (pid) => void dead.add(pid),
    async close() {
      clock.stop();
      for (const each of stores) await each.close();
      rmSync(folder, { recursive: true });
    },
  };
}

export function request(items: number, more: Partial<StartRequest<unknown>> = {}): StartRequest<unknown> {
  return {
    kind: { name: 'fake', submit: 'product.create', onceOnly: true, billed: () => false },
    profile: 'p',
    inputDigest: 'digest',
    commandLine: () => 'fiscal fake',
    scope: {},
    items: Array.from({ length: items }, (_, index) => ({
      ordinal: index + 1,
      label: `item ${index + 1}`,
      dedupeKey: `key-${index + 1}`,
      input: {},
    })),
    ...more,
  };
}

export function options(more: Partial<RunOptions> = {}): RunOptions {
  return {
    wait: true,
    concurrency: 2,
    intervalMs: 1000,
    onError: 'continue',
    retryBillable: false,
    resendAbsent: false,
    maxRetryWaitMs: 300_000,
    lockWaitMs: 0,
    signal: new AbortController().signal,
    ...more,
  };
}

export async function states(engine: JobEngine, jobId: string): Promise<readonly ItemRow['state'][]> {
  const found: ItemRow['state'][] = [];
  for await (const item of engine.items(jobId)) found.push(item.state);
  return found;
}

/** A kind that does what it is told at each send; without an answer of its own it succeeds at once. */
export function scripted(
  send: (item: ItemRow, nth: number) => Promise<{ state: 'succeeded' | 'pending' | 'rejected' }>,
): RunnableKind & { readonly sent: string[] } {
  const sent: string[] = [];
  return {
    sent,
    name: 'fake',
    replay: 'unsafe',
    onceOnly: true,
    rejectedStays: false,
    polls: true,
    canLookUp: false,
    async send(_client, item) {
      sent.push(item.label);
      return { ...(await send(item, sent.length)), status: 201 };
    },
    read: () => Promise.resolve({ state: 'succeeded' }),
    lookUp: () => Promise.resolve('cannot tell'),
  };
}
