/** §5: the raw key is the value of the header, with no `Bearer` prefix. */
export const keyHeader = 'Authorization';
/** §5, method 2. */
export const tokenPrefix = 'Bearer ';
/** §5, method 3: declared for the product registry API. */
export const queryParameter = 'apikey';
/** §5: using the wrong key yields 401. */
export const wrongKeyStatus = 401;
/** §4: lists companies; authenticated with the invoice key. */
export const companiesPath = '/v2/companies';
/** §4: registry query; §5: queries take the data key. */
export const cnpjPath = (number: string): string => `/v1/cnpj/${number}`;
