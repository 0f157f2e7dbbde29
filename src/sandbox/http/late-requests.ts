import { randomUUID } from 'node:crypto';
import type { Operation } from '../../contract/operation.js';
import { type OperationId, operations } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import { lateMethod } from '../core/ledger.js';
import { answerOf } from './answer.js';
import type { Identity } from './authenticate.js';
import { perform, type Performance } from './perform-operation.js';

export const lateKind = 'late-request';

/** A request that was answered by an error and takes effect later; it holds no key. */
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

/** Puts the request off. Its rules are those of the time at which it takes effect. */
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

/** The line of the ledger has what was done; nobody hears the answer. */
export function performLate(core: Core, payload: unknown, at: number): void {
  // The row was written by `performLater`.
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

/** Only a request that changes something, and whose body is JSON, can take effect later. */
export function canBeLate(operation: OperationId): boolean {
  const { method, form }: Operation = operations[operation];
  return method !== 'GET' && form === undefined;
}
