import { onlySet, isRecord } from '../core/exact-json.js';
import { queryNumber } from '../core/checks.js';
import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import { announce } from '../webhook/announce.js';
import type { StoredDelivery } from '../webhook/deliveries.js';
import {
  fieldsOf,
  numberField,
  textField,
  type ControlRequest,
  type ControlRoute,
  type Fields,
  type WaitingControl,
} from './control.js';
import { addKey, makeTestPfx, setCapture, setCertificate } from './company.js';
import {
  addDocument,
  addHostile,
  clearHostile,
  listDocuments,
  setArrivals,
  setBytes,
  setEvents,
  setPages,
  showBehaviour,
  stopArrivals,
  usualEvents,
} from './documents.js';
import {
  addFault,
  addInvoiceOutcome,
  addOutcome,
  clearFaults,
  clearInvoiceOutcomes,
  clearOutcomes,
  listFaults,
  showAuthority,
  showInvoiceOutcomes,
} from './failures.js';
import { addFiles } from './files.js';
import { addSeed } from './seed.js';
import {
  changeClock,
  clearLedger,
  reset,
  setMode,
  setSigning,
  setSweep,
  showClock,
  showLedger,
  showMode,
  showRoutes,
  showSigning,
  showStatus,
  showSweep,
  showUsage,
  usualMode,
  usualSweep,
} from './state.js';

const most = 1_000_000;
const mostShown = 1_000;

/** The number of deliveries by state, and a page of deliveries: `?after=` a position, `?limit=`. */
function listDeliveries(core: Core, { query }: ControlRequest): object {
  const limit = Math.min(queryNumber(query, 'limit', mostShown), mostShown);
  const deliveries = core.deliveries.page(queryNumber(query, 'after', 0), limit).map(shown);
  return { ...counts(core), deliveries };
}

/**
 * `{event, resource?, payload?, count?, resources?}`: announces an event to the webhooks. `count` events are spread
 * over `resources` invented resources. Answers when all are sent, or after `waitMs`.
 */
const deliverNow: WaitingControl = {
  begin: addEvents,
  waitMs: 20_000,
  pace: 'from-now',
  finish(core, begun) {
    const after = isRecord(begun) ? Number(begun['after']) : 0;
    return { ...begun, ...counts(core), deliveries: core.deliveries.page(after, 100).map(shown) };
  },
};

function addEvents(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['event', 'resource', 'payload', 'count', 'resources']);
  const event = eventOf(fields);
  const count = numberField(fields, 'count', { from: 1, to: most, whole: true }) ?? 1;
  const resources = numberField(fields, 'resources', { from: 1, to: most, whole: true }) ?? 1;
  const { payload = {} } = fields;
  if (!isRecord(payload)) throw invalid('payload', 'Must be an object.');
  const named = textField(fields, 'resource');
  const after = core.deliveries.last();
  const { tenantId } = core.account;
  let made = 0;
  for (let sequence = 1; sequence <= count; sequence += 1) {
    const resource = named ?? `resource-${((sequence - 1) % resources) + 1}`;
    // Continues across calls, so that no two events have the same body.
    const content = { id: resource, sequence: after + sequence, ...payload };
    made += announce(core, { tenantId, event, resource, payload: content, at: core.clock.now() });
  }
  if (made === 0) throw invalid('event', 'No active webhook of the account subscribes to it.');
  return { event, events: count, after };
}

function eventOf(fields: Fields): string {
  const event = textField(fields, 'event');
  if (event === undefined) throw invalid('event', 'Is required, e.g. product.active.');
  // Unknown names are valid: lists of events grow.
  if (/^[a-z][a-z0-9_.-]{0,99}$/.test(event)) return event;
  throw invalid('event', 'Must be the name of an event, e.g. product.active.');
}

function counts(core: Core): object {
  return {
    genuine: core.deliveries.countByState('genuine'),
    copies: core.deliveries.countByState('copy'),
    forged: core.deliveries.countByState('forged'),
  };
}

function shown(delivery: StoredDelivery): object {
  const { position, id, kind, webhookId, uri, event, resource, state, attempts } = delivery;
  const { status, error, dueAt, endedOn, documentId } = delivery;
  return {
    ...{ position, id, kind, event, resource, state, attempts, webhookId, uri },
    ...onlySet({ status, error, documentId }),
    ...(state === 'waiting' ? { dueOn: new Date(dueAt).toISOString() } : {}),
    ...(endedOn === null ? {} : { endedOn: new Date(endedOn).toISOString() }),
  };
}

/** The routes under `/__sandbox/`, by path and method. */
export const controls: Readonly<Record<string, ControlRoute>> = {
  status: { GET: showStatus },
  clock: { GET: showClock, POST: changeClock },
  faults: { GET: listFaults, POST: addFault, DELETE: clearFaults },
  mode: { GET: showMode, POST: setMode, DELETE: usualMode },
  authority: { GET: showAuthority, POST: addOutcome, DELETE: clearOutcomes },
  outcomes: { GET: showInvoiceOutcomes, POST: addInvoiceOutcome, DELETE: clearInvoiceOutcomes },
  captures: { POST: setCapture },
  certificates: { POST: setCertificate },
  sweep: { GET: showSweep, POST: setSweep, DELETE: usualSweep },
  bytes: { POST: setBytes },
  arrivals: { GET: showBehaviour, POST: setArrivals, DELETE: stopArrivals },
  pages: { POST: setPages },
  events: { GET: showBehaviour, POST: setEvents, DELETE: usualEvents },
  hostile: { GET: showBehaviour, POST: addHostile, DELETE: clearHostile },
  documents: { GET: listDocuments, POST: addDocument },
  ledger: { GET: showLedger, DELETE: clearLedger },
  usage: { GET: showUsage },
  pfx: { POST: makeTestPfx },
  deliveries: { GET: listDeliveries, POST: deliverNow },
  signing: { GET: showSigning, POST: setSigning },
  keys: { POST: addKey },
  seed: { POST: addSeed },
  files: { POST: addFiles },
  reset: { POST: reset },
  routes: { GET: showRoutes },
};
