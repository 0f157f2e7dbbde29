import { terminalLine } from '../domain/terminal-text.js';

/** Text without control characters, HTML, cells of a table, links or Markdown: shown as it is written. */
export function markdownText(text: string): string {
  return terminalLine(text)
    .replaceAll(/[\\`*_{}[\]<>|~#!&@$]|(?!(?<=\d\d):\d\d(?!\d)):(?=\S)/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .replaceAll(/www\./gi, (start) => `${start.slice(0, 3)}&#46;`);
}

/** One row of a table. */
export function markdownRow(cells: readonly string[]): string {
  return `| ${cells.map(markdownText).join(' | ')} |`;
}

/** A table with its header, one line a row. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [markdownRow(header), `|${'---|'.repeat(header.length)}`, ...rows.map(markdownRow)];
  return lines.map((line) => `${line}\n`).join('');
}

/** The cells of a line that `markdownRow` wrote; `undefined` for another line, and for the one below a header. */
export function markdownCells(line: string): readonly string[] | undefined {
  const inner = /^\s*\|(.*)\|\s*$/.exec(line)?.[1];
  if (inner === undefined || /^[\s|:-]*$/.test(inner)) return undefined;
  const plain = (cell: string): string =>
    cell.trim().replaceAll(/&#(\d{1,3});/g, (_all, code: string) => String.fromCharCode(Number(code)));
  return inner.split('|').map(plain);
}
