/** Typed by hand from the public description of a service of this kind. */
export const cpfPath = (cpf: string, birthDate: string): string => `/v1/naturalperson/status/${cpf}/${birthDate}`;
export const addressPath = (postalCode: string): string => `/v2/addresses/${postalCode}`;
export const authorityPath = (accessKey: string): string => `/v2/productinvoices/${accessKey}`;
export const authorityEventsPath = (accessKey: string): string => `/v2/productinvoices/events/${accessKey}`;

/** facts §8: digits by the rule. Nobody's. */
export const cpf = '11144477735';
/** facts §1: an NF-e of May 2025. */
export const authorityKey = '35250530057049000141550010000280181030656857';
/** facts §1: the digit is wrong. */
export const wrongKey = '35170358716523000119550010000000301000000306';
/** facts §1: model 65. */
export const consumerKey = '23190811820016000167650010000000221100000227';
