import { bareTaxNumber, looksLikeTaxNumber } from './tax-number.js';

/** A company that a user can name by its id, its CNPJ or the beginning of its name. */
export interface NamedCompany {
  readonly id: string;
  readonly name: string | undefined;
  /** CNPJ without punctuation. */
  readonly taxNumber: string | undefined;
}

/** True for text in the form of an id: a UUID or a number (§1), or the long hexadecimal ids of some deployments. */
export function isIdShaped(word: string): boolean {
  return /^(?:\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{20,64})$/i.test(word);
}

/** What is counted of a company is counted under this text: an id has no letter case. */
export function countedAs(companyId: string): string {
  return isIdShaped(companyId) ? companyId.toLowerCase() : companyId;
}

/** The CNPJ or CPF in a text, without punctuation. The check digits are not checked. */
export function taxNumberIn(word: string): string | undefined {
  const bare = bareTaxNumber(word);
  return looksLikeTaxNumber(bare) ? bare : undefined;
}

/** True if a text can be an alias: it has no form of an id, a CNPJ or a CPF. */
export function isAlias(word: string): boolean {
  return /^\p{L}[\p{L}\p{N}_.-]{0,39}$/u.test(word) && !isIdShaped(word) && taxNumberIn(word) === undefined;
}

/** The key under which an alias is stored: case does not matter. */
export function aliasKey(word: string): string {
  return word.trim().toLowerCase();
}

/** Splits a comma-separated list; each entry once. */
export function wordsIn(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  return [...new Set(words)].filter((word) => word !== '');
}

/**
 * Finds companies by their id; else by their CNPJ; else by their exact name; else by the beginning of their name.
 * Case, accents and repeated spaces in a name do not matter.
 */
export function companiesNamed<Company extends NamedCompany>(
  word: string,
  companies: readonly Company[],
): readonly Company[] {
  const exact = companiesCalled(word, companies);
  const plain = plainName(word);
  if (exact.length > 0 || plain === '') return exact;
  return companies.filter(({ name }) => plainName(name ?? '').startsWith(plain));
}

/** Like `companiesNamed`, without the match on the beginning of a name. */
export function companiesCalled<Company extends NamedCompany>(
  word: string,
  companies: readonly Company[],
): readonly Company[] {
  const byId = companies.filter(({ id }) => id === word || (isIdShaped(word) && isSameText(id, word)));
  if (byId.length > 0) return byId;
  const number = taxNumberIn(word);
  const byNumber = companies.filter(({ taxNumber }) => number !== undefined && isSame(taxNumber, number));
  if (byNumber.length > 0) return byNumber;
  const plain = plainName(word);
  return plain === '' ? [] : companies.filter(({ name }) => plainName(name ?? '') === plain);
}

/** Sorts the companies that resemble the text first. */
export function closestFirst<Company extends NamedCompany>(
  word: string,
  companies: readonly Company[],
): readonly Company[] {
  const plain = plainName(word);
  const parts = plain.split(' ').filter((part) => part.length > 2);
  const rank = ({ id, name, taxNumber }: NamedCompany): number => {
    const text = `${plainName(name ?? '')} ${taxNumber ?? ''} ${id}`.toLowerCase();
    if (plain !== '' && text.includes(plain)) return 0;
    return parts.some((part) => text.includes(part)) ? 1 : 2;
  };
  return companies.toSorted((one, other) => rank(one) - rank(other));
}

function plainName(text: string): string {
  const letters = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return letters.replaceAll(/\s+/g, ' ').trim();
}

/** A CNPJ sent as a JSON number has lost its leading zeros. */
function isSame(taxNumber: string | undefined, number: string): boolean {
  return taxNumber?.padStart(14, '0') === number.padStart(14, '0');
}

function isSameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
