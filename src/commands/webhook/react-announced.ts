import type { InboundFamily } from '../../contract/inbound.js';
import { readWebhookEvent } from '../../domain/webhook-event.js';
import type { GenuineDelivery } from '../../receiver/delivery.js';

/** The company and family of a captured document that an event announces. */
export interface AnnouncedGroup {
  readonly companyId: string;
  readonly family: InboundFamily;
}

/** Names of events are not in the document; every published one for a captured document has `inbound` in it (assumed). */
const families: readonly (readonly [RegExp, InboundFamily])[] = [
  [/service_?invoice|nfse/i, 'nfse'],
  [/transportation|cte/i, 'cte'],
  [/product_?invoice|nfe/i, 'nfe'],
];

const plainId = /^[\w-]{1,64}$/;

/** `undefined`: it announces no captured document, or does not say whose. */
export function announcedGroup({
  event,
  body,
}: Pick<GenuineDelivery, 'event' | 'body'>): AnnouncedGroup | undefined {
  if (!/inbound/i.test(event)) return undefined;
  const family = families.find(([pattern]) => pattern.test(event))?.[1];
  const companyId = companyOf(readWebhookEvent(body, event)?.payload);
  return family === undefined || companyId === undefined ? undefined : { companyId, family };
}

function companyOf(payload: unknown): string | undefined {
  const fields = new Map(isObject(payload) ? Object.entries(payload) : []);
  const company = fields.get('company');
  const nested = isObject(company) ? new Map(Object.entries(company)).get('id') : undefined;
  return [fields.get('companyId'), nested].find(
    (id): id is string => typeof id === 'string' && plainId.test(id),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
