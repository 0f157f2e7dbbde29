import { formatUtc } from '../../domain/dates.js';
import type { Context } from '../../services/context.js';
import { askSandbox, type Fields } from './ask.js';
import { withSandbox } from './target.js';

export type ClockChange =
  | { readonly advanceMs: number }
  | { readonly setTo: number }
  | { readonly freeze: boolean };

/** Reads or changes the time of the sandbox. What is due by the new time is done when this answers. */
export async function steerClock(context: Context, change: ClockChange | undefined): Promise<Fields> {
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
