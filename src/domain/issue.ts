import type { Text } from '../contract/text.js';

/** A finding about a value. An error makes the value invalid, a warning does not. */
export interface Issue {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** The name of the field that it is about. */
  readonly field: string;
  readonly message: Text;
}

export function isValid(issues: readonly Issue[]): boolean {
  return issues.every((issue) => issue.severity !== 'error');
}
