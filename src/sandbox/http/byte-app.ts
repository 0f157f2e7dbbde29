import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import type { ByteOperationId } from '../../contract/inbound-bodies.js';
import type { IssuedByteOperationId } from '../../contract/invoice-bodies.js';
import type { LookupByteOperationId } from '../../contract/lookup-operations.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import type { ByteReference } from '../inbound/byte-host.js';
import { temporaryBytes } from '../inbound/bytes.js';
import { temporaryIssuedBytes } from '../invoice/issued-bytes.js';
import { temporaryAuthorityBytes } from '../registry/authority-nfe.js';
import type { Reply } from '../routes/handler.js';
import { type App, reply } from './app.js';
import { identify } from './authenticate.js';
import { answerOf, cutOf, refusalReply, replyOver } from './reply.js';
import type { Arrival } from './request.js';
import type { Delivery } from './serve-operation.js';

/** The app on the second port: temporary addresses that need no key. The ledger records a key that is sent anyway. */
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

/** Reads the content of a temporary address. */
type TemporaryReader = (core: Core, reference: ByteReference) => Reply;

/** The operations that may return a temporary address. */
const readers: Readonly<
  Record<ByteOperationId | IssuedByteOperationId | LookupByteOperationId, TemporaryReader>
> = {
  'nfe.inbound.xml': inbound('nfe.inbound.xml'),
  'nfe.inbound.pdf': inbound('nfe.inbound.pdf'),
  'nfe.inbound.event.xml': inbound('nfe.inbound.event.xml'),
  'cte.inbound.xml': inbound('cte.inbound.xml'),
  'cte.inbound.pdf': inbound('cte.inbound.pdf'),
  'cte.inbound.event.xml': inbound('cte.inbound.event.xml'),
  'nfse.inbound.xml': inbound('nfse.inbound.xml'),
  'nfse.inbound.pdf': inbound('nfse.inbound.pdf'),
  'nfe.xml': issued('nfe.xml'),
  'nfe.pdf': issued('nfe.pdf'),
  'nfe.letter.xml': issued('nfe.letter.xml'),
  'nfe.letter.pdf': issued('nfe.letter.pdf'),
  'nfe.rejection.xml': issued('nfe.rejection.xml'),
  'nfce.rejection.xml': issued('nfce.rejection.xml'),
  'nfce.xml': issued('nfce.xml'),
  'nfce.pdf': issued('nfce.pdf'),
  'nfse.cancellation.xml': issued('nfse.cancellation.xml'),
  'nfse.xml': issued('nfse.xml'),
  'nfse.pdf': issued('nfse.pdf'),
  'lookup.nfe.pdf': temporaryAuthorityBytes,
  'lookup.nfe.xml': temporaryAuthorityBytes,
};

const byOperation: ReadonlyMap<string, TemporaryReader> = new Map(Object.entries(readers));

/** `undefined` for an operation without temporary addresses. */
function temporaryReader(operation: string): TemporaryReader | undefined {
  return byOperation.get(operation);
}

function inbound(operation: ByteOperationId): TemporaryReader {
  return (core, { companyId, name }) => temporaryBytes(core, { operation, companyId, name });
}

function issued(operation: IssuedByteOperationId): TemporaryReader {
  return (core, { companyId, name }) => temporaryIssuedBytes(core, { operation, companyId, name });
}
