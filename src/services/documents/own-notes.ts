import { cnpjRoot, type DocumentFact, isOfOthers, isOwnNote } from '../../domain/document-fact.js';
import type { AccountCompany } from '../scope/scope.js';

/** Whether a document needs no manifestation: the company issued or only carried it. */
export type IsOwn = (fact: DocumentFact) => boolean;

/**
 * Own are the notes of every company of the account, and of these CNPJs. Establishments of one company share the first 8
 * characters of their CNPJ.
 */
export function ownNotes(companies: readonly AccountCompany[], numbers: readonly string[] = []): IsOwn {
  const taxNumbers = companies.flatMap(({ taxNumber }) => (taxNumber === undefined ? [] : [taxNumber]));
  const roots = new Set([...numbers, ...taxNumbers].map(cnpjRoot));
  const byId = new Map(companies.map(({ id, taxNumber }) => [id, taxNumber]));
  return (fact) => {
    const holder = byId.get(fact.companyId ?? '');
    return roots.has(cnpjRoot(fact.issuerTaxNumber)) || isOwnNote(fact, holder) || isOfOthers(fact, holder);
  };
}
