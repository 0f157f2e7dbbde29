import type { Reason } from '../errors/reasons.js';

/**
 * What happened to an item, as data: recovery decides by it. The sentence that a person reads is made of it where it is shown
 * (presenters/item-steps.ts).
 */
export type ItemStep = KnownStep & {
  /** The service's own status, where the step read one. */
  readonly status?: string;
  /** When the answer came (milliseconds) that was kept on a machine until the store took it. */
  readonly keptSince?: number;
};

type KnownStep =
  /** Written before the request. `perhaps`: the store lost its last rows, and this send may be among them. */
  | { readonly is: 'sent'; readonly attempt: number; readonly perhaps?: 'server-changed' | 'went-back' }
  /** `said`: the answer of the service, where it is a text. */
  | { readonly is: 'answered'; readonly said?: string }
  /** The service took it, and did not say which resource it made of it. */
  | { readonly is: 'taken-unnamed'; readonly reason?: Reason }
  /** The code of the error with which a call ended. */
  | { readonly is: 'failed'; readonly code: string }
  /** The rate limit delayed the request for so long that it was not sent. */
  | { readonly is: 'held-up' }
  /** A send without an answer, that only a person can decide. */
  | { readonly is: 'interrupted'; readonly otherContent?: true }
  | { readonly is: 'found'; readonly after?: 'refusal' | number; readonly beforeAnySend?: true }
  | { readonly is: 'not-found' }
  | {
      readonly is: 'absent';
      readonly because: 'billed' | 'taken' | 'absent';
      readonly looks: number;
      readonly seconds: number;
    }
  | { readonly is: 'several-alike'; readonly candidates: readonly string[] }
  /** Refused because it is there already. `named`: the refusal says which resource. */
  | { readonly is: 'already-there'; readonly httpStatus: number; readonly named?: true }
  /** The same, and how that one stands is not known; `words`: those of the service. */
  | { readonly is: 'there-unread'; readonly words?: string; readonly looksAgain?: true }
  | { readonly is: 'read'; readonly by?: 'person' | 'resume' | 'apply' }
  | { readonly is: 'person-decided'; readonly verdict: 'succeeded' | 'failed' | 'not-sent' }
  /** Without a reason: by a person. */
  | {
      readonly is: 'cancelled';
      readonly because?: 'may-have-arrived' | 'opposite' | 'planned-again' | 'sent-again' | 'plan-changed';
    }
  /** An answer that was kept on a machine says otherwise. */
  | { readonly is: 'contradicted'; readonly at: number; readonly state: string; readonly resourceId?: string };
