import type { CallInput } from '../../client/client.js';
import type { JobKind } from '../kind.js';
import { observeAccepted, observeEvent, observeLive } from './manifestation-answer.js';

/** One event of the recipient of an NF-e. */
export interface NfeSubmission {
  readonly family: 'nfe';
  readonly accessKey: string;
  readonly eventCode: number;
  readonly nSequencia: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

/**
 * Submission is natural: a repeat of a live event answers 409 and does not reach the authority again (§4), so an
 * interrupted send is simply made again. There is no list in which it could be looked up.
 */
export const nfeManifestation: JobKind<NfeSubmission, 'nfe.manifestation.submit', 'nfe.manifestation.get'> = {
  name: 'nfe-manifestation',
  submit: 'nfe.manifestation.submit',
  poll: 'nfe.manifestation.get',
  replay: 'natural',
  onceOnly: true,
  rejectedStays: false,
  billed: () => false,
  submitInput: nfeCall,
  pollInput: (_input, item) => ({ path: { id: item.resourceId ?? '' } }),
  observeSubmit: observeAccepted,
  observePoll: (answer, input) => observeEvent(answer.body, input),
  observeConflict: observeLive,
};

export function nfeCall(submission: NfeSubmission): CallInput<'nfe.manifestation.submit'> {
  const { accessKey, eventCode, nSequencia, detail } = submission;
  return { path: { accessKey }, body: { eventCode, nSequencia, detail } };
}

export interface LegacySubmission {
  readonly companyId: string;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly justification?: string;
}

/** The replaced route (§4, §9): it answers the outcome at once and keeps nothing, so a repeat is a second submission. */
export const legacyManifestation: JobKind<LegacySubmission, 'nfe.manifestation.legacy'> = {
  name: 'nfe-manifestation-legacy',
  submit: 'nfe.manifestation.legacy',
  poll: null,
  replay: 'unsafe',
  onceOnly: true,
  rejectedStays: false,
  billed: () => false,
  submitInput: legacyCall,
  pollInput: () => {
    throw new Error('the replaced route has no read');
  },
  observeSubmit: (answer, input) => {
    const seen = observeEvent(answer.body, input);
    // Nothing can be read later: an answer without an outcome is all that will ever be known.
    return seen.state === 'pending' ? { ...seen, state: 'succeeded' } : seen;
  },
  observePoll: (answer, input) => observeEvent(answer.body, input),
};

export function legacyCall(submission: LegacySubmission): CallInput<'nfe.manifestation.legacy'> {
  const { companyId, accessKey, eventCode, justification } = submission;
  return {
    path: { companyId, accessKey },
    query: { tpEvent: eventCode },
    ...(justification === undefined ? {} : { body: { justification } }),
  };
}
