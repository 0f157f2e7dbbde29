import type { Text } from '../contract/text.js';
import { dayAt, momentInWords } from '../domain/dates.js';
import { type ErrorFacts, FiscalError } from '../errors/fiscal-error.js';

interface Wait {
  readonly waitMs: number;
  readonly now: number;
}

/** The error of a wait that is longer than this run waits, with the time after which another one may try. */
export function longWait(
  code: 'service.rate_limited' | 'job.looks_later',
  wait: Wait,
  facts: Omit<ErrorFacts, 'retryAfterSeconds'>,
): FiscalError {
  const seconds = Math.ceil(wait.waitMs / 1_000);
  return new FiscalError(code, { seconds, after: timeAfter(wait) }, { ...facts, retryAfterSeconds: seconds });
}

/** The first full minute after a wait, in Brasília: `00:06`; with its day where that is another one. */
export function timeAfter({ waitMs, now }: Wait): Text {
  const at = Math.ceil((now + waitMs) / 60_000) * 60_000;
  const moment = momentInWords(at);
  return dayAt(at) === dayAt(now) ? { en: moment.en.slice(-5), pt: moment.pt.slice(-5) } : moment;
}
