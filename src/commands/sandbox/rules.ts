import type { Given } from '../../cli/command.js';
import type { HttpMethod } from '../../contract/operation.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { type ControlAnswer, controlSandbox } from './attach.js';
import type { authority, fault, outcome } from './rule-commands.js';

/** The rules by which the sandbox fails, its tax authority answers, or its invoices end. */
type RuleList = 'faults' | 'authority' | 'outcomes';

/** A rule of any of the lists. An absent field has the sandbox's own default. */
type RuleGiven = Partial<Given<typeof fault>> &
  Partial<Omit<Given<typeof authority> & Given<typeof outcome>, 'outcome'>> & { readonly outcome?: string | undefined };

/**
 * Lists the rules with the counts of the sandbox, adds one, or clears them.
 * Throws `usage.*` for an invalid value, and `service.refused` for a rule that the sandbox refuses.
 */
export function managing(list: RuleList) {
  return async (context: Context, { action = 'list', ...rule }: RuleGiven): Promise<Outcome> => {
    const ask = (method: HttpMethod, body?: object): Promise<ControlAnswer> =>
      controlSandbox(context, { path: list, method, body });
    switch (action) {
      case 'list': {
        const answer = await ask('GET');
        return { data: list === 'faults' ? (answer['faults'] ?? []) : answer };
      }
      case 'clear':
        return { data: await ask('DELETE') };
      case 'add':
        return { data: await ask('POST', readRule(list, rule)) };
      default:
        throw invalidValue('action', action, { en: 'list, add or clear', pt: 'list, add ou clear' });
    }
  };
}

function readRule(list: RuleList, { event, rate, retryAfter, delay, ...rest }: RuleGiven): object {
  const { kind, outcome } = rest;
  if (list === 'faults' && kind === undefined) throw new FiscalError('usage.missing', { names: '--kind' });
  if (list !== 'faults' && outcome === undefined && delay === undefined)
    throw new FiscalError('usage.missing', { names: '--outcome' });
  return { ...rest, eventCode: event, rate: readRate(rate), retryAfter: readRetryAfter(retryAfter), delayMs: delay };
}

function readRate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const rate = /^\d(?:\.\d{1,9})?$/.test(text) ? Number(text) : 2;
  if (rate <= 1) return rate;
  throw invalidValue('--rate', text, { en: 'a number from 0 to 1', pt: 'um número de 0 a 1' });
}

/** Seconds, or a date as it was typed. */
function readRetryAfter(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : text;
}
