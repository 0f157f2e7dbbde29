import { FiscalError } from '../../errors/fiscal-error.js';

/** A month in UTC: the service tells and filters its dates so. */
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
    throw new FiscalError('usage.invalid_value', {
      name: 'month',
      value: text,
      expected: { en: 'a month such as 2026-10', pt: 'um mês como 2026-10' },
    });
  }
  return {
    name: text,
    since: Date.UTC(Number(year), Number(month) - 1),
    until: Date.UTC(Number(year), Number(month)),
  };
}
