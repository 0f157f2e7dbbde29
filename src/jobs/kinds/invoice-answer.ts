import type { Answer } from '../../client/client.js';
import type { Observation } from '../kind.js';
import { reasons } from '../known-reasons.js';
import { lastSegment, listField, textField } from './answer-fields.js';

/** A reason is one sentence; the service's words are bounded before they reach a row. */
const MAX_REASON = 1_000;

/** Issued, and not ended by anything since; `IssuedContingency` while the authority is out of order. */
const inForce = new Set(['Issued', 'IssuedContingency']);
/** What exists in law: the words of the three families (public). A cancelled invoice was issued before. */
const issued = new Set([...inForce, 'Cancelled', 'CancelFailed', 'WaitingSendCancel', 'Disabled']);
/** What never came to exist in law. */
const refused = new Set(['IssueFailed', 'IssueDenied', 'Error']);

/** The service's own word: `flowStatus` of an NFS-e, `status` of the others. */
export function statusOfInvoice(body: unknown): string | undefined {
  return textField(body, 'flowStatus') ?? textField(body, 'status');
}

/** An invoice that the order had, and that is valid no longer. */
const voided = new Set(['Cancelled', 'Disabled']);

export function isVoided(remoteStatus: string | undefined): boolean {
  return remoteStatus !== undefined && voided.has(remoteStatus);
}

export function isInForce(remoteStatus: string | undefined): remoteStatus is string {
  return remoteStatus !== undefined && inForce.has(remoteStatus);
}

/** How an invoice stands; a word that no list names is kept and waited for, never taken for success. */
export function observeInvoice(body: unknown): Observation {
  const remoteStatus = statusOfInvoice(body);
  if (remoteStatus === undefined) return { state: 'pending' };
  if (issued.has(remoteStatus)) return { state: 'succeeded', remoteStatus };
  if (refused.has(remoteStatus)) return { state: 'rejected', remoteStatus, ...reasonOf(body) };
  return { state: 'pending', remoteStatus };
}

/** The same of an invoice that others have sent: one that is valid no longer is no good end of its order. */
export function observeOthers(body: unknown): Observation {
  const observation = observeInvoice(body);
  if (!isVoided(observation.remoteStatus)) return observation;
  const why = { errorCode: 'outcome.ended_badly', errorMessage: reasons.voided.en };
  return { ...observation, ...why, state: 'rejected' };
}

/** The answer of an issue: the id stands in the body or in the `Location`; without one the invoice cannot be followed. */
export function observeTaken(answer: Answer<unknown>): Observation {
  const resourceId = idOf(answer);
  if (resourceId === undefined) {
    return { state: 'uncertain', errorMessage: reasons.nameless.en };
  }
  return { ...observeInvoice(answer.body), resourceId };
}

/** What the answers of this program's own externalId look-ups must say to be about the invoice that was asked for. */
export function isAbout(body: unknown, externalId: string): boolean {
  return (textField(body, 'externalId') ?? externalId) === externalId;
}

/** An invoice with the id that every later call needs. */
export interface NamedInvoice {
  readonly resourceId: string;
  readonly body: unknown;
}

/**
 * What the service has under an externalId of an NFS-e: it answers with the invoice itself or with a list of invoices, which is
 * empty where it has none. `another`: only invoices of other externalIds; `unclear`: it has one, and it cannot be said which.
 */
export function readByExternalId(
  body: unknown,
  externalId: string,
): NamedInvoice | 'absent' | 'another' | 'unclear' {
  const rows = listField(body, 'serviceInvoices') ?? [body];
  if (rows.length === 0) return 'absent';
  const named = rows.filter((row) => isAbout(row, externalId));
  if (named.length === 0) return 'another';
  const ids = new Set(named.map((row) => textField(row, 'id')));
  const [resourceId] = ids;
  return ids.size > 1 || resourceId === undefined ? 'unclear' : { resourceId, body: named[0] };
}

/** §4 promises an object with `id` for the short way, and no status: 201 without one is all that will be known. */
export function observeCreated(answer: Answer<unknown>): Observation {
  const seen = observeTaken(answer);
  const isDone = answer.status === 201 && seen.state === 'pending' && seen.remoteStatus === undefined;
  return isDone ? { ...seen, state: 'succeeded' } : seen;
}

/** The end of a cancellation; Issued may stand for a while after it was accepted. */
export function observeCancelled(body: unknown): Observation {
  const remoteStatus = statusOfInvoice(body);
  if (remoteStatus === undefined) return { state: 'pending' };
  if (remoteStatus === 'Cancelled') return { state: 'succeeded', remoteStatus };
  if (remoteStatus === 'CancelFailed' || refused.has(remoteStatus)) {
    return { state: 'rejected', remoteStatus, ...reasonOf(body) };
  }
  return { state: 'pending', remoteStatus };
}

/** The reason in the service's words, wherever the family puts it. */
export function reasonOf(body: unknown): Pick<Observation, 'errorCode' | 'errorMessage'> {
  const message =
    textField(body, 'errorMessage') ?? textField(body, 'flowMessage') ?? messageOf(body, 'authorization');
  return {
    errorCode: textField(body, 'errorCode')?.slice(0, 60) ?? 'outcome.ended_badly',
    ...(message === undefined ? {} : { errorMessage: message.slice(0, MAX_REASON) }),
  };
}

function messageOf(body: unknown, group: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const inner: unknown = Object.entries(body).find(([name]) => name === group)?.[1];
  return textField(inner, 'message');
}

function idOf({ body, location }: Answer<unknown>): string | undefined {
  return textField(body, 'id') ?? lastSegment(location) ?? textField(body, 'documentId');
}
