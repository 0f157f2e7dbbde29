/**
 * Webhooks of the account (§6 names them; paths and bodies public, what is marked so assumed). Lists of values may grow: a
 * reader keeps what it does not know.
 */

/** What create and update send. An update replaces the whole; one without a secret keeps the secret (assumed). */
export interface WebhookInput {
  /** The address that is called. It must answer 2xx when the webhook is created. */
  readonly uri: string;
  /** 32 to 64 characters; it signs every delivery. Without one, deliveries carry no signature (assumed). */
  readonly secret?: string;
  readonly contentType?: 'json';
  /** `Active` or `Inactive`. */
  readonly status?: string;
  /** Names of events, `*` standing for any part of one; empty or absent: all events. */
  readonly filters?: readonly string[];
  /** Sent with every delivery. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True: the certificate of the address is not checked. */
  readonly insecureSsl?: boolean;
  /** Free for the owner of the webhook. */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A webhook as the service shows it; the secret never comes back (assumed). */
export interface Webhook extends Omit<WebhookInput, 'contentType' | 'secret'> {
  readonly id: string;
  readonly contentType?: string;
  /** ISO 8601, UTC. */
  readonly createdOn?: string;
  readonly modifiedOn?: string;
  readonly [field: string]: unknown;
}

/** Bodies of one webhook are wrapped, both ways (public). */
export interface WebhookEnvelope<Content> {
  readonly webHook: Content;
}

export interface WebhookList {
  readonly webHooks: readonly Webhook[];
}

export interface WebhookEventType {
  /** The name that a filter takes and that a delivery carries, e.g. `product_invoice.issued_successfully`. */
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
