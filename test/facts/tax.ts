/** Typed by hand from the public description of a service of this kind. */
export const calculatePath = (tenantId: string): string => `/tax-rules/${tenantId}/engine/calculate`;
export const codesPath = (list: string): string => `/tax-codes/${list}`;
export const codeLists = ['operation-code', 'acquisition-purpose', 'issuer-tax-profile', 'recipient-tax-profile'];

/** A sale of ten pieces at 25.90 inside a state by a company of the real profit. */
export const calculation = {
  issuer: { state: 'SP', taxRegime: 'RealProfit' },
  recipient: { state: 'SP' },
  operationType: 'Outgoing',
  items: [{ id: '1', operationCode: 121, origin: 'National', quantity: 10, unitAmount: 25.9 }],
};
