import { spacedUntil } from '../company/certificates.js';
import type { Core } from '../core/core.js';
import { isRecord } from '../core/exact-json.js';
import { type RegisteredEvent, capturedEvent } from '../document/document-events.js';
import { nextNsu } from '../document/invent-document.js';
import { announceAgain } from '../webhook/announce.js';

const kind = 'event-distribution';
const hourMs = 3_600_000;
/** facts §3: after these events the authority delivers the full note; after 210220 it does not. */
const releasing: readonly number[] = [210200, 210210, 210240];

/**
 * Distributes a registered event: the next capture of the sender, and of every company that holds the note, brings
 * the event, and the full note where the recipient had its summary.
 */
export function distributeEvent(core: Core, event: RegisteredEvent, sender?: string): void {
  const holders = core.documents
    .withKey(event.accessKey)
    .filter(({ visibility }) => visibility !== 'uncaptured')
    .map(({ companyId }) => companyId);
  for (const companyId of new Set([...(sender === undefined ? [] : [sender]), ...holders])) {
    core.work.schedule(kind, event.at + core.options.validationDelayMs, { companyId, event });
  }
}

/** Retries every hour while the company captures nothing. */
export function captureEvent(core: Core, payload: unknown, at: number): void {
  const { companyId, event } = readPayload(payload);
  const { family, accessKey, eventCode, author } = event;
  const isCapturing = core.captures.isActive(companyId, family) && spacedUntil(core, companyId, family) === undefined;
  if (!isCapturing) return core.work.schedule(kind, core.clock.now() + hourMs, { companyId, event });
  const nsu = core.documentEvents.nextNsu(companyId, family);
  core.documentEvents.add(capturedEvent(event, { companyId, nsu, createdOn: at }));
  const isRecipient = core.companies.find(core.account.tenantId, companyId)?.federalTaxNumber === author;
  if (isRecipient && releasing.includes(eventCode)) captureFullNote(core, { companyId, accessKey, at });
}

/** The full note gets a new NSU (facts §3). */
function captureFullNote(
  core: Core,
  { companyId, accessKey, at }: { readonly companyId: string; readonly accessKey: string; readonly at: number },
): void {
  const summary = core.documents.get(accessKey, companyId);
  if (summary?.stage !== 'summary') return;
  const nsu = nextNsu(core, companyId, 'nfe');
  const note = { ...summary, stage: 'full', status: 'Processed', nsu, modifiedOn: at } as const;
  if (summary.visibility === 'listed') announceAgain(core, note, at);
  else core.documents.put(note);
}

interface Payload {
  readonly companyId: string;
  readonly event: RegisteredEvent;
}

/** Written by `distributeEvent`. */
function readPayload(payload: unknown): Payload {
  if (isPayload(payload)) return payload;
  throw new Error('work without a company or an event');
}

function isPayload(payload: unknown): payload is Payload {
  return isRecord(payload) && typeof payload['companyId'] === 'string' && isRecord(payload['event']);
}
