import type { Given } from '../../cli/command.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import type { get, poll } from './commands.js';
import { eventSentence, followEvent, isRegisteredAlready, registeredAlready, requireNotBad } from './follow.js';
import { findTarget, nfeRead, nfseRead, readEvent, type ReadEvent } from './read-event.js';

/** Reads an event once, as the service shows it. */
export async function getManifestation(context: Context, given: Given<typeof get>): Promise<Outcome> {
  const target = await findTarget(context, given);
  const { dryRun } = await context.settings();
  if (dryRun && target.family === 'nfe') {
    return { data: await previewOne(context, 'nfe.manifestation.get', await nfeRead(context, target)) };
  }
  if (dryRun) {
    return { data: await previewOne(context, 'nfse.manifestation.get', await nfseRead(context, target)) };
  }
  const read = await readEvent(context, target);
  const outcome = shownRead(read);
  if (!given.exitStatus || requireNotBad(read.event) === 'done') return outcome;
  return { ...outcome, exitCode: ExitCode.pending };
}

/** The event as the service returned it, with a notice when Rejected means that it was registered before. */
function shownRead({ body, event }: ReadEvent): Outcome {
  return { data: body, ...(isRegisteredAlready(event) ? { notices: [registeredAlready] } : {}) };
}

/** Waits for the decision on an event: the service sends no webhook for it (§6). Errors: those of `followEvent`. */
export async function pollManifestation(context: Context, given: Given<typeof poll>): Promise<Outcome> {
  const read = await followEvent(context, await findTarget(context, given), given);
  return { ...shownRead(read), sentence: eventSentence(read.event) };
}
