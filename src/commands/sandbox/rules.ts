import type { HttpMethod } from '../../contract/operation.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { askSandbox, type ControlAnswer } from './ask.js';
import { withSandbox } from './attach.js';

/** The rules by which the sandbox fails, its tax authority answers, or its invoices end. */
export type RuleList = 'faults' | 'authority' | 'outcomes';

/** A rule of any of the lists, as typed. An absent field has the sandbox's own default. */
export interface RuleOptions {
  /** The events, invoices or requests that the rule is for. */
  readonly accessKey?: string | undefined;
  readonly event?: number | undefined;
  readonly family?: string | undefined;
  readonly externalId?: string | undefined;
  readonly id?: string | undefined;
  readonly operation?: string | undefined;
  /** What happens to them. */
  readonly kind?: string | undefined;
  readonly outcome?: string | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  /** Seconds, or a date. */
  readonly retryAfter?: string | undefined;
  readonly to?: string | undefined;
  /** Milliseconds. */
  readonly delay: number | undefined;
  /** How often: a number from 0 to 1. */
  readonly rate: string | undefined;
  readonly count: number | undefined;
  readonly skip: number | undefined;
}

/**
 * Lists the rules with the counts of the sandbox, adds one, or clears them.
 * Throws `usage.*` for an invalid value, and `service.refused` for a rule that the sandbox refuses.
 */
export async function manageRules(
  context: Context,
  list: RuleList,
  { action = 'list', options }: { readonly action: string | undefined; readonly options: RuleOptions },
): Promise<unknown> {
  const ask = (method: HttpMethod, body?: object): Promise<ControlAnswer> =>
    withSandbox(context, (url) => askSandbox({ url, path: list, method, body }));
  switch (action) {
    case 'list': {
      const answer = await ask('GET');
      return list === 'faults' ? (answer['faults'] ?? []) : answer;
    }
    case 'clear':
      return await ask('DELETE');
    case 'add':
      return await ask('POST', readRule(list, options));
    default:
      throw invalidValue('action', action, { en: 'list, add or clear', pt: 'list, add ou clear' });
  }
}

function readRule(list: RuleList, { event, rate, retryAfter, delay, ...rest }: RuleOptions): object {
  const { kind, outcome } = rest;
  if (list === 'faults' && kind === undefined) throw new FiscalError('usage.missing', { names: '--kind' });
  if (list !== 'faults' && outcome === undefined && delay === undefined)
    throw new FiscalError('usage.missing', { names: '--outcome' });
  return {
    ...rest,
    eventCode: event,
    rate: readRate(rate),
    retryAfter: readRetryAfter(retryAfter),
    delayMs: delay,
  };
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
