import type { Look } from '../../client/client.js';
import { type ClockBounds, clockBounds, differByMore, NOTED_CLOCK_MS } from '../../client/clock-offset.js';
import type { Text } from '../../contract/text.js';
import { terminalLine } from '../../domain/terminal-text.js';

export interface ClockOffset extends ClockBounds {
  /** The answers contradict each other. */
  readonly isSplit: boolean;
  /** Number of answers that it is estimated from. */
  readonly answers: number;
}

/**
 * Estimates the difference from `Date` headers; all of them together give narrower bounds than each. Where they contradict
 * each other (several machines behind one address), the bounds take in all.
 */
export function clockOffset(looks: readonly Look[]): ClockOffset | undefined {
  const bounds = looks.flatMap((look) => clockBounds(look) ?? []);
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

/** `problem`: certainly too far; `warn`: perhaps, or far enough for a run to say it. */
export function offsetStatus(bounds: ClockOffset): 'ok' | 'warn' | 'problem' {
  if (differByMore(bounds, TOLERATED_MS)) return 'problem';
  const isPerhaps = bounds.low < -TOLERATED_MS || bounds.high > TOLERATED_MS;
  return isPerhaps || differByMore(bounds, NOTED_CLOCK_MS) ? 'warn' : 'ok';
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
