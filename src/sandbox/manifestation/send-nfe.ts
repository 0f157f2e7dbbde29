import { receiveNfeEvent } from '../authority/authority.js';
import { authorOf } from './author.js';
import type { Core } from '../core/core.js';
import { chooseOutcome, readDueSending, scheduleSending } from './due-sending.js';

const kind = 'nfe-manifestation-send';

export function scheduleNfeSending(core: Core, id: string, at: number): void {
  scheduleSending(core, kind, id, at);
}

/** §3: `Pending` → `Accepted`, `Rejected` or `Failed`, as the authority answers. */
export function sendNfeEvent(core: Core, payload: unknown, at: number): void {
  const due = readDueSending(payload);
  const event = due && core.nfeEvents.get(due.id);
  if (due === undefined || event?.status !== 'Pending') return;
  const { tenantId, companyId, accessKey, eventCode, sequence, detail } = event;
  const outcome = chooseOutcome(core, due, { kind, accessKey, eventCode, at });
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
