import { fiscalLine } from '../../domain/command-words.js';
import { detailShapeOf } from '../../domain/event-detail-shape.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { KnownEvent } from '../../services/known-events.js';
import { eventText } from './shown.js';

/** `outcome.ended_badly` (13): the authority rejected the event, or the send to it failed (§3). */
export function eventEndedBadly(event: KnownEvent): FiscalError {
  const { status, errorCode, errorMessage, jobId } = event;
  const line = submitLine(event);
  const words = [errorCode, errorMessage].filter((word) => word !== undefined).join(': ');
  const reason = words === '' ? { en: 'no reason was given', pt: 'nenhum motivo foi informado' } : words;
  return new FiscalError(
    'outcome.ended_badly',
    { what: eventText(event), status, reason },
    {
      operation: `${event.family}.manifestation.get`,
      sent: 'yes',
      ...(jobId === undefined ? {} : { jobId }),
      hint: { en: `it may be submitted again: ${line}`, pt: `ele pode ser enviado de novo: ${line}` },
    },
  );
}

/** `outcome.still_pending` (8): the time of the user is up; the service goes on. */
export function eventStillPending(event: KnownEvent, seconds: number): FiscalError {
  const { status, jobId } = event;
  return new FiscalError(
    'outcome.still_pending',
    { what: eventText(event), status, seconds },
    {
      operation: `${event.family}.manifestation.get`,
      sent: 'yes',
      ...(jobId === undefined ? {} : { jobId }),
      resume: pollLine(event),
    },
  );
}

/** The command that follows an event to its end, for the company that it is of. */
export function pollLine({ id = '', family, companyId }: KnownEvent): string {
  const flags = family === 'nfse' ? ([['--type', 'nfse']] as const) : [];
  return fiscalLine({ command: 'manifestation poll', positionals: [id], flags, company: companyId });
}

/** The command that submits an event once more; what the event says stands nowhere but in the words of the first time. */
function submitLine({ accessKey, eventCode, nSequencia, companyId, family }: KnownEvent): string {
  const line = fiscalLine({
    command: 'manifestation submit',
    positionals: [accessKey],
    flags: [
      ['--event', String(eventCode)],
      ...(nSequencia > 1 ? ([['--sequence', String(nSequencia)]] as const) : []),
    ],
    company: companyId,
  });
  return `${line}${family === 'nfse' ? reasonOf(eventCode) : contentOf(eventCode)}`;
}

function reasonOf(eventCode: number): string {
  return eventCode === 203206 ? ' --reason <n>' : '';
}

function contentOf(eventCode: number): string {
  const shape = detailShapeOf(eventCode);
  switch (shape.kind) {
    case 'none':
      return '';
    case 'justification':
      return shape.required ? ' --justification <text>' : '';
    case 'cancellation':
      return ' --cancels <name>';
    case 'acceptance':
    case 'items':
      return ' --detail <file>';
  }
}
