import { randomBytes } from 'node:crypto';
import type { Core } from '../core/core.js';
import type { TargetCall } from './call-target.js';
import type { StoredDelivery } from './delivery.js';
import { signedHeaders } from './signing.js';
import type { StoredWebhook } from './webhooks.js';

/** The call of a delivery, by the webhook as it is now; `undefined` when that is gone. */
export function prepareCall(core: Core, delivery: StoredDelivery): TargetCall | undefined {
  const { webhookId, tenantId, uri, body } = delivery;
  const webhook = webhookId === null ? undefined : core.webhooks.find(tenantId, webhookId);
  if (webhookId !== null && webhook === undefined) return undefined;
  const secret = webhook === undefined ? secretOfAccount(core, tenantId) : webhook.secret;
  const isForged = delivery.kind === 'forged';
  return {
    uri: webhook?.uri ?? uri,
    insecureSsl: webhook?.insecureSsl ?? false,
    headers: {
      ...webhook?.headers,
      ...signedHeaders(
        core.signing.get(),
        { ...delivery, attempt: delivery.attempts + 1 },
        isForged ? forgedSecret(core, delivery.id) : secret,
      ),
    },
    body,
  };
}

/** The address of a company has no secret of its own: it is signed as the first webhook that has one (assumed). */
function secretOfAccount(core: Core, tenantId: string): string | null {
  const isGood = ({ status, secret }: StoredWebhook) => status === 'Active' && secret !== null;
  return core.webhooks.list(tenantId).find(isGood)?.secret ?? null;
}

/** A guess of a secret, or no signature at all. */
function forgedSecret(core: Core, id: string): string | null {
  return core.chance.unit(`forged:${id}`) < 0.5 ? null : randomBytes(24).toString('hex');
}
