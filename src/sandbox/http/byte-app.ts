import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { ByteOperationId } from '../../contract/inbound-bodies.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import { temporaryBytes } from '../inbound/bytes.js';
import type { Reply } from '../routes/handler.js';
import { answerOf, refusalReply } from './answer.js';
import { type App, reply } from './app.js';
import type { Arrival } from './arrival.js';
import { identify } from './authenticate.js';
import { cutOf, replyOver } from './fault-replies.js';
import type { Delivery } from './serve-operation.js';

const operations = {
  'nfe.inbound.xml': true,
  'nfe.inbound.pdf': true,
  'nfe.inbound.event.xml': true,
  'cte.inbound.xml': true,
  'cte.inbound.pdf': true,
  'cte.inbound.event.xml': true,
  'nfse.inbound.xml': true,
  'nfse.inbound.pdf': true,
} as const satisfies Record<ByteOperationId, true>;

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
    const operation = isByteOperation(found?.operation) ? found.operation : null;
    const fault = core.faults.strike(operation);
    const decide = (): Reply => {
      if (found === undefined || operation === null)
        throw new Refusal('forbidden', 'The address is not valid.');
      return temporaryBytes(core, { ...found, operation });
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

function isByteOperation(text: string | undefined): text is ByteOperationId {
  return text !== undefined && Object.hasOwn(operations, text);
}
