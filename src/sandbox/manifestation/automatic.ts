import type { Core } from '../core/core.js';
import type { StoredDocument } from '../document/documents.js';
import { isRecord } from '../product/read-product.js';
import { freshEvent, freshManifestation } from './send.js';
import { authorOf } from './find-company.js';
import { scheduleNfeSending, scheduleNfseSending } from './send.js';

const kind = 'automatic-manifestation';
const minuteMs = 60_000;
const nfseConfirmation = 203202;
/** §2: the settings of `automaticManifesting` and their events. */
const nfeCodes = [
  ['minutesToOperationConfirmation', 210200],
  ['minutesToUnknownOperation', 210220],
] as const;
/** The conclusive events of the recipient. */
const conclusive: readonly number[] = [210200, 210220, 210240];

interface AutomaticEvent {
  readonly eventCode: number;
  readonly delayMs: number;
}

type Captured = Pick<StoredDocument, 'companyId' | 'family' | 'accessKey' | 'direction' | 'visibility'>;

/**
 * Schedules the automatic manifestation of a received document, except one hidden by the cut-off (assumed). The work
 * is stored, so that a restart does not lose it.
 */
export function scheduleAutomatic(core: Core, document: Captured): void {
  const { companyId, family, accessKey, direction, visibility } = document;
  if (direction === 'outgoing' || visibility !== 'listed') return;
  const capturedAt = core.clock.now();
  for (const { eventCode, delayMs } of automaticEventsOf(core, document)) {
    const work = { companyId, family, accessKey, eventCode, capturedAt };
    core.work.schedule(kind, capturedAt + delayMs, work);
  }
}

/** The automatic events of the current settings. */
function automaticEventsOf(
  core: Core,
  { companyId, family }: Pick<Captured, 'companyId' | 'family'>,
): readonly AutomaticEvent[] {
  const given = core.captures.settings(companyId, family)?.given ?? {};
  if (family === 'nfse') {
    if (given['isAutomaticManifestationEnabled'] !== true) return [];
    const seconds = Number(given['automaticManifestationDelaySeconds'] ?? 0);
    return [{ eventCode: nfseConfirmation, delayMs: seconds * 1_000 }];
  }
  const { automaticManifesting } = given;
  if (family !== 'nfe' || !isRecord(automaticManifesting)) return [];
  return nfeCodes.flatMap(([name, eventCode]) => {
    const minutes = automaticManifesting[name];
    return typeof minutes === 'number' ? [{ eventCode, delayMs: minutes * minuteMs }] : [];
  });
}

/** Sends the event, unless the setting is off or the company has manifested. A longer delay postpones it. */
export function manifestAutomatically(core: Core, payload: unknown, at: number): void {
  if (!isRecord(payload)) return;
  const { companyId, accessKey, family, eventCode, capturedAt } = payload;
  if (typeof companyId !== 'string' || typeof accessKey !== 'string') return;
  if (family !== 'nfe' && family !== 'nfse') return;
  const wish = automaticEventsOf(core, { companyId, family }).find((each) => each.eventCode === eventCode);
  if (wish === undefined) return;
  const dueAt = Number(capturedAt) + wish.delayMs;
  if (dueAt > at) return core.work.schedule(kind, dueAt, payload);
  const meant = { companyId, accessKey, eventCode: wish.eventCode, at };
  if (family === 'nfe') manifestNfe(core, meant);
  else manifestNfse(core, meant);
}

interface AutomaticManifestation {
  readonly companyId: string;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly at: number;
}

function manifestNfe(core: Core, { companyId, accessKey, eventCode, at }: AutomaticManifestation): void {
  const { tenantId } = core.account;
  const spoken = core.registry.of(accessKey, authorOf(core, tenantId, companyId));
  if (spoken.some((each) => conclusive.includes(each.eventCode))) return;
  if (conclusive.some((code) => core.nfeEvents.live(accessKey, code, 1) !== undefined)) return;
  const id = core.chance.uuid();
  const event = { id, tenantId, companyId, accessKey, eventCode, sequence: 1, detail: {} };
  core.nfeEvents.put({ ...event, ...freshEvent, createdAt: at, modifiedAt: at });
  scheduleNfeSending(core, id, at);
}

function manifestNfse(core: Core, { companyId, accessKey, eventCode, at }: AutomaticManifestation): void {
  const { tenantId } = core.account;
  if (core.registry.of(accessKey, authorOf(core, tenantId, companyId)).length > 0) return;
  const standing = core.nfseManifestations.ofKey(companyId, accessKey);
  if (standing.some(({ status }) => status === 'Pending' || status === 'Accepted')) return;
  const id = core.chance.uuid();
  const manifestation = { id, companyId, accessKey, eventCode, reasonCode: null, justification: null };
  core.nfseManifestations.put({ ...manifestation, ...freshManifestation, createdAt: at });
  scheduleNfseSending(core, id, at);
}
