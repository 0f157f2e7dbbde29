import type { Core } from '../core/core.js';
import { isRecord } from '../product/read-product.js';
import type { Notice } from './notices.js';

export type SweepService = Pick<Core, 'backfills' | 'behaviour' | 'clock' | 'notices' | 'sweeping' | 'work'>;

const kind = 'nfse-backfill-sweep';

type Said = Pick<Notice, 'type' | 'message'>;

const released: Said = { type: 'BackfillReleased', message: 'The documents before the cut-off are listed.' };
const revoked: Said = {
  type: 'BackfillRevoked',
  message: 'The documents before the cut-off are hidden again.',
};
const replacedRelease: Said = {
  type: 'BackfillReplaced',
  message: 'The release was revoked before its end.',
};
const replacedRevocation: Said = {
  type: 'BackfillReplaced',
  message: 'The revocation gave way to a release before its end.',
};

/** §4: asynchronous. The first batch comes one pace later; a sweep that runs already is replaced. */
export function startSweep(core: SweepService, companyId: string, isRelease: boolean): void {
  const before = core.backfills.find(companyId);
  if (before?.isSweeping === true) {
    const said = before.released ? replacedRelease : replacedRevocation;
    note(core, { ...said, companyId, at: core.clock.now() });
  }
  const sweep = core.backfills.ask(companyId, isRelease, core.clock.now());
  schedule(core, { companyId, sweep }, core.clock.now());
}

interface Sweep {
  readonly companyId: string;
  readonly sweep: number;
}

function schedule(core: SweepService, sweep: Sweep, after: number): void {
  core.work.schedule(kind, after + core.behaviour.sweepPace().everyMs, sweep);
}

/** One batch; the row of work is what a restart goes on with. */
export function sweepOn(core: SweepService, payload: unknown, at: number): void {
  const meant = readSweep(payload);
  const standing = meant && core.backfills.find(meant.companyId);
  if (meant === undefined || standing === undefined || standing.sweep !== meant.sweep) return;
  const { companyId } = meant;
  const limit = core.behaviour.sweepPace().documents;
  const cutOff = standing.startFromDate === undefined ? 0 : Date.parse(standing.startFromDate);
  const batch = { companyId, family: 'nfse', cutOff, at, limit } as const;
  const changed = standing.released ? core.sweeping.show(batch) : core.sweeping.hide(batch);
  if (changed === limit) return schedule(core, meant, at);
  core.backfills.finishSweep(companyId);
  note(core, { ...(standing.released ? released : revoked), companyId, at });
}

function note(core: SweepService, notice: Omit<Notice, 'family'>): void {
  core.notices.add({ ...notice, family: 'nfse' });
}

function readSweep(payload: unknown): Sweep | undefined {
  if (!isRecord(payload)) return undefined;
  const { companyId, sweep } = payload;
  return typeof companyId === 'string' && typeof sweep === 'number' ? { companyId, sweep } : undefined;
}
