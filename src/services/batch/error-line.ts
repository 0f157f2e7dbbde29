/** Excel keeps 15 digits of a number, and no zeros before it. */
const EXCEL_DIGITS = 15;

/** A record of a CSV that keeps its digits when a spreadsheet saves it again: `="0012"` is read back as `0012`. */
export function csvErrorLine(cells: readonly string[], separator: string): string {
  const texts = cells.map((cell) => {
    const isDigits = /^\d+$/.test(cell) && (cell.length > EXCEL_DIGITS || /^0\d/.test(cell));
    const text = isDigits ? `="${cell}"` : cell;
    return /["\r\n]|^\s|\s$/.test(text) || text.includes(separator)
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  });
  return `${texts.join(separator)}\r\n`;
}
