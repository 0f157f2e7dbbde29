import { answersOf, type AuthorityAnswer } from '../../jobs/authority-answer.js';
import type { Context } from '../context.js';
import { knownKinds, knownOf, type KnownEvent } from './known-events.js';

/** An event, or the item that sent it. */
interface Answered {
  readonly id?: string | undefined;
  readonly itemId?: string | undefined;
}

/** What this machine has heard of the authority's answer to an event. */
export async function answerHere(context: Context, event: Answered | undefined): Promise<AuthorityAnswer | undefined> {
  return event === undefined ? undefined : (await answersHere(context, [event]))(event);
}

/** The same for many, read at once. */
export async function answersHere(
  context: Context,
  events: readonly Answered[],
): Promise<(event: Answered) => AuthorityAnswer | undefined> {
  const [store, { storeNamespace }] = await Promise.all([context.store(), context.settings()]);
  const ids = events.flatMap((event) => idOf(event) ?? []);
  const answers = await answersOf(store, storeNamespace, ids);
  return (event) => answers.get(idOf(event) ?? '');
}

function idOf({ id, itemId }: Answered): string | undefined {
  return id ?? itemId;
}

/** An event that this machine sent or read, with what the authority answered to it. */
export interface AnsweredEvent {
  readonly event: KnownEvent;
  readonly answer: AuthorityAnswer;
}

/** Those of these documents of a company whose answer is known, by access key. */
export async function answeredEvents(
  context: Context,
  { companyId, keys }: { readonly companyId: string; readonly keys: readonly string[] },
): Promise<ReadonlyMap<string, readonly AnsweredEvent[]>> {
  const [{ known }, { storeNamespace: profile }] = await Promise.all([context.store(), context.settings()]);
  const rows = await Promise.all(
    Object.values(knownKinds).map((kind) => known.labelled({ profile, kind, labels: keys })),
  );
  const events = rows
    .flat()
    .map(knownOf)
    .filter((event) => (event.companyId ?? companyId) === companyId);
  const answerOf = await answersHere(context, events);
  const found = new Map<string, AnsweredEvent[]>();
  for (const event of events) {
    const answer = answerOf(event);
    if (answer === undefined) continue;
    found.set(event.accessKey, [...(found.get(event.accessKey) ?? []), { event, answer }]);
  }
  return found;
}
