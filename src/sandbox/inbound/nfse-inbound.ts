import type { OperationId } from '../../contract/operations.js';
import { companyOf, requireNfseKey } from '../company/find-company.js';
import type { Core } from '../core/core.js';
import { isRecord, onlySet } from '../core/exact-json.js';
import { Refusal, invalid } from '../core/refusal.js';
import type { StoredDocument } from '../document/documents.js';
import { type Call, type HandlersOf, type Reply, inBackground } from '../http/handler.js';
import { announceAgain } from '../webhook/announce.js';
import { answerBytes, requireDocument } from './bytes.js';
import { arriveBeforeList, fetchByKey } from './capture.js';
import { nfsePage, notePage, odataNames } from './pages.js';
import { holderOf, showNfse, showNfseEvent } from './show.js';

type DocumentOperation = Exclude<
  Extract<OperationId, `nfse.inbound.${string}`>,
  `nfse.inbound.${'enable' | 'companies' | 'settings' | 'update' | 'disable'}`
>;

/** Captured NFS-e (§1, §2; the routes are public) and the capture by key (§4). */
export const nfseInboundHandlers: HandlersOf<DocumentOperation | 'nfse.fetchByKey'> = {
  'nfse.inbound.list': list,
  'nfse.inbound.get': get,
  'nfse.inbound.xml': (core, call) => bytes(core, call),
  'nfse.inbound.pdf': (core, call) => bytes(core, call),
  'nfse.inbound.json': json,
  'nfse.inbound.reprocess': reprocess,
  'nfse.inbound.resendWebhook': resendWebhook,
  'nfse.fetchByKey': fetch,
};

/** Serves both forms of the list; the query selects the form (§1: captured documents are listed by OData). */
function list(core: Core, call: Call<'nfse.inbound.list'>): Reply {
  const companyId = companyOf(core, call);
  arriveBeforeList(core, companyId, 'nfse');
  const isOData = odataNames.some((name) => call.query.has(name));
  if (!isOData) return { status: 200, body: nfsePage(core, companyId, call.query) };
  return { status: 200, body: notePage(core, call.query, { companyId, family: 'nfse', address: call.address }) };
}

type NamedCall = Call<'nfse.inbound.get' | 'nfse.inbound.xml' | 'nfse.inbound.pdf' | 'nfse.inbound.json'>;

function documentOf(core: Core, call: NamedCall) {
  const companyId = companyOf(core, call);
  return requireDocument(core, { family: 'nfse', companyId, name: call.path.idOrAccessKey });
}

function shownOf(core: Core, call: NamedCall) {
  const document = documentOf(core, call);
  return showNfse(core, document, holderOf(core, document.companyId));
}

function bytes(core: Core, call: Call<'nfse.inbound.xml'> | Call<'nfse.inbound.pdf'>): Reply {
  const companyId = companyOf(core, call);
  const { idOrAccessKey: name } = call.path;
  const isEvent = core.documentEvents.get(companyId, name) !== undefined;
  return answerBytes(core, {
    operation: call.operation,
    companyId,
    name: isEvent ? name : documentOf(core, call).accessKey,
  });
}

/** A note with the ids of its events, or one of these events (public). */
function get(core: Core, call: Call<'nfse.inbound.get'>): Reply {
  const companyId = companyOf(core, call);
  const event = core.documentEvents.get(companyId, call.path.idOrAccessKey);
  if (event?.family === 'nfse') return { status: 200, body: showNfseEvent(core, event, holderOf(core, companyId)) };
  return { status: 200, body: shownOf(core, call) };
}

/** The note as JSON; the field names are assumed. */
function json(core: Core, call: Call<'nfse.inbound.json'>): Reply {
  const { accessKey, number, issuedOn, provider, borrower, intermediary, servicesAmount } = shownOf(core, call);
  const parties = { provider, borrower, ...onlySet({ intermediary }) };
  return { status: 200, body: { accessKey, number, issuedOn, ...parties, servicesAmount } };
}

function reprocess(core: Core, call: Call<'nfse.inbound.reprocess'>): Reply {
  const document = namedIn(core, call);
  core.documents.put({ ...document, status: 'Reprocessed', modifiedOn: core.clock.now() });
  return accepted(document, { status: 'Reprocessed' });
}

function resendWebhook(core: Core, call: Call<'nfse.inbound.resendWebhook'>): Reply {
  const document = namedIn(core, call);
  const { webhookStatus } = announceAgain(core, document);
  return accepted(document, { webhookStatus });
}

function namedIn(core: Core, call: Call<'nfse.inbound.reprocess' | 'nfse.inbound.resendWebhook'>): StoredDocument {
  const companyId = companyOf(core, call);
  return requireDocument(core, { family: 'nfse', companyId, name: call.path.id });
}

function accepted({ id, companyId }: StoredDocument, changed: Readonly<Record<string, string>>): Reply {
  const effect = { updated: 'nfse-document', id, ...changed };
  return { status: 202, body: { documentId: id, companyId, message: inBackground }, effect };
}

/** §4: a separate usage record with the action `GetDocByKey`. */
function fetch(core: Core, call: Call<'nfse.fetchByKey'>): Reply {
  const companyId = companyOf(core, call);
  const accessKey = isRecord(call.body) ? call.body['accessKey'] : undefined;
  if (typeof accessKey !== 'string') throw invalid('accessKey', 'Is required.');
  requireNfseKey(accessKey, core.options.alphanumericKeys);
  if (!core.captures.isActive(companyId, 'nfse')) {
    throw new Refusal('not_found', 'The company has no NFS-e inbound.');
  }
  const { document, isNew } = fetchByKey(core, companyId, accessKey);
  const body = showNfse(core, document, holderOf(core, companyId));
  if (!isNew) return { status: 200, body };
  const { tenantId } = call.caller;
  const usage = { tenantId, operation: call.operation, action: 'GetDocByKey', resourceId: accessKey };
  core.usage.add({ at: core.clock.now(), ...usage });
  const effect = { captured: 'nfse', id: document.id, accessKey };
  return { status: 200, body, effect, billed: 'doc-by-key' };
}
