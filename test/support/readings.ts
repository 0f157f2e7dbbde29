import type { InboundFamily } from '../../src/contract/inbound.js';
import { noteCapture } from '../../src/services/company/capture.js';
import type { Store } from '../../src/store/store.js';

interface Readings {
  readonly companyId: string;
  readonly at: number;
  readonly profile?: string;
  /** Absent: NF-e alone; the others were seen not to be captured. */
  readonly families?: readonly InboundFamily[];
}

/** What a sync leaves that has read the lists of a company to their end at this time. */
export async function seedReadings(
  store: Store,
  { companyId, at, profile = 'environment', families = ['nfe'] }: Readings,
): Promise<void> {
  const cursor = { at, workerId: 'reader' };
  await store.workers.register({ id: 'reader', pid: 1, machine: 'm', processStart: '1', expiresAt: at });
  for (const family of ['nfe', 'cte', 'nfse'] as const) {
    const group = { profile, companyId, family };
    if (!families.includes(family)) {
      await noteCapture(store, group, { capture: { kind: 'off', why: 'absent' }, at });
      continue;
    }
    await store.cursors.hold(group, 'reader', at);
    await store.cursors.save({ ...group, stream: 'documents' }, { ...cursor, position: { endedAt: at } });
    await store.cursors.save({ ...group, stream: 'events' }, { ...cursor, position: {} });
    await store.cursors.release(group, 'reader');
  }
  await store.workers.remove('reader');
}
