import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { signingSecrets, type SigningSecrets } from './signing-secrets.js';

/** The secrets of a program that runs for long: those of a webhook that is created meanwhile come in. */
export interface LiveSecrets {
  /** The same list always; `renew` changes what is in it. */
  readonly secrets: readonly string[];
  renew(): Promise<boolean>;
}

/** Forged deliveries must not make the machine read a file each. */
const pauseMs = 100;

/**
 * Secrets that are read again when a delivery fits none of them. A profile without any may begin: the webhook that is to
 * call it can only be created while it answers. Errors: those of `signingSecrets`; `webhook.no_secret` without a profile.
 */
export async function liveSecrets(context: Context, file: string | undefined): Promise<LiveSecrets> {
  const found = await signingSecrets(context, file).catch(async (error: unknown) => {
    if (!(await isNoneYet(context, error))) throw error;
    await context.notice(noneYet);
    return none;
  });
  const secrets = [...found.secrets];
  let renewal: Promise<boolean> | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<boolean> => {
    lastAt = context.clock.now();
    // What cannot be read now leaves what is known: the file may be about to be written.
    const now = await signingSecrets(context, file).catch(() => none);
    const isNews = now.secrets.some((secret) => !secrets.includes(secret));
    if (now.secrets.length > 0) secrets.splice(0, secrets.length, ...now.secrets);
    return isNews;
  };
  return {
    secrets,
    async renew() {
      if (!found.mayChange) return false;
      if (renewal === undefined && Math.abs(context.clock.now() - lastAt) < pauseMs) return false;
      renewal ??= read().finally(() => {
        renewal = undefined;
      });
      return await renewal;
    },
  };
}

const none: SigningSecrets = { secrets: [], source: '', mayChange: true };

async function isNoneYet(context: Context, error: unknown): Promise<boolean> {
  if (!(error instanceof FiscalError) || error.code !== 'webhook.no_secret') return false;
  return (await context.settings()).profile !== undefined;
}

const noneYet: Text = {
  en: 'no secret is kept yet: every delivery is refused until there is one: fiscal webhook create <uri>',
  pt: 'ainda não há segredo guardado: toda entrega é recusada até que haja um: fiscal webhook create <uri>',
};
