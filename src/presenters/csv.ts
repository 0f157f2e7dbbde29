import { scalarText } from './scalar.js';

/**
 * One record by RFC 4180, ended by CRLF. A cell that starts with `=`, `+`, `-` or `@` is unchanged: it is data (a
 * negative amount, a name), other programs read the file, and a changed cell would differ from the service's. In a
 * spreadsheet, import the columns as text.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map((cell) => csvCell(scalarText(cell))).join(',')}\r\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
