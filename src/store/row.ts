import type { Text } from '../contract/text.js';
import { parseExactJson } from '../domain/json-numbers.js';

export type Cell = string | number | null | Uint8Array;

/** A row with its columns as an engine has them. */
export type WholeRow = Readonly<Record<string, Cell>>;

/** A column holds what this program does not write there. */
export class DamagedRow extends Error {
  constructor(
    readonly text: Text,
    { column, ...options }: ErrorOptions & { readonly column?: string } = {},
  ) {
    super(text.en, options);
    this.column = column;
  }

  readonly column: string | undefined;
}

/** A time before the year 0 or after 9999 has no `date-time` in JSON. */
const FIRST_TIME = Date.parse('0000-01-01T00:00:00.000Z');
export const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** The row. Throws `DamagedRow` for a number that is neither a time nor a count. */
export function sound<Row extends object>(row: Row): Row {
  for (const name of Object.keys(row)) {
    const value: unknown = row[name as keyof Row];
    // Also false for NaN.
    if (typeof value === 'number' && !(value >= FIRST_TIME && value <= LAST_TIME))
      throw new DamagedRow(
        { en: `a row contains ${value} in ${name}`, pt: `uma linha contém ${value} em ${name}` },
        { column: name },
      );
  }
  return row;
}

/** The value of a JSON column. Throws `DamagedRow` for text that is no JSON. */
export function fromJson(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    const text = { en: 'a row contains text that is not JSON', pt: 'uma linha contém um texto que não é JSON' };
    throw new DamagedRow(text, { cause: error });
  }
}

/** The scope of a job, as its column has it. */
export function toScope(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}

/** Rounds up to whole milliseconds: computed times may have fractions (jitter), and nothing may run early. */
export function wholeMs(ms: number): number {
  return Math.ceil(ms);
}

export const noIdentity: Text = {
  en: 'the store has no identity, or several',
  pt: 'o banco não tem identidade, ou tem várias',
};

/** The row of `identity`. Throws `DamagedRow`. */
export function requireIdentity<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new DamagedRow(noIdentity);
  return row;
}
