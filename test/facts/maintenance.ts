/** Typed by hand from the service document (§4) and, where it is silent, from the table of operations. */

const nfse = (companyId: string): string => `/v2/companies/${companyId}/inbound/nfse`;

/** §4: the tails are the document's. */
export const releasePath = (companyId: string): string => `${nfse(companyId)}/maintenance/backfill/release`;

export const fetchNowPath = (companyId: string): string => `${nfse(companyId)}/maintenance/fetch-now`;
export const noticesPath = (companyId: string): string => `${nfse(companyId)}/maintenance/notifications`;
export const statisticsPath = (companyId: string): string => `${nfse(companyId)}/maintenance/statistics`;
export const reactivatePath = (companyId: string): string => `${nfse(companyId)}/maintenance/reactivate`;
export const resetNsuPath = (companyId: string): string => `${nfse(companyId)}/reset-nsu`;
export const certificatesPath = (companyId: string): string => `/v2/companies/${companyId}/certificates`;

/** §5: what the change of the cut-off asks for. */
export const management = 'Management';
/** §4: how captures of before the cut-off are billed. */
export const historyAction = 'history';
