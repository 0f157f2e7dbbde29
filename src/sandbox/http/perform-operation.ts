import { randomUUID } from 'node:crypto';
import type { Operation } from '../../contract/operation.js';
import { type OperationId, operations } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import { lateMethod } from '../core/ledger.js';
import { Refusal } from '../core/refusal.js';
import { isRecord } from '../product/read-product.js';
import type { Prepared, Reply } from '../routes/handler.js';
import { handlers } from '../routes/handlers.js';
import { authorize, type Identity } from './authenticate.js';
import { checkBody } from './check-body.js';
import { answerOf, refusalReply } from './reply.js';

/** What the rules of an operation need of a request. The body is read only after the key is checked. */
export interface Performance {
  readonly core: Core;
  readonly operation: OperationId;
  readonly path: Readonly<Record<string, string>>;
  readonly identity: Identity;
  readonly origin: string;
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
  const { core, path, identity, origin, query, idempotencyKey, prepared } = performance;
  const caller = authorize(row, identity, path);
  const body = performance.body();
  if (!core.mode.get().lenient) checkBody(operation, body);
  const reply = handlers[operation](core, {
    ...{ operation, path, companyId: path['companyId'], origin, query },
    ...{ body, idempotencyKey, caller, prepared },
  });
  return row.method === 'GET' ? withoutFresh(core, path, reply) : reply;
}

export const lateKind = 'late-request';

/** A request that got an error and takes effect later; contains no key. */
interface LateRequest {
  readonly operation: OperationId;
  readonly path: Readonly<Record<string, string>>;
  readonly ledgerPath: string;
  readonly identity: Identity;
  readonly origin: string;
  readonly query: string;
  readonly body: unknown;
  readonly idempotencyKey?: string;
  readonly fault: string;
}

const usualDelayMs = 5_000;

/** Schedules the request for later. It is checked when it takes effect. */
export function performLater(
  performance: Performance,
  late: { readonly ledgerPath: string; readonly fault: string; readonly delayMs: number | undefined },
): void {
  const { core, operation, path, identity, origin, query, idempotencyKey } = performance;
  const { ledgerPath, fault, delayMs = usualDelayMs } = late;
  const request: LateRequest = {
    ...{
      operation,
      path,
      ledgerPath,
      identity,
      origin,
      query: String(query),
      fault,
      body: performance.body(),
    },
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
  core.work.schedule(lateKind, core.clock.now() + delayMs, request);
}

/** The ledger records the effect; no client gets the answer. */
export function performLate(core: Core, payload: unknown, at: number): void {
  // Written by `performLater`.
  const request = payload as LateRequest;
  const { operation, ledgerPath, identity, query, body, idempotencyKey } = request;
  const requestId = randomUUID();
  const reply = perform({
    ...{ core, operation, path: request.path, identity, origin: request.origin, requestId },
    ...{ query: new URLSearchParams(query), idempotencyKey, prepared: {}, body: () => body },
  });
  core.ledger.add({
    at: new Date(at).toISOString(),
    ...{ operation, method: lateMethod, path: ledgerPath, keyKind: identity.keyKind },
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
