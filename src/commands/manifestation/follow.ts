import { refusalsOfCancelled } from '../../domain/document-state.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { eventOfCode } from '../../domain/event-codes.js';
import { detailShapeOf } from '../../domain/event-detail.js';
import type { Sentence } from '../../domain/outcome.js';
import { sentenceOf } from '../../domain/sentence.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { codedReason } from '../../errors/reasons.js';
import { ALREADY_REGISTERED } from '../../jobs/kinds/manifestation-answer.js';
import type { Context } from '../../services/context.js';
import type { KnownEvent } from '../../services/documents/known-events.js';
import { type FollowTimes, followUntil } from '../../services/batch/follow.js';
import { readEvent, type EventTarget, type ReadEvent } from './read-event.js';
import { eventText } from './shown.js';

/**
 * Reads an event until the authority has decided. An unknown status counts as pending, never as success (§3).
 * Errors: `outcome.ended_badly`, `outcome.still_pending`.
 */
export async function followEvent(
  context: Context,
  target: EventTarget,
  { timeout, interval }: FollowTimes,
): Promise<ReadEvent> {
  const { read, pending, elapsedMs } = await followUntil(context, {
    ...{ resource: target.id, timeout, interval },
    label: { en: 'authority', pt: 'autoridade' },
    read: () => readEvent(context, target),
    pendingStatus: ({ event }) => (requireNotBad(event) === 'done' ? undefined : event.status),
  });
  if (pending !== undefined) throw eventStillPending(read.event, Math.round(elapsedMs / 1000));
  return read;
}

/** 573 counts as done: the authority already has this event (facts §3). Error: `outcome.ended_badly`. */
export function requireNotBad(event: KnownEvent): 'done' | 'pending' {
  const { status } = event;
  if (status === 'Accepted' || isRegisteredAlready(event)) return 'done';
  if (status === 'Rejected' || status === 'Failed') throw eventEndedBadly(event);
  return 'pending';
}

/** The notice for an event that the authority had already (573). */
export const registeredAlready: Text = {
  en: 'the authority had already registered this event (573), so it counts as done',
  pt: 'a autoridade já tinha registrado este evento (573), que conta como concluído',
};

export function isRegisteredAlready({ status, errorCode }: KnownEvent): boolean {
  return status === 'Rejected' && errorCode === ALREADY_REGISTERED;
}

/** `outcome.ended_badly` (13): the authority rejected the event, or the send to it failed (§3). */
export function eventEndedBadly(event: KnownEvent): FiscalError {
  const { id, status, errorCode, reason, jobId } = event;
  const line = submitLine(event);
  return new FiscalError(
    'outcome.ended_badly',
    { what: eventText(event), status, reason: codedReason(errorCode, reason) },
    {
      operation: `${event.family}.manifestation.${id === undefined ? 'submit' : 'get'}`,
      sent: 'yes',
      ...(jobId === undefined ? {} : { jobId }),
      hint: finalHint(event) ?? { en: `to submit it again: ${line}`, pt: `para enviar de novo: ${line}` },
    },
  );
}

/** What a refusal means that another submission would meet again (facts §3). `undefined`: the same event may be submitted again. */
function finalHint({ errorCode = '', accessKey, companyId: company }: KnownEvent): Text | undefined {
  const due = fiscalLine({ command: 'manifestation due', company });
  const events = fiscalLine({ command: 'inbound events', positionals: [accessKey], company });
  if (refusalsOfCancelled.includes(errorCode))
    return {
      en: 'the document is cancelled or denied and takes no such event: nothing is left to do',
      pt: 'o documento está cancelado ou denegado e não recebe esse evento: não há mais o que fazer',
    };
  switch (errorCode) {
    case '596':
      return {
        en: `the term of this event is over, and it would be refused again; what is still possible: ${due}`,
        pt: `o prazo deste evento terminou, e ele seria recusado de novo; o que ainda é possível: ${due}`,
      };
    case '655':
      return {
        en: `a conclusive event is already registered, so its aim is reached and nothing needs to be sent; see it: ${events}`,
        pt: `já há uma manifestação conclusiva, então o objetivo foi atingido e nada precisa ser enviado; veja-a: ${events}`,
      };
    case '594':
      return {
        en: `the document takes no further event of this kind; see those it has: ${events}`,
        pt: `o documento não recebe mais eventos deste tipo; veja os que ele tem: ${events}`,
      };
    case '575':
    case '640':
      return {
        en: 'only the recipient of the document may submit it: check for which company it was sent (--company)',
        pt: 'só o destinatário do documento pode enviá-lo: verifique por qual empresa foi enviado (--company)',
      };
    default:
      return undefined;
  }
}

/** `outcome.still_pending` (8): the timeout is over; the service continues. */
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

/** The command that waits for the decision on an event of this company. */
export function pollLine({ id = '', family, companyId }: KnownEvent): string {
  const flags = family === 'nfse' ? ([['--type', 'nfse']] as const) : [];
  return fiscalLine({ command: 'manifestation poll', positionals: [id], flags, company: companyId });
}

/** The command that submits an event again, with a placeholder for its content, which is not stored. */
function submitLine({ accessKey, eventCode, nSequencia, companyId, family }: KnownEvent): string {
  const line = fiscalLine({
    command: 'manifestation submit',
    positionals: [accessKey],
    flags: [['--event', String(eventCode)], ...(nSequencia > 1 ? ([['--sequence', String(nSequencia)]] as const) : [])],
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

/** What became of an event at the authority. Only `Accepted`, or its answer that it has this event (573), counts as registered. */
export function eventSentence(event: KnownEvent, { isEarlier = false } = {}): Sentence {
  const { accessKey, status } = event;
  const name = nameOf(event);
  const isDone = status === 'Accepted' || isRegisteredAlready(event);
  const what: Text = isDone
    ? { en: 'registered by the authority', pt: 'registrado pela autoridade' }
    : { en: `awaits the authority (${status})`, pt: `aguarda a autoridade (${status})` };
  const tail: Text = isEarlier ? { en: '; nothing was sent', pt: '; nada foi enviado' } : { en: '', pt: '' };
  return sentenceOf(isDone ? 'good' : 'open', {
    en: `${name.en} of ${accessKey} ${what.en}${tail.en}`,
    pt: `${name.pt} de ${accessKey} ${what.pt}${tail.pt}`,
  });
}

/** `confirmation (210200)`, with its sequence from the second on. */
function nameOf({ eventCode, nSequencia }: KnownEvent): Text {
  const label = eventOfCode(eventCode)?.label;
  const tail = `${eventCode}${nSequencia > 1 ? ` #${nSequencia}` : ''}`;
  return label === undefined
    ? { en: `event ${tail}`, pt: `evento ${tail}` }
    : { en: `${label.en} (${tail})`, pt: `${label.pt} (${tail})` };
}
