import { answerReasons } from '../errors/answer-reasons.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { requestIdOf, type ReadyCall } from './attempt.js';
import type { Downloaded } from './client.js';
import type { Performed } from './perform.js';
import type { Receiver } from './receive.js';
import { retryAfterMs } from './retry-policy.js';

/** Larger than any XML or PDF of one document. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

export function readDownload(
  { answer, attempts }: Performed,
  from: { readonly ready: ReadyCall; readonly receive: Receiver; readonly now: number },
): Downloaded {
  const { ready, receive } = from;
  const isWhole = answer.status === 200;
  if (isWhole && receive.size === 0) throw nothingCame(answer.status, ready);
  const requestId = requestIdOf(answer, ready.secrets);
  const contentType = receive.wasWrapped ? undefined : answer.headers['content-type']?.slice(0, 200);
  const wait = retryAfterMs(answer.headers['retry-after'], from.now);
  return {
    status: answer.status,
    bytes: isWhole ? receive.size : 0,
    attempts,
    ...(contentType === undefined ? {} : { contentType }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

function nothingCame(status: number, { call }: ReadyCall): FiscalError {
  return new FiscalError(
    'service.unreadable',
    { operation: call.name, status, reason: answerReasons.empty },
    { operation: call.name, httpStatus: status, sent: 'yes', retryable: true },
  );
}
