import type { Family } from '../core/records.js';
import { randomUUID } from 'node:crypto';
import type { Core } from '../core/core.js';
import { captureMethod } from '../core/ledger.js';
import type { StoredDocument } from '../document/documents.js';
import { inventDocument } from '../document/invent-document.js';
import { spacedUntil } from '../maintenance/spacing.js';
import { scheduleAutomatic } from '../manifestation/automatic.js';
import { isRecord } from '../product/read-product.js';
import { announceDocument } from '../webhook/announce.js';
import type { Capture } from './settings.js';

/**
 * §4: a document issued before the cut-off is captured too: it starts as `Skipped`, stays out of lists unless the
 * history is released, and is billed as history.
 */
export function captureDocument(core: Core, document: StoredDocument): StoredDocument {
  if (!isBeforeCutOff(core, document)) {
    core.documents.put(document);
    scheduleAutomatic(core, document);
    return document;
  }
  const born = bornBeforeCutOff(core, document);
  core.documents.put(born);
  billHistory(core, [born]);
  scheduleAutomatic(core, born);
  return born;
}

export function isBeforeCutOff(core: Core, { companyId, family, issuedOn }: StoredDocument): boolean {
  const startFromDate = core.captures.settings(companyId, family)?.given['startFromDate'];
  return typeof startFromDate === 'string' && issuedOn < Date.parse(startFromDate);
}

export function bornBeforeCutOff(core: Core, document: StoredDocument): StoredDocument {
  return { ...document, ...historyShape(core, document) };
}

/** The fields that all history of a company shares. */
export function historyShape(
  core: Core,
  { companyId, family }: Capture,
): Pick<StoredDocument, 'visibility' | 'webhookStatus'> {
  const isReleased = family === 'nfse' && core.captures.of(companyId, 'nfse')?.isReleased === true;
  return { visibility: isReleased ? 'listed' : 'hidden', webhookStatus: 'Skipped' };
}

const hourMs = 3_600_000;

/** Captures a document before a list is read, if arrivals are configured and the capture is not spaced. */
export function arriveBeforeList(core: Core, companyId: string, family: Family): void {
  if (!core.captures.isActive(companyId, family) || spacedUntil(core, companyId, family) !== undefined)
    return;
  if (core.behaviour.doesArrive()) arrive(core, companyId, family);
}

/** The next document of the company, issued an hour ago. */
function arrive(core: Core, companyId: string, family: Family): void {
  const now = core.clock.now();
  const createdOn = now - (core.behaviour.arrivals()?.lateByMs ?? 0);
  const invented = inventDocument(core, {
    family,
    companyId,
    ordinal: core.documents.count() + 1,
    issuedOn: now - hourMs,
    direction: 'incoming',
  });
  const stage = family === 'nfe' ? (core.behaviour.arrivals()?.stage ?? 'full') : 'full';
  const arrived = { ...invented, stage, status: 'Received', webhookStatus: 'Pending' };
  const captured = captureDocument(core, { ...arrived, createdOn, modifiedOn: createdOn });
  announceDocument(core, captured);
}

const kind = 'nfse-capture';
const mostAtOnce = 50;

/** Schedules an extra capture, after the sandbox's delay. */
export function scheduleCapture(core: Core, companyId: string): void {
  core.work.schedule(kind, core.clock.now() + core.options.validationDelayMs, { companyId });
}

/** Captures all configured arrivals at once, or one document if they are unlimited. */
export function captureNow(core: Core, payload: unknown): void {
  const companyId = isRecord(payload) ? payload['companyId'] : undefined;
  if (typeof companyId !== 'string' || !core.captures.isActive(companyId, 'nfse')) return;
  const arrivals = core.behaviour.arrivals();
  if (arrivals === undefined || spacedUntil(core, companyId, 'nfse') !== undefined) return;
  const count = Math.min(arrivals.left ?? 1, mostAtOnce);
  for (let made = 0; made < count; made += 1) arrive(core, companyId, 'nfse');
  if (arrivals.left !== null) core.behaviour.setArrivals({ ...arrivals, left: arrivals.left - count });
}

type Captured = Pick<StoredDocument, 'companyId' | 'family' | 'accessKey'>;

/**
 * §4: captures before the cut-off are billed as history: one usage row each, and one ledger entry per company and
 * family, because no request made them.
 */
export function billHistory(core: Core, captured: readonly Captured[]): void {
  const at = core.clock.now();
  const { tenantId } = core.account;
  for (const { family, accessKey } of captured) {
    const operation = `${family}.inbound.list`;
    core.usage.add({ at, tenantId, operation, action: 'history', resourceId: accessKey });
  }
  for (const group of groupsOf(captured)) addLine(core, at, group);
}

interface Group extends Pick<Captured, 'companyId' | 'family'> {
  readonly count: number;
}

function groupsOf(captured: readonly Captured[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const { companyId, family } of captured) {
    const name = `${companyId} ${family}`;
    groups.set(name, { companyId, family, count: (groups.get(name)?.count ?? 0) + 1 });
  }
  return groups.values();
}

function addLine(core: Core, at: number, { companyId, family, count }: Group): void {
  core.ledger.add({
    at: new Date(at).toISOString(),
    operation: null,
    method: captureMethod,
    path: `/v2/companies/${companyId}/inbound/${family}`,
    keyKind: null,
    status: null,
    cut: null,
    effect: { captured: family, companyId, history: String(count) },
    billed: 'history',
    idempotencyKey: null,
    requestId: randomUUID(),
    fault: null,
  });
}
