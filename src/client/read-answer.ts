import { FiscalError } from '../errors/fiscal-error.js';
import { requestIdOf, type ReadyCall } from './attempt.js';
import type { Answer } from './client.js';
import { readLocation } from './location.js';
import type { ClientSettings } from './options.js';
import type { Performed } from './perform.js';
import { knownHosts } from './prepared.js';

/** What an answer says besides its body. */
export function readEnvelope(
  performed: Performed,
  ready: ReadyCall,
  settings: ClientSettings,
): Omit<Answer<unknown>, 'body'> {
  const { answer, attempts } = performed;
  const location = readLocation(answer.headers.location, ready.wire.url, knownHosts(settings));
  const requestId = requestIdOf(answer, ready.secrets);
  const servedAt = Date.parse(answer.headers.date ?? '');
  return {
    status: answer.status,
    attempts,
    ...(location === undefined ? {} : { location }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(Number.isNaN(servedAt) ? {} : { servedAt }),
  };
}

/** The JSON of a success; `undefined` for an empty body. Throws `service.unreadable`: the work itself was done. */
export function readJson({ answer, attempts }: Performed, ready: ReadyCall): unknown {
  if (answer.bytes.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(answer.bytes));
  } catch (error) {
    const requestId = requestIdOf(answer, ready.secrets);
    const reason =
      error instanceof SyntaxError
        ? { en: 'it is not JSON', pt: 'não é JSON' }
        : { en: 'it is not UTF-8', pt: 'não é UTF-8' };
    throw new FiscalError(
      'service.unreadable',
      { operation: ready.call.name, status: answer.status, reason },
      {
        operation: ready.call.name,
        httpStatus: answer.status,
        sent: 'yes',
        retryable: false,
        attempts,
        ...(requestId === undefined ? {} : { requestId }),
      },
    );
  }
}
