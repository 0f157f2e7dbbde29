/** A command, or one of its fields, that still says something else, and why. A row without a difference fails the test. */
export interface NotYet {
  readonly command: string;
  readonly field?: string;
  readonly reason: string;
}

export const notYet: readonly NotYet[] = [];
