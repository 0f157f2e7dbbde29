import type { Text } from '../contract/text.js';

/** Something noticed in a value. An error makes the value invalid; a warning is only said. */
export interface Issue {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** The part of the value that it is about, by its field name. */
  readonly field: string;
  readonly message: Text;
}

export function isValid(issues: readonly Issue[]): boolean {
  return issues.every((issue) => issue.severity !== 'error');
}
