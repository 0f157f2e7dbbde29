import type { TaxCalculationInput } from '../../contract/tax.js';

/** A minimal valid body: a sale from São Paulo to a company of Rio de Janeiro. */
export const sampleCalculation: TaxCalculationInput = {
  issuer: { taxRegime: 'RealProfit', state: 'SP' },
  recipient: { state: 'RJ' },
  operationType: 'Outgoing',
  items: [
    {
      id: '1',
      operationCode: 121,
      origin: 'National',
      ncm: '09012100',
      quantity: 2,
      unitAmount: '18.90',
    },
  ],
};
