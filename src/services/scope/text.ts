import { formatCnpj } from '../../domain/tax-number.js';
import type { AccountCompany, CompanyLabel } from './scope.js';

/** A company in a sentence: `Padaria Sol Ltda, 12.345.678/0001-95 (5a0d…)`; only the id when nothing else is known. */
export function companyText({ id, name, taxNumber }: AccountCompany): string {
  const known = [name, taxNumber === undefined ? undefined : formatCnpj(taxNumber)].filter(
    (part) => part !== undefined,
  );
  return known.length === 0 ? id : `${known.join(', ')} (${id})`;
}

/** A company of which a label is known. */
export function companyOfLabel(id: string, { companyName, companyTaxNumber }: CompanyLabel): AccountCompany {
  return { id, name: companyName, taxNumber: companyTaxNumber };
}
