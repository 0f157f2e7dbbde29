import stringWidth from 'fast-string-width';

/** Terminal columns of a text: East Asian wide characters and emoji take two, combining marks and colour codes none. */
export function displayWidth(text: string): number {
  return isPlain(text) ? text.length : stringWidth(text);
}

/** Printable ASCII and the sign of a shortened text: one column for each character, so that long lists are measured fast. */
function isPlain(text: string): boolean {
  return /^[ -~…]*$/.test(text);
}

/** Texts are measured in parts of this length: whoever only needs the beginning does not measure megabytes. */
const part = 512;

/** The width of a text, or `limit` when it is at least that wide. */
export function widthUpTo(text: string, limit: number): number {
  if (text === '') return 0;
  if (text.length <= part) return Math.min(displayWidth(text), limit);
  let width = 0;
  for (let at = 0; at < text.length && width < limit; at += part) width += displayWidth(text.slice(at, at + part));
  return Math.min(width, limit);
}

/** The characters that are looked at for each column: more are marks without width, which nobody misses. */
const perColumn = 16;

/**
 * The longest start of `text` that fits, with `…` when it was shortened. Only for uncoloured text. Whoever cuts many texts gives
 * the segmenter, which is slow to make.
 */
export function fit(text: string, columns: number, segmenter?: Intl.Segmenter): string {
  if (widthUpTo(text, columns + 1) <= columns) return text;
  const start = text.slice(0, Math.max(columns - 1, 0));
  if (isPlain(start) && isPlain(text.charAt(start.length))) return `${start}…`;
  let kept = '';
  let width = 0;
  for (const { segment } of (segmenter ?? new Intl.Segmenter()).segment(text.slice(0, perColumn * (columns + 1)))) {
    width += displayWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Pads `text` with spaces to `columns`. */
export function pad(text: string, columns: number): string {
  return text + spacesFor(text, columns);
}

/** The same, with the spaces before the text. */
export function padStart(text: string, columns: number): string {
  return spacesFor(text, columns) + text;
}

function spacesFor(text: string, columns: number): string {
  const width = text === '' ? 0 : displayWidth(text);
  return ' '.repeat(Math.max(0, columns - width));
}

/**
 * Wraps words into lines of at most `width` columns, as measured by `widthOf`. A wider word, such as a path or a
 * command to copy, stays whole on its own line.
 */
export function wrapWords(
  words: readonly string[],
  width: number,
  widthOf: (text: string) => number,
): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
