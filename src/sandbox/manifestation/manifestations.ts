import type { NfeManifestation, NfseManifestation } from '../../contract/manifestation.js';
import { type OperationId, operations } from '../../contract/operations.js';
import { failed, receiveNfeEvent } from '../authority/authority.js';
import {
  authorOf,
  companyOf,
  findActiveCompany,
  liveAlready,
  requireActive,
  requireCompany,
  requireNfeKey,
  requireNfseKey,
} from '../company/find-company.js';
import type { Core } from '../core/core.js';
import { isRecord, onlySet } from '../core/exact-json.js';
import type { EventResult, StoredNfeEvent, StoredNfseManifestation } from '../core/records.js';
import { Refusal, invalid } from '../core/refusal.js';
import { type Call, type HandlersOf, type Reply, inBackground } from '../http/handler.js';
import { readNfeSubmission, readNfseEventCode, readNfseSubmission, requireJustification } from './read-submission.js';
import { freshEvent, freshManifestation, scheduleNfeSending, scheduleNfseSending } from './send.js';

/** Manifestation of the NF-e recipient (§4). */
export const nfeManifestationHandlers: HandlersOf<Extract<OperationId, `nfe.manifestation.${string}`>> = {
  'nfe.manifestation.submit': submit,
  'nfe.manifestation.get': get,
  'nfe.manifestation.legacy': legacy,
};

/** The six synchronous checks of §4, in order; then at most one live event per key, code and sequence. */
function submit(core: Core, call: Call<'nfe.manifestation.submit'>): Reply {
  const { accessKey } = call.path;
  const { tenantId } = call.caller;
  const named = call.companyId === undefined ? undefined : requireCompany(core, tenantId, call.companyId);
  requireNfeKey(accessKey, core.options.alphanumericKeys);
  const { eventCode, sequence, detail } = readNfeSubmission(call.body);
  const companyId = findActiveCompany(core, { tenantId, accessKey, named });
  requireJustification(eventCode, detail);
  const live = core.nfeEvents.live(accessKey, eventCode, sequence);
  if (live !== undefined) throw liveAlready();

  const id = core.chance.uuid();
  const createdAt = core.clock.now();
  const asked = { id, tenantId, companyId, accessKey, eventCode, sequence, detail };
  const event = { ...asked, ...freshEvent, createdAt, modifiedAt: createdAt };
  core.nfeEvents.put(event);
  scheduleNfeSending(core, id, createdAt);
  return {
    status: 202,
    headers: { location: call.origin + operations['nfe.manifestation.get'].path.replace('{id}', id) },
    body: { ...shown(event), documentId: id, companyId, message: inBackground },
    effect: { created: 'nfe-manifestation', id, accessKey, eventCode: String(eventCode), nSequencia: String(sequence) },
  };
}

function get(core: Core, call: Call<'nfe.manifestation.get'>): Reply {
  const event = core.nfeEvents.get(call.path.id);
  const isTheirs = event?.tenantId === call.caller.tenantId;
  if (!isTheirs || (call.companyId !== undefined && call.companyId !== event.companyId)) {
    throw new Refusal('not_found', 'There is no manifestation event with this id.');
  }
  return { status: 200, body: { ...shown(event), companyId: event.companyId } };
}

/** Fields beyond those of §2 are assumed. */
function shown(event: StoredNfeEvent): NfeManifestation {
  return {
    id: event.id,
    accessKey: event.accessKey,
    eventCode: event.eventCode,
    nSequencia: event.sequence,
    detail: event.detail,
    status: event.status,
    ...shownResult(event),
    createdOn: new Date(event.createdAt).toISOString(),
    modifiedOn: new Date(event.modifiedAt).toISOString(),
  };
}

/** Omits fields without a value. */
function shownResult({ protocol, errorCode, errorMessage }: Omit<EventResult, 'status'>) {
  return { ...onlySet({ protocol, errorCode, errorMessage }) };
}

/** What the replaced route sends without a code (published). */
const awareness = 210210;
const legacyCodes: readonly number[] = [210200, awareness, 210220, 210240];
/** RFC 9745; the date is assumed. §9 names the route that replaces this one. */
const deprecation = {
  deprecation: `@${Date.UTC(2026, 0, 1) / 1_000}`,
  link: `<${operations['nfe.manifestation.submit'].path}>; rel="successor-version"`,
};

