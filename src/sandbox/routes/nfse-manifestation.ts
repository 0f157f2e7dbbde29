import type { NfseManifestation } from '../../contract/manifestation.js';
import { type OperationId, operations } from '../../contract/operations.js';
import { liveAlready, requireActive, requireCompany, requireNfseKey } from '../company/find-company.js';
import type { Core } from '../core/core.js';
import type { StoredNfseManifestation } from '../core/records.js';
import { Refusal } from '../core/refusal.js';
import { type Call, type HandlersOf, type Reply, inBackground } from '../http/handler.js';
import { readNfseEventCode, readNfseSubmission } from '../manifestation/read-submission.js';
import { freshManifestation, scheduleNfseSending } from '../manifestation/send.js';

/** Manifestation of the NFS-e taker (§4; all but the path of the submission is public or assumed). */
export const nfseManifestationHandlers: HandlersOf<Extract<OperationId, `nfse.manifestation.${string}`>> = {
  'nfse.manifestation.submit': submit,
  'nfse.manifestation.list': list,
  'nfse.manifestation.get': get,
};

function submit(core: Core, call: Call<'nfse.manifestation.submit'>): Reply {
  const { accessKey } = call.path;
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  requireNfseKey(accessKey, core.options.alphanumericKeys);
  const eventCode = readNfseEventCode(call.body, call.query);
  requireActive(core, companyId, 'nfse');
  const given = readNfseSubmission(call.body, eventCode);
  const live = core.nfseManifestations.live(companyId, accessKey, eventCode);
  if (live !== undefined) throw liveAlready();

  const id = core.chance.uuid();
  const createdAt = core.clock.now();
  const manifestation = { id, companyId, accessKey, ...given, ...freshManifestation, createdAt };
  core.nfseManifestations.put(manifestation);
  scheduleNfseSending(core, id, manifestation.createdAt);
  return {
    status: 202,
    headers: { location: call.origin + detailPath(companyId, id) },
    body: { ...shown(manifestation), documentId: id, message: inBackground },
    effect: { created: 'nfse-manifestation', id, accessKey, eventCode: String(eventCode) },
  };
}

function detailPath(companyId: string, id: string): string {
  const { path } = operations['nfse.manifestation.get'];
  return path.replace('{companyId}', companyId).replace('{id}', id);
}

function list(core: Core, call: Call<'nfse.manifestation.list'>): Reply {
  const { accessKey } = call.path;
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  requireNfseKey(accessKey, core.options.alphanumericKeys);
  const items = core.nfseManifestations.ofKey(companyId, accessKey).map(shown);
  return { status: 200, body: { items } };
}

function get(core: Core, call: Call<'nfse.manifestation.get'>): Reply {
  const companyId = requireCompany(core, call.caller.tenantId, call.path.companyId);
  const manifestation = core.nfseManifestations.get(call.path.id);
  if (manifestation?.companyId !== companyId) {
    throw new Refusal('not_found', 'There is no manifestation with this id.');
  }
  return { status: 200, body: shown(manifestation) };
}

/** Omits fields without a value. */
function shown(stored: StoredNfseManifestation): NfseManifestation {
  const { reasonCode, justification, submittedAt, acceptedAt, errorCode, errorMessage } = stored;
  return {
    id: stored.id,
    companyId: stored.companyId,
    accessKey: stored.accessKey,
    eventCode: stored.eventCode,
    ...(reasonCode === null ? {} : { reasonCode }),
    ...(justification === null ? {} : { justification }),
    status: stored.status,
    createdAt: new Date(stored.createdAt).toISOString(),
    ...(submittedAt === null ? {} : { submittedAt: new Date(submittedAt).toISOString() }),
    ...(acceptedAt === null ? {} : { acceptedAt: new Date(acceptedAt).toISOString() }),
    ...(errorCode === null ? {} : { errorCode }),
    ...(errorMessage === null ? {} : { errorMessage }),
  };
}
