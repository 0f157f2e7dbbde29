/** A company as it can be named: by its id, its CNPJ, or the beginning of its name. */
export interface NamedCompany {
  readonly id: string;
  readonly name: string | undefined;
  /** CNPJ without punctuation. */
  readonly taxNumber: string | undefined;
}

/** Identifiers are UUIDs or numbers (§1); deployments also use long hexadecimal ones. */
export function isIdShaped(word: string): boolean {
  return /^(?:\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{20,64})$/i.test(word);
}

/** The CNPJ or CPF that a word writes, with or without punctuation; the check digits are not looked at. */
export function taxNumberIn(word: string): string | undefined {
  const bare = word.replaceAll(/[\s./-]/g, '').toUpperCase();
  return /^(?:[0-9A-Z]{12}\d{2}|\d{11})$/.test(bare) ? bare : undefined;
}

/** Whether a word may be an alias: it can be taken for nothing else that names a company. */
export function isAlias(word: string): boolean {
  return /^\p{L}[\p{L}\p{N}_.-]{0,39}$/u.test(word) && !isIdShaped(word) && taxNumberIn(word) === undefined;
}

/** An alias without regard to case. */
export function aliasKey(word: string): string {
  return word.trim().toLowerCase();
}

/** The words of a list with commas, each once. */
export function wordsIn(text: string): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  return [...new Set(words)].filter((word) => word !== '');
}

/**
 * The companies that a word names: the one with this id; else those with this CNPJ; else those of exactly this name; else
 * those whose name begins so. Case, accents and runs of spaces do not count in a name.
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

/** The same without the beginnings of names. */
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

/** The companies that a person may have meant first, then the others. */
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

/** A CNPJ that came as a JSON number has lost its leading zeros. */
function isSame(taxNumber: string | undefined, number: string): boolean {
  return taxNumber?.padStart(14, '0') === number.padStart(14, '0');
}

function isSameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
