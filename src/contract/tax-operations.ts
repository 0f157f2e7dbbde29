import { commonRow } from './common-row.js';
import type { Operation } from './operation.js';
import type { TaxCalculation, TaxCalculationInput, TaxCodePage } from './tax.js';

/** Tax calculation and its lists of codes (§1 names and bills it; paths public). */
export const taxOperations = {
  'tax.calculate': {
    summary: { en: 'Calculate the taxes of an operation', pt: 'Calcula os tributos de uma operação' },
    method: 'POST',
    path: '/tax-rules/{tenantId}/engine/calculate',
    host: 'product',
    key: 'invoice',
    role: null,
    success: [200],
    replay: 'safe',
    billed: 'engine',
    queryKey: false,
    mark: 'public',
  },
  'tax.codes': {
    ...commonRow,
    summary: { en: 'List the codes of the tax engine', pt: 'Lista os códigos do motor de cálculo' },
    method: 'GET',
    path: '/tax-codes/{list}',
    mark: 'public',
  },
} as const satisfies Record<string, Operation>;

export interface TaxBodies {
  'tax.calculate': { request: TaxCalculationInput; response: TaxCalculation };
  'tax.codes': { request: undefined; response: TaxCodePage };
}
