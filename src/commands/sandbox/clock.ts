import type { Text } from '../../contract/text.js';
import { formatUtc, parseDuration, parseUtc } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { askSandbox, type ControlAnswer } from './ask.js';
import { withSandbox } from './attach.js';

export type ClockChange =
  | { readonly advanceMs: number }
  | { readonly setTo: number }
  | { readonly freeze: boolean };

/** Reads or changes the time of the sandbox. Work due by the new time is done before it responds. */
export async function changeClock(context: Context, change: ClockChange | undefined): Promise<ControlAnswer> {
  return await withSandbox(context, (url) =>
    change === undefined
      ? askSandbox({ url, method: 'GET', path: 'clock' })
      : askSandbox({ url, method: 'POST', path: 'clock', body: bodyOf(change) }),
  );
}

function bodyOf(change: ClockChange): object {
  if ('advanceMs' in change) return { advance: `${change.advanceMs}ms` };
  if ('setTo' in change) return { set: formatUtc(change.setTo) };
  return { freeze: change.freeze };
}

/** `advance 10d` and the like; `undefined` only reads the clock. */
export function readClockChange(action = 'show', value?: string): ClockChange | undefined {
  switch (action) {
    case 'show':
      return undefined;
    case 'freeze':
      return { freeze: true };
    case 'run':
      return { freeze: false };
    case 'advance':
      return { advanceMs: read(value, duration) };
    case 'set':
      return { setTo: read(value, time) };
    default:
      throw invalidValue('action', action, {
        en: 'show, advance, set, freeze or run',
        pt: 'show, advance, set, freeze ou run',
      });
  }
}

interface Word {
  readonly name: string;
  parse(text: string): number | undefined;
  readonly expected: Text;
}

const duration: Word = {
  name: 'duration',
  parse: parseDuration,
  expected: { en: 'a duration such as 90s or 10d', pt: 'uma duração como 90s ou 10d' },
};

const time: Word = {
  name: 'time',
  parse: parseUtc,
  expected: {
    en: 'a UTC time such as 2026-06-01T00:00:00Z',
    pt: 'data e hora em UTC, como 2026-06-01T00:00:00Z',
  },
};

function read(value: string | undefined, { name, parse, expected }: Word): number {
  if (value === undefined) throw new FiscalError('usage.missing', { names: expected });
  const parsed = parse(value);
  if (parsed === undefined) throw invalidValue(name, value, expected);
  return parsed;
}
