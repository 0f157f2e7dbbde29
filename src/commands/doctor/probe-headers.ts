import type { Look } from '../../client/client.js';
import type { Text } from '../../contract/text.js';
import { terminalLine } from '../../domain/terminal-text.js';

/** How far the clock of the service is ahead of this machine's, in milliseconds: somewhere from `low` to `high`. */
export interface ClockOffset {
  readonly low: number;
  readonly high: number;
  /** The answers contradict each other. */
  readonly isSplit: boolean;
  /** Number of answers that it is estimated from. */
  readonly answers: number;
}

/** `Date` has whole seconds. */
const RESOLUTION_MS = 1_000;

/**
 * Estimates the difference from `Date` headers. The service wrote each between the sending of the request and the
 * arrival of the answer, so each gives bounds, and all of them together narrower ones. Where they contradict each other
 * (several machines behind one address), the bounds take in all. Answers of a cache (`Age`) say nothing.
 */
export function clockOffset(looks: readonly Look[]): ClockOffset | undefined {
  const bounds = looks.flatMap(({ headers, sentAt, receivedAt }) => {
    const date = Date.parse(headers['date'] ?? '');
    if (Number.isNaN(date) || headers['age'] !== undefined) return [];
    return [{ low: date - receivedAt, high: date + RESOLUTION_MS - sentAt }];
  });
  if (bounds.length === 0) return undefined;
  const lows = bounds.map(({ low }) => low);
  const highs = bounds.map(({ high }) => high);
  const [low, high] = [Math.max(...lows), Math.min(...highs)];
  const isSplit = low > high;
  const answers = bounds.length;
  return isSplit
    ? { low: Math.min(...lows), high: Math.max(...highs), isSplit, answers }
    : { low, high, isSplit, answers };
}

/** Beyond this difference, deadlines and waiting times are wrong. */
const TOLERATED_MS = 120_000;

/** `problem`: certainly too far; `warn`: perhaps. */
export function offsetStatus({ low, high }: ClockOffset): 'ok' | 'warn' | 'problem' {
  if (low > TOLERATED_MS || high < -TOLERATED_MS) return 'problem';
  return low < -TOLERATED_MS || high > TOLERATED_MS ? 'warn' : 'ok';
}

export function offsetText({ low, high, isSplit, answers }: ClockOffset): Text {
  const { en, pt } = differenceIn({ low, high, isSplit });
  return {
    en: `${en}; an estimate from ${answers} Date headers, between ${seconds(low)} and ${seconds(high)} s by their round trips`,
    pt: `${pt}; estimativa com ${answers} cabeçalhos Date, entre ${seconds(low)} e ${seconds(high)} s pela ida e volta`,
  };
}

function differenceIn({ low, high, isSplit }: Omit<ClockOffset, 'answers'>): Text {
  if (isSplit) return disagreement;
  return low <= 0 && high >= 0 ? noDifference : inWords((low + high) / 2);
}

const disagreement: Text = {
  en: 'the answers of the service disagree about its time',
  pt: 'as respostas do serviço não concordam sobre o horário dele',
};
const noDifference: Text = {
  en: 'no difference between the service and this machine can be seen',
  pt: 'não se vê diferença entre o serviço e esta máquina',
};

function inWords(ms: number): Text {
  const size = seconds(Math.abs(ms));
  const [en, pt] = ms > 0 ? ['ahead of', 'adiantado'] : ['behind', 'atrasado'];
  return {
    en: `the service is about ${size} s ${en} this machine`,
    pt: `o serviço está cerca de ${size} s ${pt} em relação a esta máquina`,
  };
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1).replace(/^-0\.0$/, '0.0');
}

const RATE_HEADER = /^(?:x-)?(?:rate-?limit(?:-[a-z-]+)?|retry-after)$/;
const MOST_HEADERS = 10;
const LONGEST_VALUE = 80;

/** The headers of rate limits, each with the last value that came; safe for one line. */
export function rateHeaders(looks: readonly Look[]): readonly string[] {
  const found = new Map<string, string>();
  for (const { headers } of looks) {
    for (const [name, value] of Object.entries(headers)) {
      if (RATE_HEADER.test(name)) found.set(name, terminalLine(value).slice(0, LONGEST_VALUE));
    }
  }
  return [...found].slice(0, MOST_HEADERS).map(([name, value]) => `${name}: ${value}`);
}
