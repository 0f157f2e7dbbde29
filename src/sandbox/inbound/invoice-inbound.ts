import type { ByteOperationId } from '../../contract/inbound-bodies.js';
import { inboundSettingNames } from '../../contract/inbound.js';
import type { OperationId } from '../../contract/operations.js';
import { companyOf, requireCompany } from '../company/find-company.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import type { Call, HandlersOf, Reply } from '../http/handler.js';
import { announceAgain } from '../webhook/announce.js';
import { answerBytes, requireDocument } from './bytes.js';
import { arriveBeforeList } from './capture.js';
import { eventFields } from './odata-filter.js';
import { notePage, noteShows, odataPage } from './pages.js';
import { readSettings, refuseStartFromDate, requireSettings, saveSettings, showSettings } from './settings.js';
import { holderOf, showEvent, showNfe } from './show.js';

type InvoiceFamily = 'nfe' | 'cte';
type InvoiceOperation = Extract<OperationId, `${InvoiceFamily}.inbound.${string}`>;
/** All these paths contain the company. */
type InvoiceCall = Call<'nfe.inbound.list'> | Call<InvoiceOperation>;

/** Inbound of NF-e and CT-e: settings, lists by OData, metadata, bytes and events (§1, §2, §4). */
export const invoiceInboundHandlers: HandlersOf<InvoiceOperation> = {
  'nfe.inbound.enable': (core, call) => enable(core, call, 'nfe'),
  'nfe.inbound.settings': (core, call) => settings(core, call, 'nfe'),
  'nfe.inbound.update': update,
  'nfe.inbound.disable': (core, call) => disable(core, call, 'nfe'),
  'nfe.inbound.list': (core, call) => list(core, call, 'nfe'),
  'nfe.inbound.get': (core, call) => get(core, call, 'nfe'),
  'nfe.inbound.xml': (core, call) => bytes(core, call, call.path.accessKey),
  'nfe.inbound.pdf': (core, call) => bytes(core, call, call.path.accessKey),
  'nfe.inbound.json': json,
  'nfe.inbound.events': (core, call) => events(core, call, 'nfe'),
  'nfe.inbound.event.get': event,
  'nfe.inbound.event.xml': (core, call) => bytes(core, call, call.path.eventKey),
  'nfe.inbound.reprocessWebhook': reprocessWebhook,
  'cte.inbound.enable': (core, call) => enable(core, call, 'cte'),
  'cte.inbound.settings': (core, call) => settings(core, call, 'cte'),
  'cte.inbound.disable': (core, call) => disable(core, call, 'cte'),
  'cte.inbound.list': (core, call) => list(core, call, 'cte'),
  'cte.inbound.get': (core, call) => get(core, call, 'cte'),
  'cte.inbound.xml': (core, call) => bytes(core, call, call.path.accessKey),
  'cte.inbound.pdf': (core, call) => bytes(core, call, call.path.accessKey),
  'cte.inbound.events': (core, call) => events(core, call, 'cte'),
  'cte.inbound.event.get': event,
  'cte.inbound.event.xml': (core, call) => bytes(core, call, call.path.eventKey),
};

/** A repeat replaces the settings but keeps the cut-off (§2). */
function enable(core: Core, call: InvoiceCall, family: InvoiceFamily): Reply {
  const companyId = companyOf(core, call);
  const given = readSettings(call.body, inboundSettingNames[family], core.clock.now());
  const before = core.captures.settings(companyId, family)?.given;
  const cutOff = before?.['startFromDate'] ?? given['startFromDate'];
  saveSettings(core, { companyId, family }, { ...given, ...(cutOff === undefined ? {} : { startFromDate: cutOff }) });
  const effect = { enabled: `${family}-inbound`, companyId };
  return { status: 200, body: showSettings(core, companyId, family), effect };
}

function settings(core: Core, call: InvoiceCall, family: InvoiceFamily): Reply {
  return { status: 200, body: showSettings(core, companyOf(core, call), family) };
}

