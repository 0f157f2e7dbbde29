import type { Environment } from '../domain/world.js';
import { secretFromEnvironment, type FoundSecret } from './key-sources.js';
import { isRecord } from '../domain/record.js';
import { type ProfileRecord } from './profile-store.js';

/** The variable with the secret of webhooks; `_FILE` and `_COMMAND` as with keys. */
export const webhookSecretVariable = 'FISCAL_WEBHOOK_SECRET';

/** Signing secrets of the profile's webhooks, by the id of the webhook. They stand in `config.json` (0600) as keys do. */
export type WebhookSecrets = Readonly<Record<string, string>>;

export function storedWebhookSecrets(values: ProfileRecord | undefined): WebhookSecrets {
  const secrets = values?.['webhookSecrets'];
  if (!isRecord(secrets)) return {};
  const texts = Object.entries(secrets).flatMap(([id, secret]): [string, string][] =>
    typeof secret === 'string' ? [[id, secret]] : [],
  );
  return Object.fromEntries(texts);
}

/** The profile with the secret of one webhook, or without it. */
export function withWebhookSecret(
  values: ProfileRecord,
  id: string,
  secret: string | undefined,
): ProfileRecord {
  const others = Object.entries(storedWebhookSecrets(values)).filter(([other]) => other !== id);
  const secrets = secret === undefined ? others : [...others, [id, secret]];
  const { webhookSecrets: _before, ...rest } = values;
  return secrets.length === 0 ? rest : { ...rest, webhookSecrets: Object.fromEntries(secrets) };
}

/**
 * The secrets that a delivery may be signed with: the one of the environment, else all that the profile keeps. Throws
 * `auth.unusable_key` or `auth.key_command_failed`; the text of a secret is in no error.
 */
export async function findWebhookSecrets(
  env: Environment,
  stored: WebhookSecrets,
): Promise<readonly FoundSecret[]> {
  const found = await secretFromEnvironment(webhookSecretVariable, env);
  if (found !== undefined) return [found];
  return Object.entries(stored).map(([id, secret]) => ({ secret, source: `webhook ${id}` }));
}
