import type { Answer } from '../../client/client.js';
import { manifestationStatuses } from '../../contract/manifestation.js';
import type { FiscalError } from '../../errors/fiscal-error.js';
import { said } from '../../errors/reasons.js';
import type { Observation } from '../kind.js';
import { type AuthorityAnswer, authorityAnswer, authorityRefusal } from '../authority-answer.js';
import { statusField, textField } from './answer-fields.js';

/** The authority's code for "this event is already registered" (facts §3); it counts as done. */
export const ALREADY_REGISTERED = '573';

/** The fields by which an event is recognised as the one that was requested. */
export interface ExpectedEvent {
  readonly accessKey: string;
  readonly eventCode: number;
  readonly nSequencia?: number;
}

/** The status of an event (§3). */
export function eventStatus(body: unknown): string | undefined {
  return statusField(body, 'status', manifestationStatuses);
}

/** Maps the event's status (§3): Pending continues, the other three are final. An unknown status counts as pending. */
export function observeEvent(body: unknown, expected: ExpectedEvent): Observation {
  if (!isAbout(body, expected)) {
    return { state: 'uncertain', reason: { is: 'another-event' } };
  }
  const remoteStatus = eventStatus(body);
  if (remoteStatus === undefined) return { state: 'pending' };
  const answered = authorityAnswer(body);
  const answer = answered === undefined ? {} : { answer: answered };
  if (remoteStatus === 'Accepted') return { state: 'succeeded', remoteStatus, ...answer };
  if (remoteStatus !== 'Rejected' && remoteStatus !== 'Failed') return { state: 'pending', remoteStatus };
  return { state: badEnd(remoteStatus, answered?.code), remoteStatus, ...reasonOf(answered), ...answer };
}

/** A refusal of the submit in which the service hands on that of the authority: the same as an event that was rejected. */
export function observeRefusal(error: FiscalError): Observation | undefined {
  const answer = authorityRefusal(error);
  if (answer === undefined) return undefined;
  return { state: badEnd('Rejected', answer.code), remoteStatus: 'Rejected', ...reasonOf(answer), answer };
}

function badEnd(status: 'Rejected' | 'Failed', code: string | undefined): Observation['state'] {
  if (status === 'Failed') return 'failed';
  return code === ALREADY_REGISTERED ? 'skipped' : 'rejected';
}

function reasonOf({ code, text }: AuthorityAnswer = {}): Pick<Observation, 'errorCode' | 'reason'> {
  return { errorCode: code ?? 'outcome.ended_badly', ...(text === undefined ? {} : { reason: said(text) }) };
}

/** A missing field proves nothing; a different value does. */
function isAbout(body: unknown, { accessKey, eventCode, nSequencia }: ExpectedEvent): boolean {
  const seen = {
    accessKey: textField(body, 'accessKey'),
    eventCode: textField(body, 'eventCode'),
    nSequencia: textField(body, 'nSequencia'),
  };
  return (
    (seen.accessKey ?? accessKey) === accessKey &&
    (seen.eventCode ?? String(eventCode)) === String(eventCode) &&
    (nSequencia === undefined || (seen.nSequencia ?? String(nSequencia)) === String(nSequencia))
  );
}

/**
 * Maps a 202 (§4). The id is in the body or the `Location`; without it the event cannot be followed and the item is
 * `uncertain`.
 */
export function observeAccepted(answer: Answer<unknown>, expected: ExpectedEvent): Observation {
  const resourceId = textField(answer.body, 'id') ?? answer.createdId ?? textField(answer.body, 'documentId');
  if (resourceId === undefined) {
    return { state: 'uncertain', reason: { is: 'nameless-event' } };
  }
  const seen = observeEvent(answer.body, expected);
  const companyId = textField(answer.body, 'companyId');
  const company = companyId === undefined ? {} : { companyId: companyId.slice(0, 200) };
  return { ...seen, ...company, resourceId, remoteStatus: seen.remoteStatus ?? 'Pending' };
}

const idFields = new Set(['id', 'eventid', 'manifestationid', 'documentid']);

/**
 * Reads the event behind a 409 (§4: the same event is Pending or Accepted). Its id, if any, is in the error details
 * (assumed).
 */
export function observeLive(error: FiscalError): Observation | undefined {
  const detail = (names: ReadonlySet<string>): string | undefined => {
    const message = error.facts.details?.find(({ field }) => names.has(field.toLowerCase()))?.message;
    return typeof message === 'string' && /^[\w-]{1,100}$/.test(message) ? message : undefined;
  };
  const resourceId = detail(idFields);
  if (resourceId === undefined) return undefined;
  const remoteStatus = detail(new Set(['status']));
  // Even an Accepted event is read again, because the refusal alone proves nothing.
  return { state: 'pending', resourceId, ...(remoteStatus === undefined ? {} : { remoteStatus }) };
}
