import type { Core } from '../core/core.js';
import { nextNsu } from '../document/invent-document.js';
import { spacedUntil } from '../maintenance/spacing.js';
import { isRecord } from '../product/read-product.js';
import { announceAgain } from '../webhook/announce-inbound.js';

const kind = 'nfe-full-note';
const hourMs = 3_600_000;
/** facts §3: after these events the authority delivers the note itself; after 210220 it does not. */
const releasing: readonly number[] = [210200, 210210, 210240];

export interface Recipient {
  readonly companyId: string;
  readonly accessKey: string;
}

/** The authority has registered an event of the recipient: the next capture brings the note where it had the summary. */
export function scheduleFullNote(
  core: Core,
  { companyId, accessKey }: Recipient,
  { eventCode, at }: { readonly eventCode: number; readonly at: number },
): void {
  if (!releasing.includes(eventCode)) return;
  if (core.documents.get(accessKey, companyId)?.stage !== 'summary') return;
  core.work.schedule(kind, at + core.options.validationDelayMs, { companyId, accessKey });
}

/** It comes as a new NSU (facts §3). While nothing is captured for the company, it is tried again every hour. */
export function deliverFullNote(core: Core, payload: unknown, at: number): void {
  if (!isRecord(payload)) return;
  const { companyId, accessKey } = payload;
  if (typeof companyId !== 'string' || typeof accessKey !== 'string') return;
  const summary = core.documents.get(accessKey, companyId);
  if (summary?.stage !== 'summary') return;
  const isCapturing =
    core.captures.isActive(companyId, 'nfe') && spacedUntil(core, companyId, 'nfe') === undefined;
  if (!isCapturing) return core.work.schedule(kind, core.clock.now() + hourMs, { companyId, accessKey });
  const nsu = nextNsu(core, companyId, 'nfe');
  const note = { ...summary, stage: 'full', status: 'Processed', nsu, modifiedOn: at } as const;
  if (summary.visibility === 'listed') announceAgain(core, note, at);
  else core.documents.put(note);
}
