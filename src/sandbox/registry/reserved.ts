import { Refusal } from '../core/refusal.js';

/** Every valid number is somebody, except those that begin like this: nobody, and a source that does not answer. */
const nobody = '9';
const silent = '8';

/**
 * Refuses the numbers that are kept for tests: 404 for `9…`, which nobody holds, 503 for `8…`, whose source is out of
 * order. `digits` says how many of them make the prefix.
 */
export function refuseReserved(number: string, digits: number, missing: string): void {
  if (number.startsWith(nobody.repeat(digits))) throw new Refusal('not_found', missing);
  if (number.startsWith(silent.repeat(digits))) {
    throw new Refusal('source_unavailable', 'The source of this data does not answer at the moment.');
  }
}
