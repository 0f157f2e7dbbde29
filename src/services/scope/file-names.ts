import type { AccountCompany } from './scope.js';

/** What the files of each company begin with: its CNPJ. Companies of one CNPJ are numbered; one without a CNPJ is `company`. */
export function companyFileNames(companies: readonly AccountCompany[]): readonly string[] {
  const used = new Map<string, number>();
  return companies.map(({ taxNumber = '' }) => {
    const number = /^[0-9A-Z]{14}$/.test(taxNumber) ? taxNumber : 'company';
    const count = (used.get(number) ?? 0) + 1;
    used.set(number, count);
    return `${number}${count === 1 ? '' : `-${count}`}`;
  });
}
