import { exactJson } from '../domain/json-numbers.js';
import { terminalJson } from '../domain/terminal-text.js';

/** Deeper data are not indented: each level indents every line below it. */
const deepest = 50;

/** One indented document. Control characters are JSON escapes, so they cannot affect a terminal. */
export function jsonText(data: unknown): string {
  return terminalJson(isDeeperThan(data, deepest) ? exactJson(data) : exactJson(data, 2));
}

function isDeeperThan(data: unknown, levels: number): boolean {
  if (typeof data !== 'object' || data === null) return false;
  return levels === 0 || Object.values(data).some((inner) => isDeeperThan(inner, levels - 1));
}

/** One record on one line. */
export function jsonLine(data: unknown): string {
  return terminalJson(exactJson(data));
}
