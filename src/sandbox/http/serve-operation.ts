import type { StoredFault } from '../core/rules.js';
import { randomUUID } from 'node:crypto';
import type { Operation } from '../../contract/operation.js';
import { type OperationId, operations } from '../../contract/operations.js';
import { runDueWork } from '../core/background.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import type { Prepared, Reply } from '../routes/handler.js';
import { identify, type Identity } from './authenticate.js';
import { ledgerPath } from './paths.js';
import { canBeLate, perform, type Performance, performLater } from './perform-operation.js';
import { type Answer, answerOf, cutOf, isLate, refusalReply, replyInstead, replyOver } from './reply.js';
import { type Arrival, readJson } from './request.js';

/** The target of a request: an operation with its path parameters, or why there is none. */
export type Destination =
  | { readonly operation: OperationId; readonly path: Readonly<Record<string, string>> }
  | { readonly operation: null; readonly methods: readonly string[] };

/** The answer, and the fault that breaks its delivery, if any. */
export interface Delivery {
  readonly answer: Answer;
  readonly fault: StoredFault | undefined;
}

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
    idempotencyKey: fault?.kind === 'ignore-key' ? undefined : arrival.header('idempotency-key'),
    body: () => (row.method === 'GET' || row.form === true ? undefined : readJson(arrival)),
  };
}

/** Postpones the effect. A read, or a request that cannot be parsed, has no later effect. */
function putOff(decision: Decision): void {
  const { destination, arrival, fault } = decision;
  if (fault === undefined || destination.operation === null || !canBeLate(destination.operation)) return;
  const late = { fault: fault.kind, delayMs: fault.delayMs };
  try {
    performLater(performanceOf(decision, destination), {
      ...late,
      ledgerPath: ledgerPath(destination.operation, arrival.path),
    });
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
  return new Refusal('rate_limited', 'Too many requests.', {
    headers: { 'retry-after': String(waitSeconds) },
  });
}

/** §7 lists no 405: a path that has only other methods answers 404. */
function nowhere(methods: readonly string[]): Refusal {
  const others = methods.length === 0 ? '' : ` This path takes ${methods.join(', ')}.`;
  return new Refusal('not_found', `There is no such route.${others}`);
}
