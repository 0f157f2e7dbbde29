import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { ByteOperationId } from '../../contract/inbound-bodies.js';
import type { IssuedByteOperationId } from '../../contract/invoice-bodies.js';
import type { LookupByteOperationId } from '../../contract/lookup-operations.js';
import { type OperationId, operations, pathsOf } from '../../contract/operations.js';
import { controls } from '../control/controls.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import type { ByteReference } from '../inbound/byte-host.js';
import { temporaryBytes } from '../inbound/bytes.js';
import { temporaryIssuedBytes } from '../invoice/issued-bytes.js';
import { temporaryAuthorityBytes } from '../lookup/lookup.js';
import { identify, refuseForeignPages } from './authenticate.js';
import type { Reply } from './handler.js';
import { answerOf, cutOf, deliver, type Delivery, refusalReply, replyOver } from './reply.js';
import { type Arrival, readArrival } from './request.js';
import { type Destination, type Service, serve, serveControl } from './serve.js';

type RequestContext = Context<{ Bindings: HttpBindings }>;
export type App = Hono<{ Bindings: HttpBindings }>;

/**
 * Routes requests with hono. The sandbox writes the answer to the socket itself, because faults work below the level
 * of a response.
 */
export function buildApp(service: Service): App {
  const app: App = new Hono({ strict: true });
  // The Date header shows the service's clock, which can be changed.
  app.use('*', async (context, next) => {
    context.env.outgoing.setHeader('date', new Date(service.core.clock.now()).toUTCString());
    await next();
  });
  for (const [path, byMethod] of Object.entries(controls)) {
    app.all(`/__sandbox/${path}`, (context) => reply(context, (arrival) => serveControl(service, byMethod, arrival)));
  }
  // Before the templates, which would match the prefix as a tenant.
  app.all('/__sandbox/*', (context) => reply(context, answerNowhere));
  for (const [template, byMethod] of routesOf(operations)) {
    app.all(template, (context) => {
      const operation = operationOf(byMethod, context.req.method);
      const destination: Destination =
        operation === undefined
          ? { operation: null, methods: [...byMethod.keys()] }
          : destinationOf(operation, context.req.param());
      return reply(context, (arrival) => serve(service, destination, arrival));
    });
  }
  app.notFound((context) => reply(context, (arrival) => serve(service, { operation: null, methods: [] }, arrival)));
  // Only a body that breaks off ends here, and then there is no client to answer.
  app.onError((_error, context) => {
    context.env.outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}

/** HEAD is published for a company, and every server has it (RFC 9110 §9.1): the answer to GET, whose body node leaves out. */
function operationOf(byMethod: ReadonlyMap<string, OperationId>, method: string): OperationId | undefined {
  return byMethod.get(method === 'HEAD' ? 'GET' : method);
}

function destinationOf(operation: OperationId, parameters: Readonly<Record<string, string>>): Destination {
  const path = withoutEndings(operations[operation].path, parameters);
  return { operation: meantOperation(operation, path), path };
}

/** `/{tenantId}/products` → `/:tenantId/products`, with the operation of each method. */
function routesOf(table: typeof operations): ReadonlyMap<string, ReadonlyMap<string, OperationId>> {
  const routes = new Map<string, Map<string, OperationId>>();
  for (const id of operationIds(table)) {
    for (const path of pathsOf(id)) {
      const template = templateOf(path);
      const byMethod = routes.get(template) ?? new Map<string, OperationId>();
      if (!byMethod.has(table[id].method)) byMethod.set(table[id].method, id);
      routes.set(template, byMethod);
    }
  }
  return new Map([...routes].toSorted(([one], [other]) => comparePaths(one, other)));
}

/**
 * Literal segments before parameters, segment by segment: `/inbound/nfe` is not an access key, and `….pdf` requires
 * that suffix.
 */
function comparePaths(one: string, other: string): number {
  const [left, right] = [one.split('/'), other.split('/')];
  for (const [place, word] of left.entries()) {
    const difference = placeRank(word) - placeRank(right[place] ?? '');
    if (difference !== 0) return difference;
  }
  return 0;
}

function operationIds(table: typeof operations): OperationId[] {
  // `Object.keys` loses the type of the names; the table is closed.
  return Object.keys(table) as OperationId[];
}

export async function reply(
  context: RequestContext,
  answer: (arrival: Arrival) => Delivery | Promise<Delivery>,
): Promise<Response> {
  const { incoming, outgoing } = context.env;
  const arrival = await readArrival(incoming);
  deliver(outgoing, await serveSafely(arrival, answer));
  return RESPONSE_ALREADY_SENT;
}

async function serveSafely(
  arrival: Arrival,
  answer: (arrival: Arrival) => Delivery | Promise<Delivery>,
): Promise<Delivery> {
  try {
    refuseForeignPages(arrival);
    return await answer(arrival);
  } catch (error) {
    const requestId = randomUUID();
    return { answer: answerOf(refusalReply(error, requestId), requestId), fault: undefined };
  }
}

function answerNowhere(): never {
  throw new Refusal('not_found', 'There is no such control route; GET /__sandbox/status shows the state.');
}

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
      if (found === undefined || read === undefined) throw new Refusal('forbidden', 'The address is not valid.');
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
const readers: Readonly<Record<ByteOperationId | IssuedByteOperationId | LookupByteOperationId, TemporaryReader>> = {
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

const parameter = /\{(\w+)\}(\.\w+)?/g;

/** `/{tenantId}/products` → `/:tenantId/products`; `{accessKey}.pdf` matches only with its suffix. */
export function templateOf(path: string): string {
  return path.replaceAll(parameter, (_whole, name: string, ending?: string) =>
    ending === undefined ? `:${name}` : `:${name}{[\\w-]+\\${ending}}`,
  );
}

/** The parameters without the suffix of the path. */
export function withoutEndings(
  path: string,
  parameters: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const endings = new Map([...path.matchAll(parameter)].map(([, name, ending = '']) => [name, ending]));
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      value.slice(0, value.length - (endings.get(name)?.length ?? 0)),
    ]),
  );
}

/** The order of segments: a literal, a parameter with a suffix, any parameter. */
export function placeRank(word: string): number {
  if (!word.startsWith(':')) return 0;
  return word.endsWith('}') ? 1 : 2;
}

const nfeOf: ReadonlyMap<OperationId, OperationId> = new Map([
  ['cte.inbound.get', 'nfe.inbound.get'],
  ['cte.inbound.xml', 'nfe.inbound.xml'],
  ['cte.inbound.pdf', 'nfe.inbound.pdf'],
]);

/**
 * The operation that a request means. NF-e and CT-e share some paths: the model in the key selects it (public; facts
 * §1). `eventtypes` is not the id of a webhook, in whatever case it is written (seen live).
 */
export function meantOperation(operation: OperationId, path: Readonly<Record<string, string>>): OperationId {
  const model = path['accessKey']?.slice(20, 22);
  if (operation === 'nfe.inbound.event.xml' && model === '57') return 'cte.inbound.event.xml';
  if (operation === 'nfe.inbound.event.get' && model === '57') return 'cte.inbound.event.get';
  if (operation === 'webhook.get' && path['webhookId']?.toLowerCase() === 'eventtypes') {
    return 'webhook.eventTypes';
  }
  return (model === '55' ? nfeOf.get(operation) : undefined) ?? operation;
}
