import { terminalJson } from '../domain/terminal-text.js';

/** One document, indented. Control characters travel as JSON escapes, so that a terminal takes no harm. */
export function jsonText(data: unknown): string {
  return terminalJson(JSON.stringify(data ?? null, undefined, 2));
}

/** One record on one line. */
export function jsonLine(data: unknown): string {
  return terminalJson(JSON.stringify(data ?? null));
}
