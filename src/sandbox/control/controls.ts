import { addKey, makeTestPfx, setCapture, setCertificate } from './company.js';
import type { ControlRoute } from './control.js';
import { deliverNow, listDeliveries } from './deliveries.js';
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
