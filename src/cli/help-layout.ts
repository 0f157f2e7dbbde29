/** Two columns for help: words left, their meaning right, wrapped to 100 columns. */
export function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const left = Math.min(34, Math.max(0, ...rows.map(([word]) => word.length)));
  return rows.flatMap(([word, meaning]) => {
    const [first = '', ...more] = wrap(meaning, 100 - left - 4);
    const start =
      word.length > left
        ? [`  ${word}`, `  ${' '.repeat(left)}  ${first}`]
        : [`  ${word.padEnd(left)}  ${first}`];
    return [...start, ...more.map((line) => `  ${' '.repeat(left)}  ${line}`)].map((line) => line.trimEnd());
  });
}

export function heading(title: string): readonly string[] {
  return ['', `${title}:`];
}

/** Lines of at most `width` characters, broken between words. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
