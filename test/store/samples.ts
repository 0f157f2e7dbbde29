import type { HistoryRow, ItemPatch, NewItem, NewJob, Store, WorkerRow } from '../../src/store/store.js';

/** The time at which most of these stories begin. */
export const noon = Date.UTC(2026, 4, 4, 12);

export function newJob(change: Partial<NewJob> = {}): NewJob {
  return {
    id: 'job-1',
    kind: 'product-create',
    operation: 'product.create',
    profile: 'acme',
    inputDigest: 'digest-1',
    commandLine: 'fiscal product apply products.csv',
    scope: { tenant: 't-1' },
    loaderId: 'loader-1',
    at: noon,
    ...change,
  };
}

export function newItem(ordinal: number, change: Partial<NewItem> = {}): NewItem {
  return {
    id: `item-${ordinal}`,
    ordinal,
    label: `SKU-${ordinal}`,
    dedupeKey: `key-${ordinal}`,
    input: { tenantId: 't-1', product: { sku: `SKU-${ordinal}` } },
    billed: true,
    idempotencyKey: `idem-${ordinal}`,
    ...change,
  };
}

export function newWorker(change: Partial<WorkerRow> = {}): WorkerRow {
  return { id: 'worker-1', pid: 4711, machine: 'host/boot', processStart: '99', expiresAt: noon + 60_000, ...change };
}

export function request(change: Partial<HistoryRow> = {}): HistoryRow {
  return {
    at: noon,
    profile: 'acme',
    operation: 'product.get',
    method: 'GET',
    url: 'https://api.example/t-1/products/p-1',
    attempt: 1,
    durationMs: 12,
    sent: 'yes',
    ...change,
  };
}

/** A job with these items, open, and a living worker `worker-1`. */
export async function openJob(store: Store, items: readonly NewItem[], job: NewJob = newJob()): Promise<void> {
  await store.jobs.create(job, []);
  await store.jobs.append(job.id, items, noon);
  await store.jobs.seal(job.id, noon);
  const workers = await store.workers.list();
  if (workers.length === 0) await store.workers.register(newWorker());
}

export const prepared = { workerId: 'worker-1', jobId: 'job-1', limit: 10, now: noon, states: ['prepared'] } as const;

export function step(state: ItemPatch['state'], change: Partial<ItemPatch> = {}): ItemPatch {
  return { state, holdsKey: true, keep: true, ...change };
}
