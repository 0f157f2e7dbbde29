import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { type OperationId, operations } from '../../contract/operations.js';
import { controls } from '../control/controls.js';
import { Refusal } from '../core/refusal.js';
import { refuseForeignPages } from './authenticate.js';
import { meantOperation, otherPaths, placeRank, templateOf, withoutEndings } from './paths.js';
import { answerOf, refusalReply } from './reply.js';
import { type Arrival, readArrival } from './request.js';
import { serve, serveControl, type Service } from './serve.js';
import { deliver } from './deliver.js';
import type { Delivery, Destination } from './serve-operation.js';

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
    app.all(`/__sandbox/${path}`, (context) =>
      reply(context, (arrival) => serveControl(service, byMethod, arrival)),
    );
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
  app.notFound((context) =>
    reply(context, (arrival) => serve(service, { operation: null, methods: [] }, arrival)),
  );
  // Only a body that breaks off ends here, and then there is no client to answer.
  app.onError((_error, context) => {
    context.env.outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  });
  return app;
}

/** HEAD is published for a company only: the answer to GET, whose body node leaves out. */
function operationOf(byMethod: ReadonlyMap<string, OperationId>, method: string): OperationId | undefined {
  if (method !== 'HEAD') return byMethod.get(method);
  return byMethod.get('GET') === 'company.get' ? 'company.get' : undefined;
}

function destinationOf(operation: OperationId, parameters: Readonly<Record<string, string>>): Destination {
  const path = withoutEndings(operations[operation].path, parameters);
  return { operation: meantOperation(operation, path), path };
}

/** `/{tenantId}/products` → `/:tenantId/products`, with the operation of each method. */
function routesOf(table: typeof operations): ReadonlyMap<string, ReadonlyMap<string, OperationId>> {
  const routes = new Map<string, Map<string, OperationId>>();
  for (const id of operationIds(table)) {
    for (const path of [table[id].path, ...otherPaths(id)]) {
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
