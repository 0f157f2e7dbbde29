import type { Company } from '../../contract/company.js';
import { businessName, withCheckDigits } from '../core/identity.js';
import type { Party } from '../xml/layout.js';
import type { StoredDocument } from './documents.js';

const customerTaxNumber = withCheckDigits('111222330001');
/** To whom a company sells in the notes that are invented for it. */
export const customer: Party = { taxNumber: customerTaxNumber, name: businessName(customerTaxNumber) };

/**
 * Buyer or taker: who is stored, else the company on the side that the direction says. The names are empty when the
 * document names nobody.
 */
export function recipientOf(
  {
    direction,
    recipientTaxNumber,
    recipientName,
  }: Pick<StoredDocument, 'direction' | 'recipientTaxNumber' | 'recipientName'>,
  company: Company | undefined,
): Party {
  if (recipientTaxNumber !== null) return { taxNumber: recipientTaxNumber, name: recipientName ?? '' };
  if (direction === 'outgoing' || company === undefined) return customer;
  return { taxNumber: company.federalTaxNumber, name: company.name };
}
