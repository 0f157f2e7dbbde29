/** Typed by hand from the service document and, where it is silent, from the table of operations. */

const prefix = (companyId: string): string => `/v2/companies/${companyId}/inbound`;

/** §4: the NF-e family under this prefix, with `GET /{accessKey}`. */
export const nfeListPath = (companyId: string): string => `${prefix(companyId)}/nfe`;
export const nfePath = (companyId: string, key: string): string => `${prefix(companyId)}/nfe/${key}`;
export const nfeEventsPath = (companyId: string): string => `${prefix(companyId)}/odata/ProductInvoiceEvents`;
export const nfeJsonPath = (companyId: string, key: string): string =>
  `${prefix(companyId)}/productinvoices/${key}/json`;
export const eventPath = (companyId: string, key: string, eventKey: string): string =>
  `${prefix(companyId)}/${key}/events/${eventKey}`;
export const eventXmlPath = (companyId: string, key: string, eventKey: string): string =>
  `${prefix(companyId)}/${key}/events/${eventKey}/xml`;
export const webhookAgainPath = (companyId: string, name: string): string =>
  `${prefix(companyId)}/productinvoices/${name}/processwebhook`;

export const cteListPath = (companyId: string): string => `${prefix(companyId)}/odata/TransportationInvoices`;
export const ctePath = (companyId: string, key: string): string => `${prefix(companyId)}/${key}`;
export const cteEventsPath = (companyId: string): string => `${prefix(companyId)}/odata/TransportationInvoiceEvents`;

/** Published: the lists under `/odata/` require a filter. Every row meets this one. */
export const everyRow = 'nsu ge 0 or nsu eq null';
export const whole = (path: string): string => `${path}?$filter=${encodeURIComponent(everyRow)}`;

export const nfsePath = (companyId: string, key: string): string => `${prefix(companyId)}/nfse/${key}`;
export const nfseListPath = (companyId: string): string => `${prefix(companyId)}/nfse`;
/** §4: the tail is the document's. */
export const fetchByKeyPath = (companyId: string): string => `${prefix(companyId)}/nfse/fetch-by-access-key`;
export const cutOffPath = (companyId: string): string => `${prefix(companyId)}/nfse/maintenance/start-from-date`;
export const backfillPath = (companyId: string): string => `${prefix(companyId)}/nfse/backfill`;

export const nfeSettingsPath = (companyId: string): string => `${prefix(companyId)}/productinvoices`;
export const cteSettingsPath = (companyId: string): string => `${prefix(companyId)}/transportationinvoices`;
export const nfseRegistrationPath = '/v2/companies/inbound/nfse';
export const nfseSettingsPath = (companyId: string): string => `${prefix(companyId)}/nfse/details`;

/** §4: billed as an own usage record with this action. */
export const fetchAction = 'GetDocByKey';
/** §4: how a document before the cut-off is born. */
export const skipped = 'Skipped';
