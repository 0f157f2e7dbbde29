import { expect, test } from 'vitest';
import { productDifferences } from '../../src/domain/product-difference.js';

const current = {
  id: 'p-1',
  status: 'Active',
  sku: 'TEA',
  description: 'Tea',
  origin: 'National',
  createdOn: '2026-11-01T00:00:00Z',
  customTax: [
    {
      operationCode: 121,
      issuer: [{ taxRegime: 'RealProfit', taxProfile: 'retail' }],
      intraState: { cfop: '5102', icms: { cst: '00', pICMS: '18.00' } },
    },
  ],
};

test('another spelling of the same product is not a difference', () => {
  const spelled = {
    SKU: 'TEA',
    Description: 'Tea',
    origin: 'national',
    customtax: {
      operationcode: '121',
      ISSUER: [{ taxregime: 'realprofit', taxprofile: 'RETAIL' }],
      intrastate: { CFOP: '5102', icms: { CST: '00', picms: 18 }, pis: {} },
    },
    gtin: null,
  };
  expect(productDifferences(current, spelled)).toEqual([]);
});

test('a changed, an added and a removed value are named by their canonical path', () => {
  const wanted = {
    sku: 'TEA',
    description: 'Green tea',
    origin: 'National',
    tax: { ncm: '09012100' },
    customTax: [{ operationCode: 121, intraState: { cfop: '5102', icms: { cst: '00', pICMS: '12.00' } } }],
  };
  expect(productDifferences(current, wanted)).toEqual([
    { field: 'description', from: 'Tea', to: 'Green tea' },
    { field: 'customTax[0].issuer[0].taxRegime', from: 'RealProfit' },
    { field: 'customTax[0].issuer[0].taxProfile', from: 'retail' },
    { field: 'customTax[0].intraState.icms.pICMS', from: '18.00', to: '12.00' },
    { field: 'tax.ncm', to: '09012100' },
  ]);
});

test('the zeros of a code are content, the zeros of a rate are not', () => {
  const of = (cst: string, pICMS: string) => ({ customTax: [{ intraState: { icms: { cst, pICMS } } }] });
  expect(productDifferences(of('00', '18.0000'), of('00', '018'))).toEqual([]);
  expect(productDifferences(of('00', '18'), of('0', '18'))).toEqual([
    { field: 'customTax[0].intraState.icms.cst', from: '00', to: '0' },
  ]);
});

test('an unlisted field counts only if the file has it', () => {
  expect(productDifferences({ sku: 'A', extra: { a: 1, b: 2 } }, { sku: 'A' })).toEqual([]);
  expect(productDifferences({ sku: 'A', extra: { a: 1, b: 2 } }, { sku: 'A', Extra: { a: 1 } })).toEqual([
    { field: 'extra.b', from: 2 },
  ]);
});
