import { receiveNfseManifestation } from '../authority/authority.js';
import type { Core } from '../core/core.js';
import { announceManifestation } from '../webhook/announce-others.js';
import { authorOf } from './author.js';
import type { StoredNfseManifestation } from './nfse-manifestations.js';
import { chooseOutcome, readDueSending, scheduleSending } from './due-sending.js';

const kind = 'nfse-manifestation-send';

export function scheduleNfseSending(core: Core, id: string, at: number): void {
  scheduleSending(core, kind, id, at);
}

/** §4: sent through a queue. `Pending` → `Accepted`, `Rejected` or `Failed` (transitions assumed, as for NF-e). */
export function sendNfseManifestation(core: Core, payload: unknown, at: number): void {
  const due = readDueSending(payload);
  const manifestation = due && core.nfseManifestations.get(due.id);
  if (due === undefined || manifestation?.status !== 'Pending') return;
  const { companyId, accessKey, eventCode } = manifestation;
  const outcome = chooseOutcome(core, due, { kind, accessKey, eventCode, at });
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
