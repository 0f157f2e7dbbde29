import type { LedgerEntry } from '../core/ledger.js';
import type { StoredFault } from '../core/faults.js';
import { Refusal, type RefusalCode } from '../core/refusal.js';
import type { Reply } from '../routes/handler.js';
import { refusalReply } from './answer.js';

/** The reply of a fault that strikes before anything happens; `undefined` when the service does its work. */
export function replyOver(fault: StoredFault | undefined, requestId: string): Reply | undefined {
  switch (fault?.kind) {
    case '429':
      return refuse('rate_limited', requestId, fault.retryAfter ?? 1);
    case '503':
      return refuse('unavailable', requestId, fault.retryAfter);
    case '500':
      return refuse('internal_error', requestId, fault.retryAfter);
    case 'redirect':
      // 307 keeps method and body: the strictest test of what a client carries along.
      return { status: 307, headers: { location: fault.to ?? '/' } };
    case 'cut-before':
      // Never seen: the socket is destroyed instead.
      return { status: 500 };
    case undefined:
    case '500-after':
    case 'slow':
    case 'cut-after':
    case 'cut-body':
    case 'broken-json':
    case 'stall':
    case 'ignore-key':
      return undefined;
  }
}

/** The reply after the work is done: an error over a real effect for `500-after`, else what came. */
export function replyInstead(fault: StoredFault | undefined, reply: Reply, requestId: string): Reply {
  if (fault?.kind !== '500-after') return reply;
  return {
    ...refuse('internal_error', requestId, fault.retryAfter),
    ...(reply.effect === undefined ? {} : { effect: reply.effect }),
    ...(reply.billed === undefined ? {} : { billed: reply.billed }),
  };
}

export function cutOf(fault: StoredFault | undefined): LedgerEntry['cut'] {
  switch (fault?.kind) {
    case 'cut-before':
      return 'before';
    case 'cut-after':
      return 'after';
    case 'cut-body':
    case 'stall':
      return 'body';
    default:
      return null;
  }
}

function refuse(code: RefusalCode, requestId: string, retryAfter: number | string | undefined): Reply {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return refusalReply(new Refusal(code, 'A fault that was asked for.', { headers }), requestId);
}
