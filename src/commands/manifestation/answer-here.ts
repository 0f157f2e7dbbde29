import { answersOf, type AuthorityAnswer } from '../../jobs/authority-answer.js';
import type { Context } from '../../services/context.js';

/** An event, or the item that sent it. */
interface Answered {
  readonly id?: string | undefined;
  readonly itemId?: string | undefined;
}

/** What this machine has heard of the authority's answer to an event. */
export async function answerHere(
  context: Context,
  event: Answered | undefined,
): Promise<AuthorityAnswer | undefined> {
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
