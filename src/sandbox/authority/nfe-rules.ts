import type { StoredDocument } from '../document/documents.js';
import { type Rejection, rejection } from './rejections.js';
import type { EventName, Registration } from './registry.js';
import { isAwarenessLate, isConclusiveLate } from './terms.js';

/** An event of the recipient with all that the authority looks at. */
export interface NfeSubmission extends EventName {
  readonly detail: Readonly<Record<string, unknown>>;
  readonly sentAt: number;
  /** `undefined`: the sandbox has not captured this note, so the rules about the note itself let it pass. */
  readonly document: StoredDocument | undefined;
  /** Of this note and this author. */
  readonly registered: readonly Registration[];
}

const confirmation = 210200;
const awareness = 210210;
const unknown = 210220;
const notPerformed = 210240;
const cancellation = 110001;
const conclusive: readonly number[] = [confirmation, unknown, notPerformed];

type Rule = (submission: NfeSubmission) => boolean;

/** facts §3 and §4; the first that is broken speaks. 222 for a cancellation is assumed: no text names its number. */
const rules: readonly (readonly [code: string, isBroken: Rule])[] = [
  ['575', isNotRecipient],
  ['573', isDuplicate],
  ['594', isSequenceTooHigh],
  ['595', isJustificationMissing],
  ['596', isLate],
  ['650', ({ eventCode, document }) => eventCode === awareness && document?.cancelled === true],
  ['651', ({ eventCode, document }) => eventCode === unknown && document?.cancelled === true],
  ['655', isAwarenessAfterConclusion],
  ['222', isCancellationOfNothing],
];

export function findNfeRejection(submission: NfeSubmission): Rejection | null {
  const broken = rules.find(([, isBroken]) => isBroken(submission));
  return broken === undefined ? null : rejection(broken[0]);
}

/** The registered event that a cancellation means. */
export function cancelledBy({ eventCode, detail, registered }: NfeSubmission): Registration | undefined {
  if (eventCode !== cancellation) return undefined;
  const { nProtEvento, tpEventoAut } = detail;
  return registered.find((each) => each.protocol === nProtEvento && each.eventCode === Number(tpEventoAut));
}

/** Of a note that was not captured, the key tells at least that the company issued it itself. */
function isNotRecipient({ accessKey, author, document }: NfeSubmission): boolean {
  return document === undefined ? accessKey.slice(6, 20) === author : document.direction === 'outgoing';
}

function isDuplicate({ eventCode, sequence, registered }: NfeSubmission): boolean {
  return registered.some((each) => each.eventCode === eventCode && each.sequence === sequence);
}

function isSequenceTooHigh({ eventCode, sequence }: NfeSubmission): boolean {
  if (eventCode === awareness) return sequence > 1;
  return conclusive.includes(eventCode) && sequence > 2;
}

/** The service checks it before; the replaced route does not. */
function isJustificationMissing({ eventCode, detail }: NfeSubmission): boolean {
  return eventCode === notPerformed && typeof detail['justification'] !== 'string';
}

function isLate({ eventCode, document, sentAt }: NfeSubmission): boolean {
  if (document === undefined) return false;
  if (eventCode === awareness) return isAwarenessLate(document.authorizedOn, sentAt);
  return conclusive.includes(eventCode) && isConclusiveLate(document.authorizedOn, sentAt);
}

function isAwarenessAfterConclusion({ eventCode, registered }: NfeSubmission): boolean {
  return eventCode === awareness && registered.some((each) => conclusive.includes(each.eventCode));
}

function isCancellationOfNothing(submission: NfeSubmission): boolean {
  if (submission.eventCode !== cancellation) return false;
  const target = cancelledBy(submission);
  return target === undefined || target.cancelled;
}
