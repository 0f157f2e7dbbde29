import { randomUUID } from 'node:crypto';
import type { Control } from '../control/control.js';
import { runDueWork } from '../core/background.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import { answerOf, refusalReply } from './answer.js';
import { type Arrival, readJson } from './arrival.js';
import type { Delivery } from './serve-operation.js';

/** Serves a control route. It is no request to the service: no ledger, no fault, no rate. */
export function serveControl(
  core: Core,
  byMethod: Readonly<Record<string, Control>>,
  arrival: Arrival,
): Delivery {
  const requestId = randomUUID();
  try {
    const control = byMethod[arrival.method];
    if (control === undefined) {
      throw new Refusal('method_not_allowed', `This route takes ${Object.keys(byMethod).join(', ')}.`);
    }
    const body = readJson(arrival);
    const answered = core.transaction(() => {
      runDueWork(core);
      return control(core, { query: arrival.query, body });
    });
    return { answer: answerOf({ status: 200, body: answered }, requestId), fault: undefined };
  } catch (error) {
    return { answer: answerOf(refusalReply(error, requestId), requestId), fault: undefined };
  }
}
