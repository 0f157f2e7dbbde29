const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Most cells are ASCII: one column a character, without a look at each. */
const plainText = /^[\x20-\x7e]*$/;

/**
 * How many columns a text takes on a terminal: East Asian wide characters and emoji take two,
 * combining marks none. Enough for tables; a terminal with another font may differ by one.
 */
export function displayWidth(text: string): number {
  if (plainText.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(stripPaint(text))) {
    width += graphemeWidth(segment);
  }
  return width;
}

/** The longest start of `text` that fits, with `…` where something was left out. */
export function fit(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** `text` with spaces up to `columns`. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

// The colour codes that our own paint writes, and nothing else.
const paintCodes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

function stripPaint(text: string): string {
  return text.replaceAll(paintCodes, '');
}

function graphemeWidth(grapheme: string): number {
  if (/^\p{Mark}+$/u.test(grapheme)) return 0;
  if (/\p{Emoji_Presentation}|\ufe0f/u.test(grapheme)) return 2;
  return isWide(grapheme.codePointAt(0) ?? 0) ? 2 : 1;
}

/** Unicode East Asian Width W and F, in its main blocks. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
];

function isWide(codePoint: number): boolean {
  return wideRanges.some(([from, to]) => codePoint >= from && codePoint <= to);
}
