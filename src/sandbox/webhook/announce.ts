import type { WebhookDelivery } from '../../contract/webhook.js';
import type { Core } from '../core/core.js';
import type { StoredDeliveryFault } from '../core/faults.js';
import type { NewDelivery } from './delivery.js';
import { type Subject, type Target, targetsOf } from './targets.js';

export interface Announcement extends Subject {
  /** Id of what the event is about. */
  readonly resource: string;
  readonly payload: object;
  /** Milliseconds since the epoch, of the service's clock. */
  readonly at: number;
  readonly documentId?: string;
}

const usualDelaysMs = { late: 60_000, reordered: 2_000 } as const;

/** Writes down one delivery for everybody who wants the event. Must be called inside a transaction; gives how many. */
export function announce(core: Core, announcement: Announcement): number {
  const targets = targetsOf(core, announcement);
  for (const target of targets) deliverTo(core, target, announcement);
  return targets.length;
}

/** One delivery to one target, with what the faults that strike it add. */
export function deliverTo(core: Core, target: Target, announcement: Announcement): void {
  const { event, resource, payload, at, tenantId, documentId } = announcement;
  const delivery: NewDelivery = {
    ...target,
    id: core.chance.uuid(),
    kind: 'genuine',
    tenantId,
    event,
    resource,
    body: bodyOf({ action: event, payload: { ...payload } }),
    documentId: documentId ?? null,
    dueAt: at,
    createdOn: at,
  };
  const faults = core.faults.strikeDelivery();
  core.deliveries.add({ ...delivery, dueAt: at + delayOf(core, delivery.id, faults) });
  for (const { kind } of faults) {
    if (kind === 'doubled') core.deliveries.add({ ...delivery, kind: 'copy', documentId: null });
    if (kind === 'forged') core.deliveries.add(forgedFrom(core, delivery, announcement));
  }
}

/** `late` all of its delay, `reordered` a part of it, so that later ones come before. */
function delayOf(core: Core, id: string, faults: readonly StoredDeliveryFault[]): number {
  return faults.reduce((sum, { kind, delayMs }) => {
    if (kind === 'late') return sum + (delayMs ?? usualDelaysMs.late);
    if (kind !== 'reordered') return sum;
    return sum + Math.ceil(core.chance.unit(`reordered:${id}`) * (delayMs ?? usualDelaysMs.reordered));
  }, 0);
}

/** What it says never happened; `forged` in it lets a test find it wherever it was taken for true. */
function forgedFrom(core: Core, delivery: NewDelivery, { event, payload }: Announcement): NewDelivery {
  const body = bodyOf({ action: event, payload: { ...payload, forged: true } });
  return { ...delivery, id: core.chance.uuid(), kind: 'forged', body, documentId: null };
}

/** As it is signed and sent. */
function bodyOf(content: WebhookDelivery): string {
  return JSON.stringify(content);
}
