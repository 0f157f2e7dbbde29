import { randomUUID } from 'node:crypto';
import type { ControlRequest, ControlRoute } from '../control/control.js';
import { runDueWork } from '../core/background.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import { answerOf, refusalReply } from './answer.js';
import { type Arrival, readJson } from './arrival.js';
import type { Delivery } from './serve-operation.js';
import type { Service } from './service.js';

/** Serves a control route. It is no request to the service: no ledger, no fault, no rate. */
export async function serveControl(
  service: Service,
  byMethod: ControlRoute,
  arrival: Arrival,
): Promise<Delivery> {
  const requestId = randomUUID();
  try {
    const control = byMethod[arrival.method];
    if (control === undefined) {
      throw new Refusal('method_not_allowed', `This route takes ${Object.keys(byMethod).join(', ')}.`);
    }
    const answered = await perform(service, control, { query: arrival.query, body: readJson(arrival) });
    return { answer: answerOf({ status: 200, body: answered }, requestId), fault: undefined };
  } catch (error) {
    return { answer: answerOf(refusalReply(error, requestId), requestId), fault: undefined };
  }
}

async function perform(
  { core, sender }: Service,
  control: ControlRoute[string],
  request: ControlRequest,
): Promise<object> {
  const begin = <Begun>(step: (core: Core, request: ControlRequest) => Begun): Begun =>
    core.transaction(() => {
      runDueWork(core);
      return step(core, request);
    });
  if (typeof control === 'function') return begin(control);
  if ('prepare' in control) return await begin(control.prepare)();
  const begun = begin(control.begin);
  await sender.settle(control.waitMs, control.pace);
  return core.transaction(() => control.finish(core, begun));
}
