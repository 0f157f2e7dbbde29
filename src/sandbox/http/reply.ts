import type { StoredFault } from '../core/rules.js';
import type { ApiError } from '../../contract/error-body.js';
import { type ListFaultKind, listFaultKinds } from '../../contract/sandbox.js';
import type { Core } from '../core/core.js';
import type { LedgerEntry } from '../core/ledger.js';
import { Refusal, type RefusalCode } from '../core/refusal.js';
import type { Content, Endless, Reply } from '../routes/handler.js';
import { messageOf } from './request.js';
import { unkindList } from './unkind-list.js';
import { writeExactly } from '../core/exact-json.js';

/** The answer to send. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty without a body. */
  readonly bytes: Uint8Array | Endless;
}

export function answerOf(reply: Reply, requestId: string): Answer {
  const content = contentOf(reply);
  return {
    status: reply.status,
    headers: {
      ...(content === undefined ? {} : { 'content-type': content.type }),
      'x-request-id': requestId,
      ...reply.headers,
    },
    bytes: content?.bytes ?? new Uint8Array(),
  };
}

function contentOf({ body, content }: Reply): Content | undefined {
  if (content !== undefined || body === undefined) return content;
  return { type: 'application/json; charset=utf-8', bytes: Buffer.from(writeExactly(body), 'utf8') };
}

/** Turns any error into the error body of §7. */
export function refusalReply(error: unknown, requestId: string): Reply {
  const refusal = error instanceof Refusal ? error : unexpected(error);
  const body: ApiError = {
    error: {
      code: refusal.code,
      message: refusal.message,
      details: refusal.details,
      requestId,
    },
  };
  return { status: refusal.status, body, headers: refusal.headers };
}

function unexpected(error: unknown): Refusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('SQLITE_BUSY')) {
    return new Refusal('unavailable', 'Another process has locked the file of the sandbox.', {
      headers: { 'retry-after': '1' },
    });
  }
  return new Refusal('internal_error', `The sandbox failed: ${messageOf(error)}`);
}

/** The reply of a fault that applies before the operation; `undefined` if the operation runs. */
export function replyOver(fault: StoredFault | undefined, requestId: string): Reply | undefined {
  switch (fault?.kind) {
    case '404':
      return refuse('not_found', requestId, undefined);
    case '429':
      return refuse('rate_limited', requestId, fault.retryAfter ?? 1);
    case '503':
    case '503-late':
      return refuse('unavailable', requestId, fault.retryAfter);
    case '500':
    case '500-late':
      return refuse('internal_error', requestId, fault.retryAfter);
    case 'redirect':
      // 307 keeps method and body: the strictest test of what a client forwards.
      return { status: 307, headers: { location: fault.to ?? '/' } };
    case 'cut-before':
    case 'cut-late':
      // Never sent: the socket is destroyed.
      return { status: 500 };
    default:
      return undefined;
  }
}

/** The reply after the operation: an error despite its effect, a success without a body, or an unkind list. */
export function replyInstead(
  core: Core,
  fault: StoredFault | undefined,
  { reply, requestId }: { readonly reply: Reply; readonly requestId: string },
): Reply {
  const done = {
    ...(reply.effect === undefined ? {} : { effect: reply.effect }),
    ...(reply.billed === undefined ? {} : { billed: reply.billed }),
  };
  switch (fault?.kind) {
    case '500-after':
      return { ...refuse('internal_error', requestId, fault.retryAfter), ...done };
    case '503-after':
      return { ...refuse('unavailable', requestId, fault.retryAfter), ...done };
    case 'empty-body':
      return reply.status < 300 ? { status: reply.status, ...done } : reply;
    default:
      return isOfLists(fault)
        ? { ...reply, body: unkindList(fault, reply.body, (rows) => core.faults.keepRows(fault, rows)) }
        : reply;
  }
}

function isOfLists(fault: StoredFault | undefined): fault is StoredFault & { readonly kind: ListFaultKind } {
  return listFaultKinds.some((kind) => kind === fault?.kind);
}

/** True if the effect comes after the answer. */
export function isLate(fault: StoredFault | undefined): boolean {
  return fault?.kind === 'cut-late' || fault?.kind === '500-late' || fault?.kind === '503-late';
}

export function cutOf(fault: StoredFault | undefined): LedgerEntry['cut'] {
  switch (fault?.kind) {
    case 'cut-before':
    case 'cut-late':
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
  return refusalReply(new Refusal(code, 'A simulated fault.', { headers }), requestId);
}
