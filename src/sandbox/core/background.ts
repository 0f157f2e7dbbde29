import { captureEvent } from '../inbound/distribution.js';
import { captureOwnInvoice } from '../inbound/own-invoices.js';
import { lateKind, performLate } from '../http/perform-operation.js';
import { captureNow } from '../inbound/capture.js';
import { advanceInvoice } from '../invoice/advance.js';
import { sendNfeEvent, sendNfseManifestation } from '../manifestation/send.js';
import { validateProduct } from '../product/validation.js';
import { endChange } from '../invoice/change.js';
import { sweepOn } from '../maintenance/sweep.js';
import { manifestAutomatically } from '../manifestation/automatic.js';
import type { Core } from './core.js';

/** One unit of background work; `at` is its due time, which is also the time of its effects. */
type WorkStep = (core: Core, payload: unknown, at: number) => void;

const steps: Readonly<Record<string, WorkStep>> = {
  'product-validation': validateProduct,
  'nfe-manifestation-send': sendNfeEvent,
  'nfse-manifestation-send': sendNfseManifestation,
  'invoice-issue': advanceInvoice,
  'invoice-event': endChange,
  'nfse-backfill-sweep': sweepOn,
  'nfse-capture': captureNow,
  'event-distribution': captureEvent,
  'own-invoice': captureOwnInvoice,
  'automatic-manifestation': manifestAutomatically,
  [lateKind]: performLate,
};

/**
 * Does all due work, in order of time, including due work that it causes. Returns the number of steps. Requires a
 * transaction.
 */
export function runDueWork(core: Core): number {
  const now = core.clock.now();
  let done = 0;
  for (let row = core.work.take(now); row !== undefined; row = core.work.take(now)) {
    const step = steps[row.kind];
    if (step === undefined) throw new Error(`no step for work of the kind ${row.kind}`);
    step(core, row.payload, row.dueAt);
    done += 1;
  }
  return done;
}
