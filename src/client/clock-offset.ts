import type { IncomingHttpHeaders } from 'node:http';
import type { Text } from '../contract/text.js';
import { durationInWords } from '../domain/dates.js';

/** How far the clock of the service is ahead of this machine's, in milliseconds: somewhere from `low` to `high`. */
export interface ClockBounds {
  readonly low: number;
  readonly high: number;
}

/** An answer, with the times of this machine's clock around its request. */
export interface TimedAnswer {
  readonly headers: IncomingHttpHeaders;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** `Date` has whole seconds. */
const RESOLUTION_MS = 1_000;

/** From this difference on, dates and deadlines may be wrong. */
export const NOTED_CLOCK_MS = 60_000;

/** Beyond this difference, deadlines and waiting times are wrong. */
export const TOLERATED_CLOCK_MS = 120_000;

/**
 * The bounds that the `Date` of one answer gives: the service wrote it between the sending of the request and the arrival
 * of the answer. An answer of a cache (`Age`) says nothing.
 */
export function clockBounds({ headers, sentAt, receivedAt }: TimedAnswer): ClockBounds | undefined {
  const date = Date.parse(headers.date ?? '');
  if (Number.isNaN(date) || headers.age !== undefined) return undefined;
  return { low: date - receivedAt, high: date + RESOLUTION_MS - sentAt };
}

/** True when the two clocks differ for certain by more than this. */
export function differByMore({ low, high }: ClockBounds, ms: number): boolean {
  return low > ms || high < -ms;
}

/** What to do about a clock that is more than a minute off. */
export function clockWarning(host: string, { low, high }: ClockBounds): Text {
  const isAhead = low > 0;
  const size = durationInWords(isAhead ? low : -high);
  const [en, pt] = isAhead ? ['behind', 'atrasado'] : ['ahead of', 'adiantado'];
  return {
    en: `the clock of this machine is ${size.en} ${en} that of ${host}; dates and deadlines may be wrong; set the clock, or see: fiscal doctor --probe`,
    pt: `o relógio desta máquina está ${size.pt} ${pt} em relação ao de ${host}; datas e prazos podem sair errados; acerte o relógio ou veja: fiscal doctor --probe`,
  };
}
