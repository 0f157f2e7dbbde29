import type { CaptureNotification } from '../../contract/maintenance.js';
import type { OperationId } from '../../contract/operations.js';
import { certificateTrouble, noteExpiry, spacedUntil } from '../company/certificates.js';
import { companyOf } from '../company/find-company.js';
import { object, pageIndex, pageSize, readBody } from '../core/checks.js';
import type { Core } from '../core/core.js';
import { onlySet, isRecord } from '../core/exact-json.js';
import type { Effect } from '../core/ledger.js';
import type { Notice } from '../core/records.js';
import { Refusal, invalid } from '../core/refusal.js';
import type { Accepted, Call, HandlersOf, Reply } from '../http/handler.js';
import { scheduleCapture } from './capture.js';
import { nsu as position, readStartFromDate, requireSettings, saveSettings, showRegistration } from './settings.js';

type MaintenanceOperation = Extract<
  OperationId,
  | 'nfse.startFromDate.set'
  | `nfse.backfill.${string}`
  | `nfse.${'fetchNow' | 'notifications' | 'statistics' | 'reactivate' | 'resetNsu'}`
>;

/** The cut-off and the retained history (§4), and the maintenance of the capture (public). */
export const nfseMaintenanceHandlers: HandlersOf<MaintenanceOperation> = {
  'nfse.startFromDate.set': setStartFromDate,
  'nfse.backfill.summary': summary,
  'nfse.backfill.release': release,
  'nfse.fetchNow': fetchNow,
  'nfse.notifications': notifications,
  'nfse.statistics': statistics,
  'nfse.reactivate': reactivate,
  'nfse.resetNsu': resetNsu,
};

/** Throws 404 without an active capture of NFS-e. */
function capturingCompany(core: Core, call: Call<MaintenanceOperation>): string {
  const companyId = companyOf(core, call);
  requireSettings(core, companyId, 'nfse');
  return companyId;
}

/** `documentId` identifies the work, because there is no document (assumed). */
function accepted(core: Core, companyId: string, message: string, effect?: Effect): Reply {
  const body: Accepted = { documentId: core.chance.uuid(), companyId, message };
  return { status: 202, body, ...onlySet({ effect }) };
}

/** §4: the only way to change the cut-off after the registration. */
function setStartFromDate(core: Core, call: Call<'nfse.startFromDate.set'>): Reply {
  const companyId = companyOf(core, call);
  const { given } = requireSettings(core, companyId, 'nfse');
  const startFromDate = readStartFromDate(call.body, core.clock.now());
  saveSettings(core, { companyId, family: 'nfse' }, { ...given, startFromDate });
  note(core, { companyId, at: core.clock.now(), type: 'CutOffChanged', message: `The cut-off is ${startFromDate}.` });
  return { status: 204, effect: { updated: 'nfse-cut-off', companyId, startFromDate } };
}

function summary(core: Core, call: Call<'nfse.backfill.summary'>): Reply {
  const companyId = companyOf(core, call);
  const { given, isReleased: asked, askedAt } = requireSettings(core, companyId, 'nfse');
  // A lagging read shows the state before the request.
  const released = core.clock.now() - askedAt < core.mode.get().lagMs ? !asked : asked;
  const hiddenDocumentsCount = core.documents.countHidden(companyId, 'nfse');
  const { startFromDate } = given;
  const cutOff = onlySet({ startFromDate });
  return { status: 200, body: { ...cutOff, released, hiddenDocumentsCount } };
}

/** §4: asynchronous and resumable. A repeat of the last request has no effect (assumed). */
function release(core: Core, call: Call<'nfse.backfill.release'>): Reply {
  const companyId = capturingCompany(core, call);
  const released = readReleased(call.body);
  const word = released ? 'released' : 'revoked';
  if (core.captures.of(companyId, 'nfse')?.isReleased === released) {
    return accepted(core, companyId, `The history is already ${word}.`);
  }
  startSweep(core, companyId, released);
  return accepted(core, companyId, `The history is being ${word}.`, { backfill: word, companyId });
}

/**
 * Throws 409 while the capture is spaced, with the end of the spacing (assumed). `forcedStartNsu` changes nothing:
 * what has arrived is captured in any case.
 */
