import type { WebhookInput } from '../../contract/webhook.js';

/** What a user asks to be different, or to be there from the beginning. The secret goes its own way. */
export type WebhookChanges = Partial<Omit<WebhookInput, 'secret'>>;
