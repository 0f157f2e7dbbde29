import type { Answer } from '../../client/client.js';
import type { FiscalError } from '../../errors/fiscal-error.js';
import type { Observation } from '../kind.js';
import { reasons } from '../known-reasons.js';
import { lastSegment, textField } from './answer-fields.js';

/** The authority's number for "this very event is registered already" (facts §3): it counts as done. */
export const ALREADY_REGISTERED = '573';

/** A reason is one sentence; the service's words are bounded before they reach a row. */
const MAX_REASON = 1_000;

/** What an event must say of itself to be the one that was asked for. */
export interface ExpectedEvent {
  readonly accessKey: string;
  readonly eventCode: number;
  readonly nSequencia?: number;
}

/** §3: Pending goes on, the other three are final; a word that no list names is kept and waited for. */
export function observeEvent(body: unknown, expected: ExpectedEvent): Observation {
  if (!isAbout(body, expected)) {
    return { state: 'uncertain', errorMessage: reasons.anotherEvent.en };
  }
  const remoteStatus = textField(body, 'status');
  if (remoteStatus === undefined) return { state: 'pending' };
  if (remoteStatus === 'Accepted') return { state: 'succeeded', remoteStatus };
  if (remoteStatus !== 'Rejected' && remoteStatus !== 'Failed') return { state: 'pending', remoteStatus };
  return { state: badEnd(remoteStatus, textField(body, 'errorCode')), remoteStatus, ...reasonOf(body) };
}

function badEnd(status: 'Rejected' | 'Failed', code: string | undefined): Observation['state'] {
  if (status === 'Failed') return 'failed';
  return code === ALREADY_REGISTERED ? 'skipped' : 'rejected';
}

function reasonOf(body: unknown): Pick<Observation, 'errorCode' | 'errorMessage'> {
  const message = textField(body, 'errorMessage')?.slice(0, MAX_REASON);
  return {
    errorCode: textField(body, 'errorCode')?.slice(0, 60) ?? 'outcome.ended_badly',
    ...(message === undefined ? {} : { errorMessage: message }),
  };
}

/** Fields that an answer leaves out prove nothing; a field that differs does. */
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

/** 202 (§4): the id stands in the body or in the `Location`; without one the event cannot be followed. */
export function observeAccepted(answer: Answer<unknown>, expected: ExpectedEvent): Observation {
  const resourceId =
    textField(answer.body, 'id') ?? lastSegment(answer.location) ?? textField(answer.body, 'documentId');
  if (resourceId === undefined) {
    return { state: 'uncertain', errorMessage: reasons.namelessEvent.en };
  }
  const seen = observeEvent(answer.body, expected);
  const companyId = textField(answer.body, 'companyId');
  const company = companyId === undefined ? {} : { companyId: companyId.slice(0, 200) };
  return { ...seen, ...company, resourceId, remoteStatus: seen.remoteStatus ?? 'Pending' };
}

const idFields = new Set(['id', 'eventid', 'manifestationid', 'documentid']);

/** §4: 409 while the same event is Pending or Accepted. Which one it is stands in the details (assumed), if anywhere. */
export function observeLive(error: FiscalError): Observation | undefined {
  const detail = (names: ReadonlySet<string>): string | undefined => {
    const message = error.facts.details?.find(({ field }) => names.has(field.toLowerCase()))?.message;
    return typeof message === 'string' && /^[\w-]{1,100}$/.test(message) ? message : undefined;
  };
  const resourceId = detail(idFields);
  if (resourceId === undefined) return undefined;
  const remoteStatus = detail(new Set(['status']));
  // Even an accepted one is read once more: the refusal is no proof of what it says.
  return { state: 'pending', resourceId, ...(remoteStatus === undefined ? {} : { remoteStatus }) };
}
