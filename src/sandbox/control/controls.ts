import { addOutcome, clearOutcomes, showAuthority } from './authority.js';
import { setCapture } from './captures.js';
import { setCertificate } from './certificates.js';
import { changeClock, showClock } from './clock.js';
import type { Control } from './control.js';
import { addDocument, listDocuments } from './documents.js';
import { addFault, clearFaults, listFaults } from './faults.js';
import { addHostile, clearHostile } from './hostile.js';
import { setArrivals, setBytes, setPages, showBehaviour, stopArrivals } from './inbound.js';
import { addKey } from './keys.js';
import { addInvoiceOutcome, clearInvoiceOutcomes, showInvoiceOutcomes } from './outcomes.js';
import { clearLedger, showLedger, showUsage } from './ledger.js';
import { addSeed } from './seed.js';
import { setSweep, showSweep, usualSweep } from './sweep.js';
import { makeTestPfx } from './pfx.js';
import { reset, showRoutes, showStatus } from './state.js';

/** The routes under `/__sandbox/`, by path and method. */
export const controls: Readonly<Record<string, Readonly<Record<string, Control>>>> = {
  status: { GET: showStatus },
  clock: { GET: showClock, POST: changeClock },
  faults: { GET: listFaults, POST: addFault, DELETE: clearFaults },
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
  keys: { POST: addKey },
  seed: { POST: addSeed },
  reset: { POST: reset },
  routes: { GET: showRoutes },
};
