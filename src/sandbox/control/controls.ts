import { addOutcome, clearOutcomes, showAuthority } from './authority.js';
import { setCapture } from './captures.js';
import { setCertificate } from './certificates.js';
import { changeClock, showClock } from './clock.js';
import type { ControlRoute } from './control.js';
import { deliverNow, listDeliveries } from './deliveries.js';
import { addDocument, listDocuments } from './documents.js';
import { addFault, clearFaults, listFaults } from './faults.js';
import { addHostile, clearHostile } from './hostile.js';
import { setArrivals, setBytes, setPages, showBehaviour, stopArrivals } from './inbound.js';
import { addKey } from './keys.js';
import { addInvoiceOutcome, clearInvoiceOutcomes, showInvoiceOutcomes } from './outcomes.js';
import { clearLedger, showLedger, showUsage } from './ledger.js';
import { addSeed } from './seed.js';
import { setMode, showMode, usualMode } from './service-mode.js';
import { setSigning, showSigning } from './signing.js';
import { setSweep, showSweep, usualSweep } from './sweep.js';
import { makeTestPfx } from './pfx.js';
import { reset, showRoutes, showStatus } from './state.js';

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
  hostile: { GET: showBehaviour, POST: addHostile, DELETE: clearHostile },
  documents: { GET: listDocuments, POST: addDocument },
  ledger: { GET: showLedger, DELETE: clearLedger },
  usage: { GET: showUsage },
  pfx: { POST: makeTestPfx },
  deliveries: { GET: listDeliveries, POST: deliverNow },
  signing: { GET: showSigning, POST: setSigning },
  keys: { POST: addKey },
  seed: { POST: addSeed },
  reset: { POST: reset },
  routes: { GET: showRoutes },
};
