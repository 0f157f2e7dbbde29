/**
 * Words in lines of at most `width` columns, as `widthOf` counts them, each line as full as it can be. A word that is wider
 * than that stands whole in a line of its own: a path or a command is there to be copied.
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
