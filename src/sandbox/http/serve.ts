import { randomUUID } from 'node:crypto';
import type { Operation } from '../../contract/operation.js';
import { type OperationId, operations } from '../../contract/operations.js';
import type { CertificateUpload } from '../company/pfx.js';
import type { ControlRequest, ControlRoute } from '../control/control.js';
import type { Core } from '../core/core.js';
import { onlySet, isRecord } from '../core/exact-json.js';
import { lateMethod } from '../core/ledger.js';
import { Refusal } from '../core/refusal.js';
import type { StoredFault } from '../core/rules.js';
import { captureNow, captureOwnInvoice } from '../inbound/capture.js';
import { captureEvent } from '../inbound/distribution.js';
import { sweepOn } from '../inbound/maintenance.js';
import { endChange } from '../invoice/change.js';
import { advanceInvoice } from '../invoice/issue.js';
import { manifestAutomatically, sendNfeEvent, sendNfseManifestation } from '../manifestation/send.js';
import { validateProduct } from '../product/products.js';
import type { Reached, Sender } from '../webhook/sender.js';
import { signedHeaders } from '../webhook/signing.js';
import { readWebhook } from '../webhook/webhooks.js';
import { type Identity, authorize, identify } from './authenticate.js';
import { checkBody } from './check-body.js';
import type { Prepared, Reply } from './handler.js';
import { handlers } from './handlers.js';
import { answerOf, cutOf, type Delivery, isLate, refusalReply, replyInstead, replyOver } from './reply.js';
import { type Arrival, readForm, readJson } from './request.js';

/** Serves a request. Asynchronous work happens before the transaction, which is synchronous. */
export async function serve(service: Service, destination: Destination, arrival: Arrival): Promise<Delivery> {
  const { core } = service;
  switch (destination.operation) {
    case 'webhook.create': {
      const reached = await pingTarget(service, arrival);
      return serveOperation(core, destination, arrival, reached === undefined ? {} : { reached });
    }
    case 'certificate.upload': {
      const upload = await readUpload(core, destination.path, arrival);
      return serveOperation(core, destination, arrival, { upload });
    }
    default:
      return serveOperation(core, destination, arrival);
  }
}

