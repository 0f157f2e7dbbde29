import type { InboundFamily } from '../../contract/inbound.js';
import { invalidValue } from '../../errors/invalid-value.js';

const families: readonly InboundFamily[] = ['nfe', 'cte', 'nfse'];

/** The types as typed, each once. Errors: `usage.invalid_value`. */
export function familiesOf(words: readonly string[]): readonly InboundFamily[] {
  const found = words.map((word) => {
    const family = families.find((name) => name === word.trim().toLowerCase());
    if (family !== undefined) return family;
    const expected = { en: families.join(', '), pt: families.join(', ') };
    throw invalidValue('--type', word, expected);
  });
  return [...new Set(found)];
}
