import type { Family } from '../core/captures.js';
import type { Core } from '../core/core.js';
import { inventDocument } from '../document/invent-document.js';

const hourMs = 3_600_000;

/** A document comes in before the list is read, when a test has asked for that and the capture is not spaced. */
export function arriveBeforeList(core: Core, companyId: string, family: Family): void {
  const settings = core.captures.settings(companyId, family);
  const now = core.clock.now();
  if (settings === undefined || (settings.spacedUntil ?? 0) > now) return;
  const lateByMs = core.behaviour.arrivals()?.lateByMs ?? 0;
  if (!core.behaviour.doesArrive()) return;
  const ordinal = core.documents.count() + 1;
  const document = inventDocument(core, {
    family,
    companyId,
    ordinal,
    issuedOn: now - hourMs,
    direction: 'incoming',
  });
  const createdOn = now - lateByMs;
  core.documents.put({
    ...document,
    status: 'Received',
    webhookStatus: 'Pending',
    createdOn,
    modifiedOn: createdOn,
  });
}
