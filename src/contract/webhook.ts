/**
 * Webhooks of the account (§6 names them; paths and bodies are public unless marked as assumed). Lists of values may
 * grow: readers keep unknown values.
 */

/**
 * The body of create and update. An update replaces the whole webhook, but keeps the secret if it has none (assumed).
 */
export interface WebhookInput {
  /** The address to call. It must answer 2xx when the webhook is created. */
  readonly uri: string;
  /** 32 to 64 characters; signs every delivery. Without it, deliveries have no signature (assumed). */
  readonly secret?: string;
  readonly contentType?: 'json';
  /** `Active` or `Inactive`. */
  readonly status?: string;
  /** Names of events, in which `*` matches any text; empty or absent: all events. */
  readonly filters?: readonly string[];
  /** Sent with every delivery. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True: the certificate of the address is not verified. */
  readonly insecureSsl?: boolean;
  /** Free for the owner of the webhook. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A webhook as the service returns it, without the secret (assumed). */
export interface Webhook extends Omit<WebhookInput, 'contentType' | 'secret'> {
  readonly id: string;
  readonly contentType?: string;
  /** ISO 8601, UTC. */
  readonly createdOn?: string;
  readonly modifiedOn?: string;
  readonly [field: string]: unknown;
}

/** The wrapper of one webhook in requests and answers (public). */
export interface WebhookEnvelope<Content> {
  readonly webHook: Content;
}

export interface WebhookList {
  readonly webHooks: readonly Webhook[];
}

export interface WebhookEventType {
  /** The name used in filters and deliveries, e.g. `product_invoice.issued_successfully`. */
  readonly id: string;
  readonly description?: string;
}

export interface WebhookEventTypes {
  readonly eventTypes: readonly WebhookEventType[];
}

/** The body of a delivery (public). `payload`: the resource that the event is about. */
export interface WebhookDelivery {
  /** The name of the event, as in the header `X-Hook-Event`. */
  readonly action: string;
  readonly payload: Readonly<Record<string, unknown>>;
}
