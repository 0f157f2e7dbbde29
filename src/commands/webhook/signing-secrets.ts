import { findWebhookSecrets, secretFromEnvironment, webhookSecretVariable } from '../../config/credentials.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { assertLength, readOneSecret, readSecretFile, unusable } from '../../services/input/webhook-secret.js';

/** The secrets that a delivery may be signed with, and where they were found. */
interface SigningSecrets {
  readonly secrets: readonly string[];
  readonly source: string;
  /** False for the environment and stdin: they are what they were at the start. */
  readonly mayChange: boolean;
}

type SecretContext = Pick<
  Context,
  'config' | 'settings' | 'env' | 'cwd' | 'stdin' | 'directories' | 'random' | 'goOn' | 'interruption'
>;

/**
 * The secrets that deliveries are checked with, by precedence: `--secret-file` (one secret per line, so that an old one and its
 * successor are both accepted), `FISCAL_WEBHOOK_SECRET` with its `_FILE` and `_COMMAND`, then every secret stored in the profile.
 * Errors: `webhook.no_secret`, `webhook.unusable_secret`, `input.not_found`, `input.unreadable`.
 */
export async function signingSecrets(context: SecretContext, file: string | undefined): Promise<SigningSecrets> {
  if (file !== undefined) {
    return { secrets: await readSecretFile(context, file), source: file, mayChange: file !== '-' };
  }
  const { profile } = await context.settings();
  const stored = profile === undefined ? {} : await (await context.config()).webhookSecrets(profile);
  const found = await findWebhookSecrets(context.env, stored);
  const [first] = found;
  if (first === undefined) throw noSecret();
  const source = found.length === 1 ? first.source : `profile ${profile ?? ''}`;
  const mayChange = !first.source.startsWith(webhookSecretVariable);
  return { secrets: [...new Set(found.map(({ secret }) => secret))], source, mayChange };
}

/** The secret that the user provides for a webhook, of 32 to 64 characters (public); `undefined`: none, so one is generated. */
export async function givenSecret(context: SecretContext, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) {
    const found = await secretFromEnvironment(webhookSecretVariable, context.env);
    if (found !== undefined) assertLength(found.secret, found.source);
    return found?.secret;
  }
  return await readOneSecret(context, file);
}

const leastBytes = 16;

/** Refuses secrets that can be guessed by trying: then anybody signs. Error: `webhook.unusable_secret`. */
export function assertLong(secrets: readonly string[], source: string): void {
  if (secrets.every((secret) => secret.length >= leastBytes)) return;
  throw unusable(source, {
    en: `a secret of at least ${leastBytes} characters is expected`,
    pt: `espera-se um segredo de pelo menos ${leastBytes} caracteres`,
  });
}

function noSecret(): FiscalError {
  return new FiscalError(
    'webhook.no_secret',
    {},
    {
      sent: 'no',
      hint: {
        en: 'give --secret-file <file>, set FISCAL_WEBHOOK_SECRET, or create the webhook here: fiscal webhook create <uri>',
        pt: 'informe --secret-file <arquivo>, defina FISCAL_WEBHOOK_SECRET ou crie o webhook aqui: fiscal webhook create <uri>',
      },
    },
  );
}

/** The secrets of a long-running listener: includes the secret of a webhook that is created while it runs. */
export interface LiveSecrets {
  /** Always the same list; `renew` changes its content. */
  readonly secrets: readonly string[];
  renew(): Promise<boolean>;
}

/** The pause between two reads, so that forged deliveries do not cause a read each. */
const pauseMs = 100;

/**
 * Secrets that are read again when a delivery matches none of them. A profile may start without any: the webhook can only be
 * created while the listener answers. Errors: those of `signingSecrets`; `webhook.no_secret` without a profile.
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
    // On a failed read the known secrets are kept: the file may be in the middle of a write.
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
  en: 'no secret is stored yet; every delivery is refused until you create one: fiscal webhook create <uri>',
  pt: 'ainda não há segredo guardado; toda entrega é recusada até você criar um: fiscal webhook create <uri>',
};
