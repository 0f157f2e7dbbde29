import type { OptionValues } from '../../cli/command.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import type { Reactions } from './react.js';
import type { listenReactOptions } from './listen-react-options.js';

/** What the words ask for. Here a listener meets the sync of another noun: services do not know each other. */
export async function reactionsOf(
  context: Context,
  { exec, execTimeout, sync, archive, pdf }: OptionValues<typeof listenReactOptions>,
): Promise<Reactions> {
  if (!sync && (archive !== undefined || pdf)) throw new FiscalError('usage.missing', { names: '--sync' });
  const { createReactions } = await import('./react.js');
  return await createReactions(context, {
    exec,
    execLimitMs: execTimeout,
    sync: sync ? await announcedSync(context, { archive, pdf }) : undefined,
  });
}

async function announcedSync(
  context: Context,
  options: { readonly archive: string | undefined; readonly pdf: boolean },
) {
  const { createAnnouncedSync } = await import('../inbound/announced-sync.js');
  return await createAnnouncedSync(context, options);
}
