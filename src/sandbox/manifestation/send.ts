import { receiveNfeEvent, receiveNfseManifestation } from '../authority/authority.js';
import { authorOf } from '../company/find-company.js';
import type { Core } from '../core/core.js';
import { onlySet, isRecord } from '../core/exact-json.js';
import type { StoredNfseManifestation } from '../core/records.js';
import type { StoredOutcome } from '../core/rules.js';
import type { StoredDocument } from '../document/documents.js';
import { announceManifestation } from '../webhook/announce.js';

/** An event of a recipient before it is sent, and a manifestation of a taker. */
export const freshEvent = { status: 'Pending', protocol: null, errorCode: null, errorMessage: null } as const;
export const freshManifestation = {
  status: 'Pending',
  errorCode: null,
  errorMessage: null,
  submittedAt: null,
  acceptedAt: null,
} as const;

const nfeKind = 'nfe-manifestation-send';

export function scheduleNfeSending(core: Core, id: string, at: number): void {
  scheduleSending(core, nfeKind, id, at);
}

/** Sends an event. §3: `Pending` → `Accepted`, `Rejected` or `Failed`, depending on the authority. */
export function sendNfeEvent(core: Core, payload: unknown, at: number): void {
  const due = readDueSending(payload);
  const event = due && core.nfeEvents.get(due.id);
  if (due === undefined || event?.status !== 'Pending') return;
  const { tenantId, companyId, accessKey, eventCode, sequence, detail } = event;
  const outcome = chooseOutcome(core, due, { kind: nfeKind, accessKey, eventCode, at });
  if (outcome === 'later') return;
  const author = authorOf(core, tenantId, companyId);
  const answer = receiveNfeEvent(core, {
    companyId,
    accessKey,
    eventCode,
    sequence,
    detail,
    author,
    sentAt: at,
    outcome,
  });
  if (answer !== undefined) core.nfeEvents.end(event.id, answer, at);
}

const nfseKind = 'nfse-manifestation-send';

export function scheduleNfseSending(core: Core, id: string, at: number): void {
  scheduleSending(core, nfseKind, id, at);
}

/**
 * Sends a manifestation. §4: through a queue. `Pending` → `Accepted`, `Rejected` or `Failed` (assumed, as for NF-e).
 */
export function sendNfseManifestation(core: Core, payload: unknown, at: number): void {
  const due = readDueSending(payload);
  const manifestation = due && core.nfseManifestations.get(due.id);
  if (due === undefined || manifestation?.status !== 'Pending') return;
  const { companyId, accessKey, eventCode } = manifestation;
  const outcome = chooseOutcome(core, due, { kind: nfseKind, accessKey, eventCode, at });
  if (outcome === 'later') return;
  const answer = receiveNfseManifestation(core, {
    companyId,
    accessKey,
    eventCode,
    sequence: 1,
    detail: detailOf(manifestation),
    author: authorOf(core, core.account.tenantId, companyId),
    sentAt: at,
    outcome,
  });
  if (answer === undefined) return;
  core.nfseManifestations.end(manifestation.id, answer, at);
  announceManifestation(core, manifestation.id, at);
}

function detailOf({ reasonCode, justification }: StoredNfseManifestation): Readonly<Record<string, unknown>> {
  return { ...onlySet({ reasonCode, justification }) };
}

/** The payload of the work: the event to send, and the rule that has already delayed it. */
interface DueSending {
  readonly id: string;
  readonly delayedBy: number | undefined;
}

function readDueSending(payload: unknown): DueSending | undefined {
  if (!isRecord(payload) || typeof payload['id'] !== 'string') return undefined;
  const { id, delayedBy } = payload;
  return { id, delayedBy: typeof delayedBy === 'number' ? delayedBy : undefined };
}

/** Schedules the sending after the sandbox's delay. `at`: the time of creation. */
function scheduleSending(core: Core, kind: string, id: string, at: number): void {
  core.work.schedule(kind, at + core.options.validationDelayMs, { id });
}

interface Subject {
  readonly kind: string;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly at: number;
}

/** The configured outcome of this event; `later` if it postpones the sending. */
function chooseOutcome(
  core: Core,
  { id, delayedBy }: DueSending,
  { kind, accessKey, eventCode, at }: Subject,
): StoredOutcome | 'later' | undefined {
  if (delayedBy !== undefined) return core.outcomes.get(delayedBy);
  const outcome = core.outcomes.strike(accessKey, eventCode);
  if (outcome?.delayMs === undefined) return outcome;
  core.work.schedule(kind, at + outcome.delayMs, { id, delayedBy: outcome.id });
  return 'later';
}

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
    const minutes = automaticManifesting[name] ?? undefined;
    return minutes === undefined ? [] : [{ eventCode, delayMs: Number(minutes) * minuteMs }];
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