/** Calls the address of a new webhook (public). A request that will be rejected causes no call. */
async function pingTarget({ core, sender }: Service, arrival: Arrival): Promise<Reached | undefined> {
  try {
    const row = operations['webhook.create'];
    authorize(row, identify(core, arrival, row), {});
    const { uri, secret = null, headers, insecureSsl, filters } = readWebhook(readJson(arrival), 'Active');
    const body = JSON.stringify({ action: 'ping', payload: { uri, filters } });
    const unsigned = { id: randomUUID(), webhookId: null, event: 'ping', attempt: 1, body };
    const signed = signedHeaders(core.signing.get(), unsigned, secret);
    return await sender.call({ uri, insecureSsl, headers: { ...headers, ...signed }, body });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Opens the certificate file of a form. Loads its library only here. */
async function readUpload(
  core: Core,
  path: Readonly<Record<string, string>>,
  arrival: Arrival,
): Promise<CertificateUpload | Refusal> {
  try {
    const row = operations['certificate.upload'];
    authorize(row, identify(core, arrival, row), path);
    const form = await readForm(arrival);
    const file = form.get('file');
    const password = form.get('password')?.toString('utf8');
    if (file === undefined || password === undefined) return { file, password, reading: undefined };
    const { readPfx } = await import('../company/pfx.js');
    return { file, password, reading: readPfx(file, password) };
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The state of the service, and its outgoing calls. */
export interface Service {
  readonly core: Core;
  readonly sender: Sender;
}

/** Serves a control route. Control requests have no ledger entry, no faults and no rate limit. */
export async function serveControl(service: Service, byMethod: ControlRoute, arrival: Arrival): Promise<Delivery> {
  const requestId = randomUUID();
  try {
    const control = byMethod[arrival.method];
    if (control === undefined) {
      throw new Refusal('method_not_allowed', `This route takes ${Object.keys(byMethod).join(', ')}.`);
    }
    const answered = await performControl(service, control, { query: arrival.query, body: readJson(arrival) });
    return { answer: answerOf({ status: 200, body: answered }, requestId), fault: undefined };
  } catch (error) {
    return { answer: answerOf(refusalReply(error, requestId), requestId), fault: undefined };
  }
}

async function performControl(
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
  await sender.drain(control.waitMs, control.pace);
  return core.transaction(() => control.finish(core, begun));
}

/** The target of a request: an operation with its path parameters, or why there is none. */
export type Destination =
  | { readonly operation: OperationId; readonly path: Readonly<Record<string, string>> }
  | { readonly operation: null; readonly methods: readonly string[] };

/**
 * One request is one transaction: due work, fault, rules, effect and ledger are committed or rolled back together.
 */
export function serveOperation(
  core: Core,
  destination: Destination,
  arrival: Arrival,
  prepared: Prepared = {},
): Delivery {
  const requestId = randomUUID();
  try {
    return core.transaction(() => {
      runDueWork(core);
      const { operation } = destination;
      const fault = core.faults.strike(operation);
      const identity = identify(core, arrival, operation === null ? undefined : operations[operation]);
      const decision = { core, destination, arrival, prepared, identity, requestId, fault };
      if (isLate(fault)) putOff(decision);
      const reply = replyOver(fault, requestId) ?? decideReply(decision);
      record(core, { destination, arrival, identity, requestId, reply, fault });
      return { answer: answerOf(reply, requestId), fault };
    });
  } catch (error) {
    // A defect, or a file that cannot be written: the transaction is rolled back, the ledger entry included.
    return { answer: answerOf(refusalReply(error, requestId), requestId), fault: undefined };
  }
}

interface Decision {
  readonly core: Core;
  readonly destination: Destination;
  readonly arrival: Arrival;
  readonly prepared: Prepared;
  readonly identity: Identity;
  readonly requestId: string;
  readonly fault: StoredFault | undefined;
}

function decideReply(decision: Decision): Reply {
  const { core, destination, requestId, fault } = decision;
  try {
    const waitSeconds = core.rate.enter();
    if (waitSeconds > 0) throw tooMany(waitSeconds);
    if (destination.operation === null) throw nowhere(destination.methods);
  } catch (error) {
    if (error instanceof Refusal) return refusalReply(error, requestId);
    throw error;
  }
  const reply = perform(performanceOf(decision, destination));
  return replyInstead(core, fault, { reply, requestId });
}

type Known = Extract<Destination, { readonly operation: OperationId }>;

function performanceOf(decision: Decision, { operation, path }: Known): Performance {
  const { core, arrival, prepared, identity, requestId, fault } = decision;
  const row: Operation = operations[operation];
  return {
    ...{ core, operation, path, identity, query: arrival.query, prepared, requestId },
    origin: `http://${arrival.header('host') ?? 'localhost'}`,
    pathname: arrival.path,
    idempotencyKey: fault?.kind === 'ignore-key' ? undefined : arrival.header('idempotency-key'),
    body: () => (row.method === 'GET' || row.form === true ? undefined : readJson(arrival)),
  };
}

/** Postpones the effect. A read, or a request that cannot be parsed, has no later effect. */
function putOff(decision: Decision): void {
  const { destination, fault } = decision;
  if (fault === undefined || destination.operation === null || !canBeLate(destination.operation)) return;
  try {
    performLater(performanceOf(decision, destination), { fault: fault.kind, delayMs: fault.delayMs });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

function record(core: Core, facts: Omit<Decision, 'core' | 'prepared'> & { readonly reply: Reply }): void {
  const { destination, arrival, identity, requestId, reply, fault } = facts;
  const cut = cutOf(fault);
  core.ledger.add({
    at: new Date(core.clock.now()).toISOString(),
    operation: destination.operation,
    method: arrival.method,
    path: ledgerPath(destination.operation, arrival.path),
    keyKind: identity.keyKind,
    status: cut === 'before' || cut === 'after' ? null : reply.status,
    cut,
    effect: reply.effect ?? null,
    billed: reply.billed ?? null,
    idempotencyKey: arrival.header('idempotency-key') ?? null,
    requestId,
    fault: fault?.kind ?? null,
  });
}

/** §8: 429 with Retry-After in seconds. */
function tooMany(waitSeconds: number): Refusal {
  return new Refusal('rate_limited', 'Too many requests.', { headers: { 'retry-after': String(waitSeconds) } });
}

/** §7 lists no 405: a path that has only other methods answers 404. */
function nowhere(methods: readonly string[]): Refusal {
  const others = methods.length === 0 ? '' : ` This path takes ${methods.join(', ')}.`;
  return new Refusal('not_found', `There is no such route.${others}`);
}

/** What the rules of an operation need of a request. The body is read only after the key is checked. */
export interface Performance {
  readonly core: Core;
  readonly operation: OperationId;
  readonly path: Readonly<Record<string, string>>;
  readonly identity: Identity;
  readonly origin: string;
  readonly pathname: string;
  readonly query: URLSearchParams;
  readonly idempotencyKey: string | undefined;
  readonly prepared: Prepared;
  readonly requestId: string;
  body(): unknown;
}

/** Performs the operation and returns its reply; a refusal is a reply too. */
export function perform(performance: Performance): Reply {
  try {
    return handle(performance.operation, performance);
  } catch (error) {
    if (error instanceof Refusal) return refusalReply(error, performance.requestId);
    throw error;
  }
}

function handle<Id extends OperationId>(operation: Id, performance: Performance): Reply {
  const row: Operation = operations[operation];
  const { core, path, identity, origin, pathname, query, idempotencyKey, prepared } = performance;
  const caller = authorize(row, identity, path);
  const body = performance.body();
  if (!core.mode.get().lenient) checkBody(operation, body);
  const reply = handlers[operation](core, {
    ...{ operation, path, companyId: path['companyId'], origin, address: origin + pathname, query },
    ...{ body, idempotencyKey, caller, prepared },
  });
  return row.method === 'GET' ? withoutFresh(core, path, reply) : reply;
}

export const lateKind = 'late-request';

/** A request that got an error and takes effect later; contains no key. */
interface LateRequest extends Pick<Performance, 'operation' | 'path' | 'identity' | 'origin' | 'pathname'> {
  readonly query: string;
  readonly body: unknown;
  readonly idempotencyKey?: string;
  readonly fault: string;
}

const usualDelayMs = 5_000;

/** Schedules the request for later. It is checked when it takes effect. */
export function performLater(
  performance: Performance,
  { fault, delayMs = usualDelayMs }: { readonly fault: string; readonly delayMs: number | undefined },
): void {
  const { core, operation, path, identity, origin, pathname, query, idempotencyKey } = performance;
  const request: LateRequest = {
    ...{ operation, path, identity, origin, pathname, query: String(query), fault, body: performance.body() },
    ...onlySet({ idempotencyKey }),
  };
  core.work.schedule(lateKind, core.clock.now() + delayMs, request);
}

/** The ledger records the effect; no client gets the answer. */
export function performLate(core: Core, payload: unknown, at: number): void {
  // Written by `performLater`.
  const request = payload as LateRequest;
  const { operation, path, identity, origin, pathname, query, body, idempotencyKey } = request;
  const requestId = randomUUID();
  const reply = perform({
    ...{ core, operation, path, identity, origin, pathname, requestId, query: new URLSearchParams(query) },
    ...{ idempotencyKey, prepared: {}, body: () => body },
  });
  core.ledger.add({
    at: new Date(at).toISOString(),
    ...{ operation, method: lateMethod, path: ledgerPath(operation, pathname), keyKind: identity.keyKind },
    status: answerOf(reply, requestId).status,
    ...{ cut: null, effect: reply.effect ?? null, billed: reply.billed ?? null },
    ...{ idempotencyKey: idempotencyKey ?? null, requestId, fault: request.fault },
  });
}

/** Only a request that changes data and has a JSON body can take effect later. */
export function canBeLate(operation: OperationId): boolean {
  const { method, form }: Operation = operations[operation];
  return method !== 'GET' && form === undefined;
}

/**
 * Removes what was created in the last `lagMs` from a read: lists omit it, and a read of the resource itself throws a
 * 404 refusal.
 */
function withoutFresh(core: Core, path: Readonly<Record<string, string>>, reply: Reply): Reply {
  const { lagMs } = core.mode.get();
  if (lagMs === 0 || reply.status >= 300) return reply;
  const since = core.clock.now() - lagMs;
  const ids = core.ledger.idsCreatedSince(since);
  const isFresh = (row: unknown): boolean => isRecord(row) && (hasId(row, ids) || wasCreated(row, since));
  if (Object.values(path).some((word) => ids.has(word)) || isFresh(reply.body)) {
    throw new Refusal('not_found', 'There is no resource with this id.');
  }
  if (Array.isArray(reply.body)) return { ...reply, body: reply.body.filter((row) => !isFresh(row)) };
  return isRecord(reply.body) ? { ...reply, body: withoutRows(reply.body, isFresh) } : reply;
}

function hasId(row: Readonly<Record<string, unknown>>, ids: ReadonlySet<string>): boolean {
  return typeof row['id'] === 'string' && ids.has(row['id']);
}

/** Families use one of two names for the time. */
function wasCreated({ createdOn, createdAt }: Readonly<Record<string, unknown>>, since: number): boolean {
  const text = createdOn ?? createdAt;
  return typeof text === 'string' && Date.parse(text) > since;
}

/** Filters every list of the body; counts stay, like an index that is ahead of its rows. */
function withoutRows(
  body: Readonly<Record<string, unknown>>,
  isFresh: (row: unknown) => boolean,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.filter((row) => !isFresh(row)) : value,
    ]),
  );
}

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

/** The path in the ledger. §5: logs contain no full CPF; with the day of birth it would identify the person. */
export function ledgerPath(operation: OperationId | null, path: string): string {
  if (operation !== 'lookup.cpf') return path;
  const [birthDate = '', cpf = '', ...before] = path.split('/').toReversed();
  const masked = `${'*'.repeat(Math.max(0, cpf.length - 2))}${cpf.slice(-2)}`;
  return [...before.toReversed(), masked, birthDate.replaceAll(/\d/g, '*')].join('/');
}
