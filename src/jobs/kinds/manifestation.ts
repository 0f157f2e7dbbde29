import { canonicalJson } from '../../domain/canonical-json.js';
import type { OperationId } from '../../contract/operations.js';
import type { ItemRow } from '../../store/store.js';
import { runnable, type KindFacts, type RunnableKind } from '../kind.js';
import { nfeManifestation, type NfeSubmission } from './manifestation-nfe.js';
import { nfseManifestation, type NfseSubmission } from './manifestation-nfse.js';

/** How long an event that a 409 speaks of is looked for before a person is asked. */
const SETTLE_MS = 10 * 60_000;

/** What an item of `manifestation` holds. */
export type Submission = NfeSubmission | NfseSubmission;

/**
 * One kind for both families, which sends each item where it belongs. A file may mix them and stays one job: one
 * progress, one report, one thing to resume; and an event is held by one key whichever command sent it.
 */
export const manifestation: RunnableKind = routed('manifestation', {
  nfe: runnable(nfeManifestation),
  nfse: runnable(nfseManifestation),
});

/** What the job of such items says of itself; its operation is that of its first item's family. */
export function manifestationFacts(family: Submission['family']): KindFacts<Submission> {
  const submit: OperationId = family === 'nfe' ? nfeManifestation.submit : nfseManifestation.submit;
  return { name: manifestation.name, submit, onceOnly: manifestation.onceOnly, billed: () => false };
}

/** What must exist only once among the living (§3): one event per key, code and sequence. */
export function submissionKey(submission: Submission): string {
  const sequence = submission.family === 'nfe' ? submission.nSequencia : 1;
  return eventKey(submission.accessKey, submission.eventCode, sequence);
}

export function eventKey(accessKey: string, eventCode: number, sequence: number): string {
  return `${accessKey} ${eventCode} ${sequence}`;
}

/** Whether the event is the same, whoever vouches for its company. */
export function isSameEvent(one: Submission, other: Submission): boolean {
  return canonicalJson(eventOf(one)) === canonicalJson(eventOf(other));
}

function eventOf(submission: Submission): object {
  const { companyUnchecked: _vouched, ...event } = submission;
  // The key of an NF-e names the note for every company of the account.
  return event.family === 'nfe' ? { ...event, companyId: undefined } : event;
}

function routed(name: string, kinds: Readonly<Record<Submission['family'], RunnableKind>>): RunnableKind {
  // The row was written by this very kind, so its input names its family.
  const kindOf = (item: ItemRow): RunnableKind => kinds[(item.input as Submission).family];
  return {
    name,
    replay: 'natural',
    onceOnly: true,
    rejectedStays: false,
    polls: true,
    // A family without a look-up answers "cannot tell", after which the engine goes on as for a kind without one.
    canLookUp: true,
    admit: async (parts, item) => await kindOf(item).admit?.(parts, item),
    misplaced: async (parts, item, error) => await kindOf(item).misplaced?.(parts, item, error),
    settleMs: SETTLE_MS,
    send: (client, item, options) => kindOf(item).send(client, item, options),
    read: (client, item, options) => kindOf(item).read(client, item, options),
    lookUp: (client, item, signal) => kindOf(item).lookUp(client, item, signal),
    observeConflict: (error, item) => kindOf(item).observeConflict?.(error, item),
  };
}
