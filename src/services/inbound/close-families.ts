import type { InboundFamily } from '../../contract/inbound.js';
import { FiscalError } from '../../errors/fiscal-error.js';

const families: readonly InboundFamily[] = ['nfe', 'cte', 'nfse'];

/** The types as typed, each once. Errors: `usage.invalid_value`. */
export function familiesOf(words: readonly string[]): readonly InboundFamily[] {
  const found = words.map((word) => {
    const family = families.find((name) => name === word.trim().toLowerCase());
    if (family !== undefined) return family;
    const expected = { en: families.join(', '), pt: families.join(', ') };
    throw new FiscalError('usage.invalid_value', { name: '--type', value: word, expected }, { sent: 'no' });
  });
  return [...new Set(found)];
}
