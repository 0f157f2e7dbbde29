import { safeName } from '../../archive/layout.js';
import type { AccountCompany } from './scope.js';

/** What the files of each company begin with: its CNPJ. One without a CNPJ, or that shares it with another, has its id there too. */
export function companyFileNames(companies: readonly AccountCompany[]): readonly string[] {
  const numbers = companies.map(({ taxNumber = '' }) => (/^[0-9A-Z]{14}$/.test(taxNumber) ? taxNumber : undefined));
  return companies.map(({ id }, index) => {
    const number = numbers[index];
    const isShared = numbers.filter((other) => other === number).length > 1;
    return number === undefined || isShared ? `${number ?? 'company'}-${safeName(id)}` : number;
  });
}
