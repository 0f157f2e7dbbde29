import { expect, test } from 'vitest';
import { companiesText, companyText, groupText } from '../../../src/services/scope/text.js';

const sol = { id: 'c1', name: 'Padaria Sol Ltda', taxNumber: '33000167000101' };
const unknown = { id: 'c2', name: undefined, taxNumber: undefined };

test('a company is named by its name, CNPJ and id, as far as known', () => {
  expect([companyText(sol), companyText(unknown), groupText(sol, 'nfe')]).toEqual([
    'Padaria Sol Ltda, 33.000.167/0001-01 (c1)',
    'c2',
    'Padaria Sol Ltda, 33.000.167/0001-01 (c1) [nfe]',
  ]);
});

test('one company is named, several are counted, and of many five are named', () => {
  const many = Array.from({ length: 7 }, (_, index) => ({ ...unknown, id: `c${index + 1}` }));
  expect([[sol], [sol, unknown], many].map(companiesText)).toEqual([
    {
      en: 'company Padaria Sol Ltda, 33.000.167/0001-01 (c1)',
      pt: 'da empresa Padaria Sol Ltda, 33.000.167/0001-01 (c1)',
    },
    {
      en: '2 companies: Padaria Sol Ltda, 33.000.167/0001-01 (c1); c2',
      pt: 'de 2 empresas: Padaria Sol Ltda, 33.000.167/0001-01 (c1); c2',
    },
    { en: '7 companies: c1; c2; c3; c4; c5; …', pt: 'de 7 empresas: c1; c2; c3; c4; c5; …' },
  ]);
});
