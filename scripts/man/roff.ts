/** Text of a man page: no character of it is a request or an escape, and hyphens stay hyphens that can be copied. */
export function roffText(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('`', '\\(ga');
  return escaped.replaceAll(/^(?=[.'])/gm, '\\&');
}

/** An argument of a macro, in quotes. */
export function roffArgument(text: string): string {
  return `"${roffText(text).replaceAll('"', '\\(dq')}"`;
}

export function bold(text: string): string {
  return `\\fB${roffText(text)}\\fR`;
}

export function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`.SH ${roffArgument(title)}`, ...lines];
}

/** A term with its text indented below it; both are already escaped. */
export function tagged(term: string, text: string): readonly string[] {
  return ['.TP', term, text];
}

/** Lines as they are typed. */
export function typed(lines: readonly string[]): readonly string[] {
  return ['.RS 4', '.nf', ...lines.map((line) => roffText(line)), '.fi', '.RE'];
}
