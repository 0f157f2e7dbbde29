import type { StoredNfseManifestation } from '../core/records.js';
import type { StoredOutcome } from '../core/rules.js';
import { receiveNfeEvent, receiveNfseManifestation } from '../authority/authority.js';
import type { Core } from '../core/core.js';
import { isRecord } from '../product/read-product.js';
import { announceManifestation } from '../webhook/announce.js';
import { authorOf } from './find-company.js';

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
  return {
    ...(reasonCode === null ? {} : { reasonCode }),
    ...(justification === null ? {} : { justification }),
  };
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
