import type { ExternalIdMode, IdempotencyMode, SandboxOptions } from '../../contract/sandbox.js';
import { formatDuration, parseDuration } from '../../domain/dates.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { askSandbox, type Fields } from './ask.js';
import { withSandbox } from './target.js';

/** How the service behaves where the document is silent. */
export interface ModeInput {
  /** Milliseconds. */
  readonly lag: number | undefined;
  readonly idempotencyKeys: IdempotencyMode | undefined;
  readonly externalIds: ExternalIdMode | undefined;
}

export interface StartModes extends ModeInput {
  /** A duration, perhaps with a sign. */
  readonly clockOffset: string | undefined;
}

/** What a start takes of them. Throws `usage.invalid` for an offset that cannot be read. */
export function modeOptions({
  lag,
  idempotencyKeys,
  externalIds,
  clockOffset,
}: StartModes): Partial<SandboxOptions> {
  return {
    ...(lag === undefined ? {} : { lagMs: lag }),
    ...(idempotencyKeys === undefined ? {} : { idempotencyKeys }),
    ...(externalIds === undefined ? {} : { externalIds }),
    ...(clockOffset === undefined ? {} : { clockOffsetMs: readOffset(clockOffset) }),
  };
}

/** The same as words of the command line. */
export function modeFlags({ lag, idempotencyKeys, externalIds, clockOffset }: StartModes): readonly string[] {
  return [
    ...(lag === undefined ? [] : ['--lag', formatDuration(lag)]),
    ...(idempotencyKeys === undefined ? [] : ['--idempotency-keys', idempotencyKeys]),
    ...(externalIds === undefined ? [] : ['--external-ids', externalIds]),
    ...(clockOffset === undefined ? [] : [`--clock-offset=${clockOffset}`]),
  ];
}

/** Reads the modes, or changes those that are given; they stay until the sandbox is reset. */
export async function changeModes(context: Context, input: ModeInput, isUsual: boolean): Promise<Fields> {
  const { lag, idempotencyKeys, externalIds } = input;
  const body = {
    ...(lag === undefined ? {} : { lag: `${lag}ms` }),
    ...(idempotencyKeys === undefined ? {} : { idempotencyKeys }),
    ...(externalIds === undefined ? {} : { externalIds }),
  };
  return await withSandbox(context, async (url) => {
    if (isUsual) await askSandbox({ url, method: 'DELETE', path: 'mode' });
    return Object.keys(body).length === 0
      ? await askSandbox({ url, method: 'GET', path: 'mode' })
      : await askSandbox({ url, method: 'POST', path: 'mode', body });
  });
}

function readOffset(text: string): number {
  const isBehind = text.startsWith('-');
  const ms = parseDuration(text.replace(/^[+-]/, ''));
  if (ms === undefined) {
    const expected = { en: 'a duration such as 90s or -1h', pt: 'uma duração como 90s ou -1h' };
    throw invalidValue('clock-offset', text, expected);
  }
  return isBehind ? -ms : ms;
}
