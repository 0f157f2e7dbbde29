import type { ApiError } from '../../contract/error-body.js';
import { Refusal } from '../core/refusal.js';
import type { Reply } from '../routes/handler.js';
import { messageOf } from './arrival.js';

/** What goes on the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for an answer without a body. */
  readonly text: string;
}

export function answerOf(reply: Reply, requestId: string): Answer {
  const hasBody = reply.body !== undefined;
  return {
    status: reply.status,
    headers: {
      ...(hasBody ? { 'content-type': 'application/json; charset=utf-8' } : {}),
      'x-request-id': requestId,
      ...reply.headers,
    },
    text: hasBody ? JSON.stringify(reply.body) : '',
  };
}

/** Any failure as the error body of §7. */
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
    return new Refusal('unavailable', 'Another process holds the file of the sandbox.', {
      headers: { 'retry-after': '1' },
    });
  }
  return new Refusal('internal_error', `The sandbox failed: ${messageOf(error)}`);
}