/** Partial: omitted settings do not change (assumed). */
function update(core: Core, call: Call<'nfe.inbound.update'>): Reply {
  const companyId = companyOf(core, call);
  const { given: before } = requireSettings(core, companyId, 'nfe');
  refuseStartFromDate(call.body);
  const given = { ...before, ...readSettings(call.body, inboundSettingNames.nfe, core.clock.now()) };
  saveSettings(core, { companyId, family: 'nfe' }, given);
  const effect = { updated: 'nfe-inbound', companyId };
  return { status: 200, body: showSettings(core, companyId, 'nfe'), effect };
}

function disable(core: Core, call: InvoiceCall, family: InvoiceFamily): Reply {
  const companyId = companyOf(core, call);
  const shown = showSettings(core, companyId, family);
  core.captures.set(companyId, family, false);
  const effect = { disabled: `${family}-inbound`, companyId };
  return { status: 200, body: { ...shown, status: 'Inactive' }, effect };
}

/** Captured documents stay readable after the capture is disabled. */
function list(core: Core, call: InvoiceCall, family: InvoiceFamily): Reply {
  const companyId = companyOf(core, call);
  arriveBeforeList(core, companyId, family);
  const { address, query } = call;
  return { status: 200, body: notePage(core, query, { companyId, family, address }) };
}

function events(core: Core, call: InvoiceCall, family: InvoiceFamily): Reply {
  const companyId = companyOf(core, call);
  const body = odataPage(core, call.query, {
    companyId,
    family,
    fields: eventFields,
    address: call.address,
    select: (query) => core.listing.events(query),
    count: (query) => core.listing.countEvents(query),
    show: showEvent,
  });
  return { status: 200, body };
}

function get(core: Core, call: Call<'nfe.inbound.get' | 'cte.inbound.get'>, family: InvoiceFamily): Reply {
  const { tenantId } = call.caller;
  const companyId = requireCompany(core, tenantId, call.path.companyId);
  const document = requireDocument(core, { family, companyId, name: call.path.accessKey });
  return { status: 200, body: noteShows[family](document, holderOf(core, companyId)) };
}

/** A selection of the fields of the note (public as a free object). */
function json(core: Core, call: Call<'nfe.inbound.json'>): Reply {
  const companyId = companyOf(core, call);
  const document = requireDocument(core, { family: 'nfe', companyId, name: call.path.accessKey });
  const { accessKey, nfeNumber, nfeSerialNumber, issuedOn, issuer, buyer, totalInvoiceAmount } = showNfe(
    document,
    holderOf(core, companyId),
  );
  const note = { accessKey, nfeNumber, nfeSerialNumber, issuedOn, issuer, buyer, totalInvoiceAmount };
  return { status: 200, body: note };
}

function event(core: Core, call: Call<'nfe.inbound.event.get' | 'cte.inbound.event.get'>): Reply {
  const { accessKey, eventKey } = call.path;
  const companyId = companyOf(core, call);
  const found = core.documentEvents.get(companyId, eventKey);
  if (found?.accessKey !== accessKey) throw new Refusal('not_found', 'There is no such event.');
  return { status: 200, body: showEvent(found) };
}

function bytes(core: Core, call: Call<Extract<InvoiceOperation, ByteOperationId>>, name: string): Reply {
  const companyId = companyOf(core, call);
  return answerBytes(core, { operation: call.operation, companyId, name });
}

function reprocessWebhook(core: Core, call: Call<'nfe.inbound.reprocessWebhook'>): Reply {
  const companyId = companyOf(core, call);
  const { accessKeyOrNsu: name } = call.path;
  const found = /^\d{1,15}$/.test(name)
    ? core.documents.findByNsu('nfe', companyId, Number(name))
    : core.documents.find('nfe', companyId, name);
  if (found === undefined) throw new Refusal('not_found', 'There is no captured NF-e with this key or NSU.');
  announceAgain(core, found);
  const effect = { resent: 'nfe-webhook', accessKey: found.accessKey };
  return { status: 200, body: { documentId: found.id, companyId }, effect };
}
