import type { Text } from '../../contract/text.js';
import { eventOfCode } from '../../domain/event-codes.js';
import type { DataRecord } from '../../domain/outcome.js';
import { Prose } from '../../domain/prose.js';
import { reasonWords } from '../../errors/reasons.js';
import { answerFields, type AuthorityAnswer } from '../../jobs/authority-answer.js';
import type { Submission } from '../../jobs/kinds/manifestation.js';
import type { KnownEvent } from '../../services/documents/known-events.js';

/** An event as data, with what the authority answered. */
export function shownEvent(event: KnownEvent, answer?: AuthorityAnswer): DataRecord {
  const { id, accessKey, eventCode, nSequencia, status, errorCode, reason, jobId } = event;
  const { companyId, companyUnproven, answeredCompany } = event;
  const fields = { id, accessKey, eventCode, event: eventNameOf(eventCode), nSequencia, status };
  const more = {
    companyId,
    companyUnproven,
    answeredCompany,
    errorCode,
    errorMessage: reason && new Prose(reasonWords(reason)),
    jobId,
  };
  const given = Object.entries({ ...fields, ...answerFields(answer), ...more }).filter(
    ([, value]) => value !== undefined,
  );
  return { type: 'manifestation', ...Object.fromEntries(given) };
}

export function eventNameOf(code: number): string | undefined {
  return eventOfCode(code)?.name;
}

/** The event as a sentence names it. */
export function eventText(
  event: Pick<KnownEvent, 'accessKey' | 'eventCode' | 'nSequencia'> & { readonly id?: string },
): Text {
  const { accessKey, eventCode, nSequencia, id } = event;
  const name = eventNameOf(eventCode);
  const words = [
    String(eventCode),
    ...(name === undefined ? [] : [`(${name})`]),
    ...(nSequencia > 1 ? [`#${nSequencia}`] : []),
  ].join(' ');
  const tail = id === undefined ? '' : ` [${id}]`;
  return { en: `event ${words} of ${accessKey}${tail}`, pt: `o evento ${words} de ${accessKey}${tail}` };
}

/** The label of the event in a job. */
export function labelOf(submission: Submission): string {
  const { accessKey, eventCode } = submission;
  const sequence = submission.family === 'nfe' && submission.nSequencia > 1 ? ` #${submission.nSequencia}` : '';
  return `${accessKey} ${eventCode}${sequence}`;
}
