import type { OptionValues } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { LookupName } from '../../jobs/kinds/lookup.js';
import type { Context } from '../../services/context.js';
import type { lookupOptions } from './lookup-options.js';

export interface LookupWords {
  readonly name: LookupName;
  readonly number: string | undefined;
  readonly birthDate?: string | undefined;
  readonly options: OptionValues<typeof lookupOptions>;
}

/** One query or a list of them, as the words say. Error: `usage.missing`, `usage.invalid` for both at once. */
export async function runLookup(context: Context, words: LookupWords): Promise<Outcome> {
  const { name, number, birthDate, options } = words;
  const { file, maxAge: maxAgeMs, refresh } = options;
  if (number !== undefined && file !== undefined)
    throw new FiscalError('usage.invalid', { message: oneOfBoth });
  const path = number === '-' ? '-' : file;
  if (path !== undefined) {
    const { lookUpMany } = await import('./many.js');
    return await lookUpMany(context, { name, path, maxAgeMs, refresh, options: listOptionsOf(options) });
  }
  if (number === undefined) throw new FiscalError('usage.missing', { names: numberOrFile }, { sent: 'no' });
  const { lookUp } = await import('./one.js');
  return await lookUp(context, { name, number, birthDate, maxAgeMs, refresh });
}

/** A query has no later state to wait for, and bills nothing that the service names. */
function listOptionsOf(options: OptionValues<typeof lookupOptions>) {
  const { onError: then, maxFailures: most, lockWait: lockWaitMs, stats: statsMs } = options;
  return {
    ...{ wait: false, timeoutMs: 0, intervalMs: 1_000, maxBillable: undefined, retryBillable: false },
    ...{ onError: then, maxFailures: most, lockWaitMs, statsMs },
    ...{ metricsFile: options.metricsFile, report: options.report },
  };
}

const oneOfBoth: Text = {
  en: 'give one number or a list (--file), not both',
  pt: 'informe um número ou uma lista (--file), não os dois',
};
const numberOrFile: Text = { en: 'a number, - or --file', pt: 'um número, - ou --file' };
