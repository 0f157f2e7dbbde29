import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { isRegisteredAlready, requireNotBad } from './follow.js';
import { nfeRead, nfseRead, readEvent, type ReadEvent } from './read-event.js';
import { findTarget, type NamedEvent } from './target.js';

export interface GetRequest extends NamedEvent {
  /** The exit code tells the state: 8 while Pending, 13 for Rejected and Failed. */
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

/** The event as it came, and a word where Rejected means that it was there before. */
export function shownRead({ body, event }: ReadEvent): Outcome {
  return { data: body, ...(isRegisteredAlready(event) ? { notices: [registered] } : {}) };
}

const registered: Text = {
  en: 'the authority had this very event registered already (573): it counts as done',
  pt: 'a autoridade já tinha este mesmo evento registrado (573): conta como feito',
};
