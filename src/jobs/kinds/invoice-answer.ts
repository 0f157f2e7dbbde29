import type { Answer } from '../../client/client.js';
import { fieldOf } from '../../domain/record.js';
import { said } from '../../errors/reasons.js';
import type { Observation } from '../kind.js';
import { listField, statusField, textField } from './answer-fields.js';

/** Longest reason stored in a row, in characters. */
const MAX_REASON = 1_000;

/** Issued and still valid; `IssuedContingency` while the authority is unavailable. */
const inForce = new Set(['Issued', 'IssuedContingency']);
/** Legally issued (statuses of the three families, from the public API). A cancelled invoice was issued before. */
const issued = new Set([...inForce, 'Cancelled', 'CancelFailed', 'WaitingSendCancel']);
/** Never legally issued: only a number without an authorized invoice can be disabled (Ajuste SINIEF 7/2005). */
const refused = new Set(['IssueFailed', 'IssueDenied', 'Error', 'Disabled']);

const known = new Set([...issued, ...refused]);

/** The status: `flowStatus` of an NFS-e, `status` of the others. */
export function statusOfInvoice(body: unknown): string | undefined {
  return statusField(body, 'flowStatus', known) ?? statusField(body, 'status', known);
}

/** No longer valid, or never to be. */
const voided = new Set(['Cancelled', 'Disabled']);

export function isVoided(remoteStatus: string | undefined): boolean {
  return remoteStatus !== undefined && voided.has(remoteStatus);
}

export function isInForce(remoteStatus: string | undefined): remoteStatus is string {
  return remoteStatus !== undefined && inForce.has(remoteStatus);
}

/** Maps an invoice's status to an item state. An unknown status counts as pending, never as success. */
export function observeInvoice(body: unknown): Observation {
  const remoteStatus = statusOfInvoice(body);
  if (remoteStatus === undefined) return { state: 'pending' };
  if (issued.has(remoteStatus)) return { state: 'succeeded', remoteStatus };
  if (refused.has(remoteStatus)) return { state: 'rejected', remoteStatus, ...reasonOf(body) };
  return { state: 'pending', remoteStatus };
}

/** Like `observeInvoice`, for an invoice sent by someone else: one that is no longer valid counts as `rejected`. */
export function observeOthers(body: unknown): Observation {
  const observation = observeInvoice(body);
  if (!isVoided(observation.remoteStatus)) return observation;
  return { ...observation, state: 'rejected', errorCode: 'outcome.ended_badly', reason: { is: 'voided' } };
}

/**
 * Maps the response to an issue request. The id is in the body or the `Location`; without it the invoice cannot be
 * followed and the item is `uncertain`.
 */
export function observeTaken(answer: Answer<unknown>): Observation {
  const resourceId = idOf(answer);
  if (resourceId === undefined) {
    return { state: 'uncertain', reason: { is: 'nameless' } };
  }
  return { ...observeInvoice(answer.body), resourceId };
}

/** Checks that a lookup by our own externalId returned the invoice that was asked for. */
export function isAbout(body: unknown, externalId: string): boolean {
  return (textField(body, 'externalId') ?? externalId) === externalId;
}

/** An invoice with its id, which every later call needs. */
export interface NamedInvoice {
  readonly resourceId: string;
  readonly body: unknown;
}

/**
 * Reads the response of an NFS-e lookup by externalId: the invoice itself, or a list of invoices that is empty when
 * there is none. `another`: only invoices with other externalIds. `unclear`: an invoice exists, but not which one.
 */
export function readByExternalId(body: unknown, externalId: string): NamedInvoice | 'absent' | 'another' | 'unclear' {
  const rows = listField(body, 'serviceInvoices') ?? [body];
  // An empty page of a list that counts invoices is no proof of absence.
  if (rows.length === 0) return Number(textField(body, 'totalResults') ?? 0) === 0 ? 'absent' : 'unclear';
  const named = rows.filter((row) => isAbout(row, externalId));
  if (named.length === 0) return 'another';
  const ids = new Set(named.map((row) => textField(row, 'id')));
  const [resourceId] = ids;
  return ids.size > 1 || resourceId === undefined ? 'unclear' : { resourceId, body: named[0] };
}

/**
 * Maps the response of the general endpoint: an object with `id` and no status (§4), so a 201 without an id is all that
 * will be known.
 */
export function observeCreated(answer: Answer<unknown>): Observation {
  const seen = observeTaken(answer);
  const isDone = answer.status === 201 && seen.state === 'pending' && seen.remoteStatus === undefined;
  return isDone ? { ...seen, state: 'succeeded' } : seen;
}

/** Maps the status during a cancellation. The invoice may stay Issued for a while after the request was accepted. */
export function observeCancelled(body: unknown): Observation {
  const remoteStatus = statusOfInvoice(body);
  if (remoteStatus === undefined) return { state: 'pending' };
  if (remoteStatus === 'Cancelled') return { state: 'succeeded', remoteStatus };
  if (remoteStatus === 'CancelFailed' || refused.has(remoteStatus)) {
    return { state: 'rejected', remoteStatus, ...reasonOf(body) };
  }
  return { state: 'pending', remoteStatus };
}

/** The service's reason, from whichever field the family uses. */
export function reasonOf(body: unknown): Pick<Observation, 'errorCode' | 'reason'> {
  const message =
    textField(body, 'errorMessage') ??
    textField(body, 'flowMessage') ??
    textField(fieldOf(body, 'authorization'), 'message') ??
    messageOfLastEvent(body);
  return {
    errorCode: textField(body, 'errorCode')?.slice(0, 60) ?? 'outcome.ended_badly',
    ...(message === undefined ? {} : { reason: said(message.slice(0, MAX_REASON)) }),
  };
}

/** The message in `data` of the latest event that has one. */
function messageOfLastEvent(body: unknown): string | undefined {
  const events = listField(fieldOf(body, 'lastEvents'), 'events') ?? [];
  return events
    .toSorted((one, other) => sequenceOf(other) - sequenceOf(one))
    .map((event) => textField(fieldOf(event, 'data'), 'message') ?? textField(event, 'message'))
    .find((message) => message !== undefined);
}

function sequenceOf(event: unknown): number {
  return Number(textField(event, 'sequence') ?? -1) || 0;
}

function idOf({ body, createdId }: Answer<unknown>): string | undefined {
  return textField(body, 'id') ?? createdId ?? textField(body, 'documentId');
}
