import stringWidth from 'fast-string-width';

/** Terminal columns of a text: East Asian wide characters and emoji take two, combining marks and colour codes none. */
export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** The longest start of `text` that fits, with `…` when it was shortened. Only for uncoloured text. */
export function fit(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += displayWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Pads `text` with spaces to `columns`. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}
