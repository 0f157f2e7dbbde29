import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../../services/context.js';
import type { FollowTimes } from '../../services/batch/follow.js';
import { previewOne } from '../../services/calls/one-call.js';
import { isRegisteredAlready, registeredAlready, requireNotBad, followEvent } from './follow.js';
import { nfeRead, nfseRead, readEvent, type ReadEvent, findTarget, type NamedEvent } from './read-event.js';
import { eventSentence } from './sentence.js';

interface GetRequest extends NamedEvent {
  /** The exit code shows the state: 8 while Pending, 13 for Rejected and Failed. */
  readonly exitStatus: boolean;
}

/** Reads an event once, as the service shows it. */
export async function getManifestation(context: Context, request: GetRequest): Promise<Outcome> {
  const target = await findTarget(context, request);
  const { dryRun } = await context.settings();
  if (dryRun && target.family === 'nfe') {
    return { data: await previewOne(context, 'nfe.manifestation.get', await nfeRead(context, target)) };
  }
  if (dryRun) {
    return { data: await previewOne(context, 'nfse.manifestation.get', await nfseRead(context, target)) };
  }
  const read = await readEvent(context, target);
  const outcome = shownRead(read);
  if (!request.exitStatus || requireNotBad(read.event) === 'done') return outcome;
  return { ...outcome, exitCode: ExitCode.pending };
}

/** The event as the service returned it, with a notice when Rejected means that it was registered before. */
function shownRead({ body, event }: ReadEvent): Outcome {
  return { data: body, ...(isRegisteredAlready(event) ? { notices: [registeredAlready] } : {}) };
}

/** Waits for the decision on an event: the service sends no webhook for it (§6). Errors: those of `followEvent`. */
export async function pollManifestation(
  context: Context,
  request: NamedEvent & FollowTimes,
): Promise<Outcome> {
  const read = await followEvent(context, await findTarget(context, request), request);
  return { ...shownRead(read), sentence: eventSentence(read.event) };
}
