import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import type { Reply } from '../routes/handler.js';
import { temporaryReader } from '../routes/temporary-bytes.js';
import { answerOf, refusalReply } from './answer.js';
import { type App, reply } from './app.js';
import type { Arrival } from './arrival.js';
import { identify } from './authenticate.js';
import { cutOf, replyOver } from './fault-replies.js';
import type { Delivery } from './serve-operation.js';

/** The other port: temporary addresses that need no key. The ledger tells when one comes all the same. */
export function buildByteApp(core: Core): App {
  const app: App = new Hono({ strict: true });
  app.all('*', (context) => reply(context, (arrival) => serveBytes(core, arrival)));
  return app;
}

function serveBytes(core: Core, arrival: Arrival): Delivery {
  const requestId = randomUUID();
  return core.transaction(() => {
    const found = core.byteHost.read(arrival.path, arrival.query);
    const read = found === undefined ? undefined : temporaryReader(found.operation);
    const fault = core.faults.strike(read === undefined ? null : (found?.operation ?? null));
    const decide = (): Reply => {
      if (found === undefined || read === undefined)
        throw new Refusal('forbidden', 'The address is not valid.');
      return read(core, found);
    };
    const answered = replyOver(fault, requestId) ?? refusing(decide, requestId);
    const cut = cutOf(fault);
    core.ledger.add({
      at: new Date(core.clock.now()).toISOString(),
      operation: null,
      method: arrival.method,
      path: arrival.path,
      keyKind: identify(core, arrival, undefined).keyKind,
      status: cut === 'before' || cut === 'after' ? null : answered.status,
      cut,
      effect: null,
      billed: null,
      idempotencyKey: null,
      requestId,
      fault: fault?.kind ?? null,
    });
    return { answer: answerOf(answered, requestId), fault };
  });
}

function refusing(decide: () => Reply, requestId: string): Reply {
  try {
    return decide();
  } catch (error) {
    if (error instanceof Refusal) return refusalReply(error, requestId);
    throw error;
  }
}
