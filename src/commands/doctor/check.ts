import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';

/** One thing that was looked at. */
export interface Check {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'problem';
  readonly found: Text;
  /** What to do about it. */
  readonly advice?: Text;
}

export function same(text: string): Text {
  return { en: text, pt: text };
}

/** A failure as a finding. A defect of the program is not a finding: it is thrown on. */
export function problemOf(check: string, error: unknown, advice: Text): Check {
  if (!(error instanceof FiscalError)) throw error;
  return { check, status: 'problem', found: error.text, advice };
}
