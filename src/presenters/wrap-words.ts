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
