import type { InboundFamily } from '../../contract/inbound.js';
import { startOfDay } from '../../domain/dates.js';
import { invalidValue } from '../../errors/invalid-value.js';

/** A month in Brasília time: its last evening belongs to it, although it is already the next month in UTC. */
export interface Month {
  /** `2026-10`. */
  readonly name: string;
  readonly since: number;
  /** Excluded. */
  readonly until: number;
}

/** Reads `2026-10`. Errors: `usage.invalid_value`. */
export function readMonth(text: string): Month {
  const [, year = '', month = ''] = /^(20\d{2})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year === '') {
    throw invalidValue('month', text, { en: 'a month such as 2026-10', pt: 'um mês como 2026-10' });
  }
  const after = new Date(Date.UTC(Number(year), Number(month))).toISOString().slice(0, 10);
  return { name: text, since: startOfDay(`${text}-01`), until: startOfDay(after) };
}

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
