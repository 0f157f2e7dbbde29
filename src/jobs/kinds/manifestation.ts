import { canonicalJson } from '../../domain/canonical-json.js';
import { SETTLE_MS } from '../../domain/settle-time.js';
import type { OperationId } from '../../contract/operations.js';
import type { ItemRow } from '../../store/store.js';
import { runnable, type KindFacts, type RunnableKind } from '../kind.js';
import { nfeManifestation, type NfeSubmission } from './manifestation-nfe.js';
import { nfseManifestation, type NfseSubmission } from './manifestation-nfse.js';

/** The input of a `manifestation` item. */
export type Submission = NfeSubmission | NfseSubmission;

/**
 * One kind for both families; each item is sent to its own endpoint. A file may mix families and remains one job with
 * one progress, one report and one thing to resume. An event has the same key whichever command sent it.
 */
export const manifestation: RunnableKind = routed('manifestation', {
  nfe: runnable(nfeManifestation),
  nfse: runnable(nfseManifestation),
});

/** What a manifestation job stores about itself; its operation is that of the first item's family. */
export function manifestationFacts(family: Submission['family']): KindFacts<Submission> {
  const submit: OperationId = family === 'nfe' ? nfeManifestation.submit : nfseManifestation.submit;
  return { name: manifestation.name, submit, onceOnly: manifestation.onceOnly, billed: () => false };
}

/** The idempotency key: one live event per access key, code and sequence (§3). */
export function submissionKey(submission: Submission): string {
  const sequence = submission.family === 'nfe' ? submission.nSequencia : 1;
  return eventKey(submission.accessKey, submission.eventCode, sequence);
}

export function eventKey(accessKey: string, eventCode: number, sequence: number): string {
  return `${accessKey} ${eventCode} ${sequence}`;
}

/** Compares events without regard to who vouches for the company. */
export function isSameEvent(one: Submission, other: Submission): boolean {
  return canonicalJson(eventOf(one)) === canonicalJson(eventOf(other));
}

function eventOf(submission: Submission): object {
  const { companyUnchecked: _vouched, ...event } = submission;
  // The access key of an NF-e identifies the document for every company of the account.
  return event.family === 'nfe' ? { ...event, companyId: undefined } : event;
}

function routed(name: string, kinds: Readonly<Record<Submission['family'], RunnableKind>>): RunnableKind {
  // Rows of this kind always name their family.
  const kindOf = (item: ItemRow): RunnableKind => kinds[(item.input as Submission).family];
  return {
    name,
    replay: 'natural',
    onceOnly: true,
    rejectedStays: false,
    polls: true,
    // For a family without a lookup it returns `cannot tell`, and the engine continues as for a kind without one.
    canLookUp: true,
    admit: async (context, item) => await kindOf(item).admit?.(context, item),
    misplaced: async (context, item, error) => await kindOf(item).misplaced?.(context, item, error),
    settleMs: SETTLE_MS,
    send: (client, item, options) => kindOf(item).send(client, item, options),
    read: (client, item, options) => kindOf(item).read(client, item, options),
    lookUp: (client, item, dependencies) => kindOf(item).lookUp(client, item, dependencies),
    observeConflict: (error, item) => kindOf(item).observeConflict?.(error, item),
  };
}
