import type { Notice } from '../core/records.js';
import type { Core } from '../core/core.js';
import { isRecord } from '../product/read-product.js';

const kind = 'nfse-backfill-sweep';

type NoticeText = Pick<Notice, 'type' | 'message'>;

const released: NoticeText = {
  type: 'BackfillReleased',
  message: 'The documents before the cut-off are listed.',
};
const revoked: NoticeText = {
  type: 'BackfillRevoked',
  message: 'The documents before the cut-off are hidden again.',
};
const replacedRelease: NoticeText = {
  type: 'BackfillReplaced',
  message: 'The release was revoked before it was complete.',
};
const replacedRevocation: NoticeText = {
  type: 'BackfillReplaced',
  message: 'A release replaced the revocation before it was complete.',
};

/** §4: asynchronous. Starts a sweep, which replaces a running one; the first batch follows after one interval. */
export function startSweep(core: Core, companyId: string, isRelease: boolean): void {
  const before = core.captures.of(companyId, 'nfse');
  const sweep = (before?.sweep ?? 0) + 1;
  if (before !== undefined && before.swept < before.sweep) {
    const said = before.isReleased ? replacedRelease : replacedRevocation;
    note(core, { ...said, companyId, at: core.clock.now() });
  }
  core.captures.change(companyId, 'nfse', { isReleased: isRelease, askedAt: core.clock.now(), sweep });
  schedule(core, { companyId, sweep }, core.clock.now());
}

interface Sweep {
  readonly companyId: string;
  readonly sweep: number;
}

function schedule(core: Core, sweep: Sweep, after: number): void {
  core.work.schedule(kind, after + core.behaviour.sweepPace().everyMs, sweep);
}

/** Does one batch. Its row of work survives a restart. */
export function sweepOn(core: Core, payload: unknown, at: number): void {
  const meant = readSweep(payload);
  const standing = meant && core.captures.of(meant.companyId, 'nfse');
  if (meant === undefined || standing === undefined || standing.sweep !== meant.sweep) return;
  const { companyId } = meant;
  const limit = core.behaviour.sweepPace().documents;
  const { startFromDate } = standing.given;
  const cutOff = typeof startFromDate === 'string' ? Date.parse(startFromDate) : 0;
  const batch = { companyId, family: 'nfse', cutOff, at, limit } as const;
  const changed = standing.isReleased ? core.sweeping.show(batch) : core.sweeping.hide(batch);
  if (changed === limit) return schedule(core, meant, at);
  core.captures.change(companyId, 'nfse', { swept: standing.sweep });
  note(core, { ...(standing.isReleased ? released : revoked), companyId, at });
}

function note(core: Core, notice: Omit<Notice, 'family'>): void {
  core.notices.add({ ...notice, family: 'nfse' });
}

function readSweep(payload: unknown): Sweep | undefined {
  if (!isRecord(payload)) return undefined;
  const { companyId, sweep } = payload;
  return typeof companyId === 'string' && typeof sweep === 'number' ? { companyId, sweep } : undefined;
}