function fetchNow(core: Core, call: Call<'nfse.fetchNow'>): Reply {
  const companyId = capturingCompany(core, call);
  const { forcedStartNsu } = readBody(call.body ?? {}, object({ optional: { forcedStartNsu: position } }), 'request');
  const until = spacedUntil(core, companyId, 'nfse');
  if (until !== undefined) {
    const seconds = Math.ceil((until - core.clock.now()) / 1000);
    throw new Refusal('conflict', `The capture is spaced until ${new Date(until).toISOString()}.`, {
      headers: { 'retry-after': String(seconds) },
    });
  }
  scheduleCapture(core, companyId);
  return accepted(core, companyId, 'The capture is scheduled.', {
    ...{ capturing: 'nfse', companyId },
    ...((forcedStartNsu ?? null) === null ? {} : { forcedStartNsu: String(forcedStartNsu) }),
  });
}

function notifications(core: Core, call: Call<'nfse.notifications'>): Reply {
  const companyId = capturingCompany(core, call);
  noteExpiry(core, companyId, 'nfse');
  const page = pageIndex(call.query);
  const size = pageSize(call.query, 100, 100);
  const isWanted = wantedNotices(call.query);
  const notices = core.notices.list(companyId, 'nfse').filter(isWanted);
  const shown = notices.slice((page - 1) * size, page * size);
  return { status: 200, body: { totalResults: null, totalPages: null, page, notifications: shown } };
}

/** Both filters apply (public). */
function wantedNotices(query: URLSearchParams): (notice: CaptureNotification) => boolean {
  const [severity, type] = [query.get('severity'), query.get('type')];
  if (severity !== null && !severities.includes(severity))
    throw invalid('severity', `Must be one of: ${severities.join(', ')}.`);
  return (notice) => [null, notice.severity].includes(severity) && [null, notice.type].includes(type);
}

const severities = ['Info', 'Warning', 'Critical'];

function statistics(core: Core, call: Call<'nfse.statistics'>): Reply {
  const companyId = capturingCompany(core, call);
  const { id, name, isActive, rateLimitedUntil } = showRegistration(core, companyId);
  const company = { id, accountId: call.caller.tenantId, name, isActive, consecutiveFailures: 0 };
  const spacing = onlySet({ rateLimitedUntil });
  return { status: 200, body: { ...company, ...spacing, ...core.statistics.of(companyId, 'nfse') } };
}

/** Ends a spacing, or reactivates an inactive registration; throws 409 without a valid certificate (assumed). No body (public). */
function reactivate(core: Core, call: Call<'nfse.reactivate'>): Reply {
  const companyId = companyOf(core, call);
  if (core.captures.of(companyId, 'nfse') === undefined) requireSettings(core, companyId, 'nfse');
  if (certificateTrouble(core, companyId) !== undefined) {
    throw new Refusal('conflict', 'The company has no valid certificate.');
  }
  const isWell = core.captures.isActive(companyId, 'nfse') && spacedUntil(core, companyId, 'nfse') === undefined;
  if (isWell) return { status: 200 };
  core.captures.set(companyId, 'nfse', true);
  core.captures.change(companyId, 'nfse', { spacedUntil: null });
  note(core, { companyId, at: core.clock.now(), type: 'CaptureReactivated', message: 'The capture is active again.' });
  return { status: 200, effect: { reactivated: 'nfse', companyId } };
}

/** Captures the documents after the NSU again, with the same keys, so that there are no duplicates. */
function resetNsu(core: Core, call: Call<'nfse.resetNsu'>): Reply {
  const companyId = capturingCompany(core, call);
  const nsu = Number(readBody(call.body, object({ required: { nsu: position } }), 'request')['nsu']);
  core.captures.change(companyId, 'nfse', { fromNsu: nsu });
  core.sweeping.captureAgain({ companyId, family: 'nfse', nsu, at: core.clock.now() });
  note(core, { companyId, at: core.clock.now(), type: 'NsuReset', message: `The capture restarts after NSU ${nsu}.` });
  return { status: 200, effect: { reset: 'nfse-nsu', companyId, nsu: String(nsu) } };
}

function readReleased(body: unknown): boolean {
  const released = isRecord(body) ? body['released'] : undefined;
  if (typeof released !== 'boolean') throw invalid('released', 'Is required: true or false.');
  return released;
}

const kind = 'nfse-backfill-sweep';

type NoticeText = Pick<Notice, 'type' | 'message'>;

const released: NoticeText = { type: 'BackfillReleased', message: 'The documents before the cut-off are listed.' };
const revoked: NoticeText = { type: 'BackfillRevoked', message: 'The documents before the cut-off are hidden again.' };
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
