import { expect, test } from 'vitest';
import { companiesText, companyText, groupText } from '../../../src/services/scope/text.js';

const sol = { id: 'c1', name: 'Padaria Sol Ltda', taxNumber: '33000167000101' };
const unknown = { id: 'c2', name: undefined, taxNumber: undefined };

test('a company is named by its name and CNPJ, and by its id where no CNPJ is known', () => {
  const unnumbered = companyText({ ...sol, taxNumber: undefined });
  const unnamed = companyText({ ...sol, name: undefined });
  expect([companyText(sol), unnumbered, unnamed, companyText(unknown), groupText(sol, 'nfe')]).toEqual([
    'Padaria Sol Ltda, 33.000.167/0001-01',
    'Padaria Sol Ltda (c1)',
    '33.000.167/0001-01',
    'c2',
    'Padaria Sol Ltda, 33.000.167/0001-01 [nfe]',
  ]);
});

test('one company is named, several are counted, and of many five are named', () => {
  const many = Array.from({ length: 7 }, (_, index) => ({ ...unknown, id: `c${index + 1}` }));
  expect([[sol], [sol, unknown], many].map(companiesText)).toEqual([
    { en: 'company Padaria Sol Ltda, 33.000.167/0001-01', pt: 'da empresa Padaria Sol Ltda, 33.000.167/0001-01' },
    {
      en: '2 companies: Padaria Sol Ltda, 33.000.167/0001-01; c2',
      pt: 'de 2 empresas: Padaria Sol Ltda, 33.000.167/0001-01; c2',
    },
    { en: '7 companies: c1; c2; c3; c4; c5; …', pt: 'de 7 empresas: c1; c2; c3; c4; c5; …' },
  ]);
});
