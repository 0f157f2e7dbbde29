import { momentForms, parseMoment } from '../../domain/typed-dates.js';
import { invalidValue } from '../../errors/invalid-value.js';

/** The moment that a flag names, in milliseconds since the epoch. Error: `usage.invalid_value` with the accepted forms. */
export function readMoment(name: string, text: string, now: number): number {
  const moment = parseMoment(text, now);
  if (moment === undefined) throw invalidValue(name, text, momentForms);
  return moment;
}
