import type { Webhook, WebhookInput } from '../../contract/webhook.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import {
  confirmPending,
  dropPending,
  keepPending,
  newSecret,
  onlyForNew,
  pendingName,
  secretPlaces,
  type SecretPlaces,
} from './keep-secret.js';
import { readEnvelope, readWebhook } from './read-webhook.js';
import { givenSecret } from './signing-secrets.js';

/** The secret that an update sends along. */
export interface UpdateSecret {
  /** `undefined`: this machine knows none. */
  readonly value: string | undefined;
  readonly isChanged: boolean;
  /** Made here, so that nobody knows it yet. */
  readonly isNew: boolean;
  readonly places: SecretPlaces;
}

interface SecretWish {
  readonly id: string;
  readonly secretFile: string | undefined;
  readonly secretOut: string | undefined;
  readonly newSecret: boolean;
}

/**
 * A new secret, the one of the file, or the one that is kept: an update replaces the whole, so that one without its secret
 * might take it away. The environment does not count: its secret may be another webhook's.
 */
export async function updateSecret(context: Context, wish: SecretWish): Promise<UpdateSecret> {
  const { id, secretFile, secretOut } = wish;
  if (wish.newSecret && secretFile !== undefined) throw bothSecrets();
  if (wish.newSecret) {
    const places = await secretPlaces(context, secretOut);
    return { value: newSecret(context.random), isChanged: true, isNew: true, places };
  }
  if (secretOut !== undefined) throw onlyForNew();
  const { profile } = await context.settings();
  const places = { profile, out: undefined };
  if (secretFile !== undefined) {
    const value = await givenSecret(context, secretFile);
    return { value, isChanged: true, isNew: false, places };
  }
  const stored = profile === undefined ? {} : await (await context.config()).webhookSecrets(profile);
  const value = Object.hasOwn(stored, id) ? stored[id] : undefined;
  return { value, isChanged: false, isNew: false, places };
}

/** Writes the whole. A changed secret is kept beside the old one until the service has taken it: a listener knows both. */
export async function replaceWebhook(
  context: Context,
  { id, body, secret }: { readonly id: string; readonly body: WebhookInput; readonly secret: UpdateSecret },
): Promise<Webhook> {
  const name = pendingName.update(id);
  const { value, isChanged, places } = secret;
  const changed = isChanged ? value : undefined;
  if (changed !== undefined) await keepPending(context, places, { name, secret: changed });
  const client = await context.client();
  const input = { path: { webhookId: id }, body: { webHook: body } };
  const how = { signal: context.interruption };
  const answer = await client.call('webhook.update', input, how).catch(async (error: unknown) => {
    const isRefused = error instanceof FiscalError && error.facts.sent !== 'unknown' && isNo(error);
    if (changed !== undefined && isRefused) await dropPending(context, places, name);
    throw error;
  });
  if (changed !== undefined) await confirmPending(context, places.profile, { name, id, secret: changed });
  return answer.body === undefined
    ? await readWebhook(context, id)
    : readEnvelope(answer.body, 'webhook.update');
}

function isNo({ facts: { sent, httpStatus = 0 } }: FiscalError): boolean {
  return sent === 'no' || (httpStatus >= 400 && httpStatus < 500);
}

function bothSecrets(): FiscalError {
  const message = {
    en: '--new-secret and --secret-file cannot be given together',
    pt: '--new-secret e --secret-file não podem ser usadas juntas',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}
