import { isNumber } from '../domain/json-numbers.js';
import { withoutFormula } from '../domain/spreadsheet-cell.js';
import { scalarText } from './scalar.js';

interface Csv {
  /** Before the first line. */
  readonly beginning: string;
  /** One record, ended by CRLF. */
  line(cells: readonly unknown[]): string;
}

/** How a record is written, by `--csv-style`. */
export const csvStyles = {
  rfc4180: { beginning: '', line: csvLine },
  // Excel in Portuguese takes UTF-8 by the mark only, and separates cells by semicolons.
  'excel-br': {
    beginning: '\uFEFF',
    line: (cells) => `${cells.map((cell) => csvQuoted(excelText(cell), ';')).join(';')}\r\n`,
  },
} as const satisfies Readonly<Record<string, Csv>>;

/**
 * One record by RFC 4180, ended by CRLF. A cell that starts with `=`, `+`, `-` or `@` is unchanged: it is data (a
 * negative amount, a name), other programs read the file, and a changed cell would differ from the service's. In a
 * spreadsheet, import the columns as text.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map((cell) => csvQuoted(scalarText(cell), ',')).join(',')}\r\n`;
}

const special = { ',': /[",\r\n]|^\s|\s$/, ';': /[";\r\n]|^\s|\s$/ } as const;

/** A cell of a record, in quotes where it needs them. */
export function csvQuoted(text: string, separator: ',' | ';'): string {
  return special[separator].test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Excel keeps 15 digits of a number. */
const EXCEL_DIGITS = 15;
const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/**
 * A cell that Excel in Portuguese shows as it is: decimals with a comma; what would lose digits or leading zeros as a number
 * (an access key, a CNPJ) as `="…"`; text that Excel would run as a formula behind an apostrophe.
 */
function excelText(cell: unknown): string {
  const text = scalarText(cell);
  if (decimal.test(text)) {
    const shown = text.replace('.', ',');
    return text.replaceAll(/\D/g, '').length > EXCEL_DIGITS ? `="${shown}"` : shown;
  }
  if (isNumber(cell)) return text;
  if (/^0\d+$/.test(text)) return `="${text}"`;
  return withoutFormula(text);
}
