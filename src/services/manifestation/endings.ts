import { FiscalError } from '../../errors/fiscal-error.js';
import type { KnownEvent } from '../known-events.js';
import { eventText } from './shown.js';

/** `outcome.ended_badly` (13): the authority rejected the event, or the send to it failed (§3). */
export function eventEndedBadly(event: KnownEvent): FiscalError {
  const { status, errorCode, errorMessage, jobId, accessKey } = event;
  const words = [errorCode, errorMessage].filter((word) => word !== undefined).join(': ');
  const reason = words === '' ? { en: 'no reason was given', pt: 'nenhum motivo foi informado' } : words;
  return new FiscalError(
    'outcome.ended_badly',
    { what: eventText(event), status, reason },
    {
      operation: `${event.family}.manifestation.get`,
      sent: 'yes',
      ...(jobId === undefined ? {} : { jobId }),
      hint: {
        en: `it may be submitted again: fiscal manifestation submit ${accessKey} --event ${event.eventCode}`,
        pt: `ele pode ser enviado de novo: fiscal manifestation submit ${accessKey} --event ${event.eventCode}`,
      },
    },
  );
}

/** `outcome.still_pending` (8): the time of the user is up; the service goes on. */
export function eventStillPending(event: KnownEvent, seconds: number): FiscalError {
  const { status, jobId, id = '' } = event;
  return new FiscalError(
    'outcome.still_pending',
    { what: eventText(event), status, seconds },
    {
      operation: `${event.family}.manifestation.get`,
      sent: 'yes',
      ...(jobId === undefined ? {} : { jobId }),
      resume: `fiscal manifestation poll ${id}${event.family === 'nfse' ? ' --type nfse' : ''}`,
    },
  );
}
