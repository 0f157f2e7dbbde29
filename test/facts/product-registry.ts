/** Typed by hand from the service document and, where it is silent, from domain/facts §9. */

/** §4, product registry: method and path. */
export const createPath = (tenantId: string): string => `/${tenantId}/products`;
export const productPath = (tenantId: string, id: string): string => `/${tenantId}/products/${id}`;
export const revalidatePath = (tenantId: string, id: string): string => `/${tenantId}/products/${id}/revalidate`;

/** §4: 201 `{id}`, 200, 204 without body, 200 `{status, errorMessage}`. */
export const createdStatus = 201;
export const readStatus = 200;
export const updatedStatus = 204;
export const revalidatedStatus = 200;

/** §2: the values of `status`. */
export const statuses = ['Created', 'CustomTaxPending', 'Active', 'Error'];

/** facts §9: origins. */
export const origins = [
  'National',
  'ForeignDirectImport',
  'ForeignInternalMarket',
  'NationalWith40To70Import',
  'NationalPpb',
  'NationalWithLess40Import',
  'ForeignDirectImportWithoutNationalSimilar',
  'ForeignInternalMarketWithoutNationalSimilar',
  'NationalWithGreater70Import',
];

/** facts §9: tax regimes. */
export const taxRegimes = [
  'NationalSimple',
  'RealProfit',
  'PresumedProfit',
  'NationalSimpleSublimitExceeded',
  'IndividualMicroEnterprise',
  'Exempt',
];

/** facts §9: the longest texts. */
export const lengths = { collectionId: 60, sku: 60, description: 120, gtin: 14 };
