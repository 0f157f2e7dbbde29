import { ExitCode } from '../errors/exit-code.js';
import type { FiscalError } from '../errors/fiscal-error.js';
import { jsonLine } from './json.js';

/** The last line of stderr for programs. JSON is never translated: its sentences are English. */
export function errorJson(error: FiscalError, exitCode: number): string {
  const { facts } = error;
  return jsonLine({
    type: 'error',
    error: {
      code: error.code,
      message: error.text.en,
      details: facts.details?.map(({ field, message }) => ({
        field,
        message: typeof message === 'string' ? message : message.en,
      })),
      httpStatus: facts.httpStatus,
      requestId: facts.requestId,
      operation: facts.operation,
      keyKind: facts.keyKind,
      keySource: facts.keySource,
      attempts: facts.attempts,
      retryable: facts.retryable,
      retryAfterSeconds: facts.retryAfterSeconds,
      // Exit 2 means that nothing was sent, even when the check did not set it.
      sent: facts.sent ?? (exitCode === ExitCode.usage ? 'no' : undefined),
      jobId: facts.jobId,
      resume: facts.resume,
      hint: facts.hint?.en,
      exitCode,
    },
  });
}
