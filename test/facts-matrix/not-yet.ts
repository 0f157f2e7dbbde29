/** A command, or one of its fields, that still says something else, and why. A row without a difference fails the test. */
export interface NotYet {
  readonly command: string;
  readonly field?: string;
  readonly reason: string;
}

const undated = 'the lists of the service are asked by date of issue: a row without one is in no month';
const keyless =
  'a row of an event of an NFS-e without a key is tied to its note by the note alone, and counts as unreadable';
const refused =
  'a conclusive event that was listed first and whose file says that it was refused still settles the terms';

export const notYet: readonly NotYet[] = [
  { command: 'list --since', field: 'key', reason: undated },
  { command: 'close', field: 'listed', reason: undated },
  { command: 'close', field: 'events', reason: undated },
  { command: 'close', field: 'complete', reason: keyless },
  { command: 'due', reason: refused },
  { command: 'calendar', reason: refused },
  { command: 'fleet check', reason: refused },
  { command: 'fleet metrics', reason: refused },
  { command: 'status', reason: refused },
];
