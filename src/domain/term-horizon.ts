import type { Text } from '../contract/text.js';
import { addDays, dayInWords, DAY_MS } from './dates.js';

/** Terms that end within so many days are due. */
export const DUE_DAYS = 10;

/** A certificate that expires within so many days is to be renewed. */
export const CERTIFICATE_DAYS = 30;

/** The last days between which terms are told one by one, both included. Those that were lost before `first` are one number. */
export interface TermHorizon {
  readonly first: string;
  readonly last: string;
}

interface HorizonWords {
  readonly withinMs?: number | undefined;
  readonly overdueUpToMs?: number | undefined;
}

/** From the first day of the month before this one, or from so long ago, to ten days from today, or so long. */
export function horizonAt(today: string, { withinMs, overdueUpToMs }: HorizonWords = {}): TermHorizon {
  const days = withinMs === undefined ? DUE_DAYS : Math.floor(withinMs / DAY_MS);
  const first =
    overdueUpToMs === undefined
      ? `${addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7)}-01`
      : addDays(today, -Math.floor(overdueUpToMs / DAY_MS));
  return { first, last: addDays(today, days) };
}

/** `before October`, with the year where it is another one; a horizon that begins on another day of a month names the day. */
export function beforeInWords({ first, last }: TermHorizon): Text {
  if (!first.endsWith('-01')) {
    const day = dayInWords(first);
    return { en: `before ${day.en}`, pt: `antes de ${day.pt}` };
  }
  const isSameYear = first.slice(0, 4) === last.slice(0, 4);
  const name = (locale: string): string =>
    new Intl.DateTimeFormat(locale, {
      month: 'long',
      timeZone: 'UTC',
      ...(isSameYear ? {} : { year: 'numeric' }),
    }).format(new Date(`${first}T00:00:00Z`));
  return { en: `before ${name('en')}`, pt: `antes de ${name('pt-BR')}` };
}
