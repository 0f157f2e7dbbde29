import type { ApiError } from '../../contract/error-body.js';
import { Refusal } from '../core/refusal.js';
import type { Content, Endless, Reply } from '../routes/handler.js';
import { messageOf } from './arrival.js';

/** What goes on the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for an answer without a body. */
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
  return { type: 'application/json; charset=utf-8', bytes: Buffer.from(JSON.stringify(body), 'utf8') };
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
