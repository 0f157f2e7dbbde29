import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { followEvent, type FollowTimes } from './follow.js';
import { shownRead } from './get.js';
import { findTarget, type NamedEvent } from './target.js';

/** Follows an event to its end: there is no completion webhook for NF-e events (§6). Errors: those of `followEvent`. */
export async function pollManifestation(
  context: Context,
  request: NamedEvent & FollowTimes,
): Promise<Outcome> {
  return shownRead(await followEvent(context, await findTarget(context, request), request));
}
