import { terminalLine } from '../domain/terminal-text.js';

/** `error` marks the step in red, `warning` in yellow. */
export type AnnotationLevel = 'error' | 'warning';

export interface Annotation {
  readonly level: AnnotationLevel;
  readonly title: string;
  readonly message: string;
}

const MAX_LENGTH = 1000;

/**
 * One workflow command of GitHub Actions, e.g. `::error title=fiscal inbound sync::acme (nfe)%3A …`, with the escapes that
 * the runner takes off again (public). Control characters become visible before that.
 */
export function annotationLine({ level, title, message }: Annotation): string {
  return `::${level} title=${property(title)}::${data(message)}`;
}

function data(text: string): string {
  const shown = terminalLine(text).slice(0, MAX_LENGTH);
  return shown.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
