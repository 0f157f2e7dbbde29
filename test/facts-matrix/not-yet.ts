/** A command, or one of its fields, that still says something else, and why. A row without a difference fails the test. */
export interface NotYet {
  readonly command: string;
  readonly field?: string;
  readonly reason: string;
}

const untraced =
  'one event file fewer in the manifest of three months than the reader expects: not traced yet';

export const notYet: readonly NotYet[] = [{ command: 'close', field: 'events', reason: untraced }];
