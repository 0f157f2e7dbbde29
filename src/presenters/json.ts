import { exactJson } from '../domain/json-numbers.js';
import { terminalJson } from '../domain/terminal-text.js';

/** One indented document. Control characters are JSON escapes, so they cannot affect a terminal. */
export function jsonText(data: unknown): string {
  return terminalJson(exactJson(data, 2));
}

/** One record on one line. */
export function jsonLine(data: unknown): string {
  return terminalJson(exactJson(data));
}
