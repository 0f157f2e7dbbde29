import type { Operation } from '../../contract/operation.js';
import { type OperationId, operations } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import type { Prepared, Reply } from '../routes/handler.js';
import { handlers } from '../routes/handlers.js';
import { refusalReply } from './answer.js';
import { authorize, type Identity } from './authenticate.js';
import { withoutFresh } from './lag.js';

/** A request as far as the rules of its operation need it. The body is read when the key is known to be good. */
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

/** What the operation does and answers; a refusal is an answer too. */
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
  const reply = handlers[operation](core, {
    ...{ operation, path, companyId: path['companyId'], origin, query },
    ...{ body: performance.body(), idempotencyKey, caller, prepared },
  });
  return row.method === 'GET' ? withoutFresh(core, path, reply) : reply;
}