/**
 * The replaced route: sends at once and stores nothing, so that a repeat is a second submission to the authority. The
 * answer is a JSON string (published) and does not tell the decision.
 */
function legacy(core: Core, call: Call<'nfe.manifestation.legacy'>): Reply {
  const { accessKey } = call.path;
  const { tenantId } = call.caller;
  const named = call.companyId === undefined ? undefined : requireCompany(core, tenantId, call.companyId);
  requireNfeKey(accessKey, core.options.alphanumericKeys);
  const eventCode = Number(call.query.get('tpEvent') ?? awareness);
  if (!legacyCodes.includes(eventCode)) {
    throw invalid('tpEvent', `Must be one of: ${legacyCodes.join(', ')}.`);
  }
  const companyId = findActiveCompany(core, { tenantId, accessKey, named });
  const outcome = core.outcomes.strike(accessKey, eventCode);
  const author = authorOf(core, tenantId, companyId);
  const event = { companyId, accessKey, eventCode, sequence: 1, author, detail: legacyDetail(call.body) };
  const result = receiveNfeEvent(core, { ...event, sentAt: core.clock.now(), outcome }) ?? failed;
  const { status, errorCode } = result;
  const sent = { sent: 'nfe-manifestation', accessKey, eventCode: String(eventCode), status };
  const effect = errorCode === null ? sent : { ...sent, errorCode };
  return { status: 200, headers: deprecation, body: 'The event was sent to the tax authority.', effect };
}

function legacyDetail(body: unknown): Readonly<Record<string, unknown>> {
  const justification = isRecord(body) ? body['justification'] : undefined;
  return onlySet({ justification });
}

/** Manifestation of the NFS-e taker (§4; all but the path of the submission is public or assumed). */
export const nfseManifestationHandlers: HandlersOf<Extract<OperationId, `nfse.manifestation.${string}`>> = {
  'nfse.manifestation.submit': submitNfse,
  'nfse.manifestation.list': listNfse,
  'nfse.manifestation.get': getNfse,
};

function submitNfse(core: Core, call: Call<'nfse.manifestation.submit'>): Reply {
  const { accessKey } = call.path;
  const companyId = companyOf(core, call);
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
    body: { ...shownNfse(manifestation), documentId: id, message: inBackground },
    effect: { created: 'nfse-manifestation', id, accessKey, eventCode: String(eventCode) },
  };
}

function detailPath(companyId: string, id: string): string {
  const { path } = operations['nfse.manifestation.get'];
  return path.replace('{companyId}', companyId).replace('{id}', id);
}

function listNfse(core: Core, call: Call<'nfse.manifestation.list'>): Reply {
  const { accessKey } = call.path;
  const companyId = companyOf(core, call);
  requireNfseKey(accessKey, core.options.alphanumericKeys);
  const items = core.nfseManifestations.ofKey(companyId, accessKey).map(shownNfse);
  return { status: 200, body: { items } };
}

function getNfse(core: Core, call: Call<'nfse.manifestation.get'>): Reply {
  const companyId = companyOf(core, call);
  const manifestation = core.nfseManifestations.get(call.path.id);
  if (manifestation?.companyId !== companyId) {
    throw new Refusal('not_found', 'There is no manifestation with this id.');
  }
  return { status: 200, body: shownNfse(manifestation) };
}

/** Omits fields without a value. */
function shownNfse(stored: StoredNfseManifestation): NfseManifestation {
  const { reasonCode, justification, submittedAt, acceptedAt, errorCode, errorMessage } = stored;
  return {
    id: stored.id,
    companyId: stored.companyId,
    accessKey: stored.accessKey,
    eventCode: stored.eventCode,
    ...onlySet({ reasonCode, justification }),
    status: stored.status,
    createdAt: new Date(stored.createdAt).toISOString(),
    ...(submittedAt === null ? {} : { submittedAt: new Date(submittedAt).toISOString() }),
    ...(acceptedAt === null ? {} : { acceptedAt: new Date(acceptedAt).toISOString() }),
    ...onlySet({ errorCode, errorMessage }),
  };
}
