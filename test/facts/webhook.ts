/** Typed by hand from the table of operations: the document names webhooks (§6) and shows neither paths nor bodies. */

export const webhooksPath = '/v2/webhooks';
export const webhookPath = (id: string): string => `/v2/webhooks/${id}`;
export const pingsPath = (id: string): string => `/v2/webhooks/${id}/pings`;
export const eventTypesPath = '/v2/webhooks/eventtypes';

/** 32 to 64 characters. */
export const webhookSecret = 'a-secret-of-the-tests-with-40-characters';

/** Seconds before each further attempt (assumed). */
export const retryPauses = ['5s', '30s', '2m', '10m', '1h'];

/** `webhookStatus` of a captured document (§2 and public). */
export const webhookStatuses = {
  waiting: 'Pending',
  taken: 'Delivered',
  again: 'Retrying',
  givenUp: 'DefinitivelyFailed',
  nobody: 'Skipped',
};
