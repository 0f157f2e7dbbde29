/** A number, with a point or a decimal comma. */
const number = /^-?\d+(?:[.,]\d+)?$/;

/**
 * The text of a cell, behind an apostrophe where a spreadsheet would run it as a formula: names and reasons come from other people. A
 * negative number is none.
 */
export function withoutFormula(text: string): string {
  return /^[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/.test(text) && !number.test(text) ? `'${text}` : text;
}
