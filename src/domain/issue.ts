import type { Text } from '../contract/text.js';

/** A finding about a value. An error makes the value invalid, a warning does not. */
export interface Issue {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** The name of the field that it is about. */
  readonly field: string;
  readonly message: Text;
}

/** Why a value is invalid, in the words of the first error; `undefined`: it is not. */
export function errorIn(issues: readonly Issue[]): Text | undefined {
  return issues.find(({ severity }) => severity === 'error')?.message;
}

export function isValid(issues: readonly Issue[]): boolean {
  return errorIn(issues) === undefined;
}
