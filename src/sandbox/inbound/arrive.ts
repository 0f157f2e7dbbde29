import type { Family } from '../core/captures.js';
import type { Core } from '../core/core.js';
import { inventDocument } from '../document/invent-document.js';
import { spacedUntil } from '../maintenance/spacing.js';
import { announceDocument } from '../webhook/announce-inbound.js';
import { captureDocument } from './capture-document.js';

const hourMs = 3_600_000;

/** A document comes in before the list is read, when a test has asked for that and the capture is not spaced. */
export function arriveBeforeList(core: Core, companyId: string, family: Family): void {
  if (!core.captures.isActive(companyId, family) || spacedUntil(core, companyId, family) !== undefined)
    return;
  if (core.behaviour.doesArrive()) arrive(core, companyId, family);
}

/** The next document of the company, issued an hour ago. */
export function arrive(core: Core, companyId: string, family: Family): void {
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
