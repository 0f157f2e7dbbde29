import { createHash } from 'node:crypto';
import type { DeliveryState } from '../../../src/store/deliveries.js';
import type { Store } from '../../../src/store/store.js';
import type { TestHost } from '../../support/host.js';
import { seed } from '../seed.js';

export interface StoredSample {
  readonly id: string;
  readonly state: Exclude<DeliveryState, 'forwarding'>;
  readonly event?: string;
  readonly resource?: string;
  /** Milliseconds, UTC. */
  readonly at?: number;
}

export const noon = Date.UTC(2026, 9, 20, 12);

const profile = 'acme';
const workerId = 'w-1';

/** Puts events into the store of the host's profile, each in the state in which a listener would have left it. */
export async function storeEvents(host: TestHost, samples: readonly StoredSample[]): Promise<void> {
  await seed(host, async (store) => {
    const worker = { id: workerId, pid: 1, machine: 'm', processStart: '' };
    await store.workers.register({ ...worker, expiresAt: Date.UTC(2100, 0) });
    for (const sample of samples) await storeOne(store, sample);
    await store.deliveries.release(workerId);
  });
}

async function storeOne(store: Store, sample: StoredSample): Promise<void> {
  const { id, state, event = 'product.active', resource = id, at = noon } = sample;
  const body = Buffer.from(JSON.stringify({ action: event, payload: { id } }));
  const digest = createHash('sha256').update(body).digest('hex');
  const fixed = { profile, scheme: 'hub-sha1', hookId: `hook-${id}`, signedId: '', wanted: state !== 'kept' };
  await store.deliveries.add({ ...fixed, id, at, event, resource, body, digest });
  if (state !== 'dead' && state !== 'delivered') return;
  await store.deliveries.claim({ workerId, profile, limit: 100, now: Date.UTC(2090, 0) });
  const failures =
    state === 'dead'
      ? { failures: [{ target: 'http://127.0.0.1:9', reason: { is: 'target-status' as const, status: 500 } }] }
      : {};
  await store.deliveries.conclude({ id, workerId }, { state, attempts: 2, doneBy: [], at: at + 60_000, ...failures });
}
