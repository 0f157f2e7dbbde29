/** A number, with a point or a decimal comma. */
const number = /^-?\d+(?:[.,]\d+)?$/;

/**
 * Where a cell begins for a spreadsheet whose locale separates by semicolon, comma or tab: behind each of them and behind a line end,
 * where quotes of the file's own separator count for nothing. A negative number runs nothing.
 */
const insideFormula = /([;,\t\r\n][ "]*)(?!-?\d+(?:[.,]\d+)?(?:[;,\t\r\n]|$))(?=[=+\-@\uFF0B\uFF0D\uFF1D\uFF20])/g;

/**
 * The text of a cell, with an apostrophe wherever a spreadsheet would begin to run it as a formula: names and reasons come from other
 * people. A negative number is none.
 */
export function withoutFormula(text: string): string {
  const safe = text.replaceAll(insideFormula, "$1'");
  return /^[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/.test(text) && !number.test(text) ? `'${safe}` : safe;
}

/** The same text again without the apostrophes inside; the first one is also what a person writes (`plainCell`). */
export function withFormulaInside(text: string): string {
  return text.includes("'") ? text.replaceAll(/([;,\t\r\n][ "]*)'(?=[=+\-@\uFF0B\uFF0D\uFF1D\uFF20])/g, '$1') : text;
}
