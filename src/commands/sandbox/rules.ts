import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { askSandbox, type Fields } from './ask.js';
import { withSandbox } from './target.js';

/** The rules by which the sandbox fails, its tax authority answers, or its invoices end. */
export type RuleList = 'faults' | 'authority' | 'outcomes';

/** A rule of any of the lists. What is left out has the sandbox's own default. */
export interface Rule {
  /** Which events, invoices or requests it is for. */
  readonly accessKey?: string | undefined;
  readonly eventCode?: number | undefined;
  readonly family?: string | undefined;
  readonly externalId?: string | undefined;
  readonly id?: string | undefined;
  readonly operation?: string | undefined;
  /** What happens to them. */
  readonly kind?: string;
  readonly outcome?: string | undefined;
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly retryAfter?: number | string | undefined;
  readonly to?: string | undefined;
  readonly delayMs: number | undefined;
  /** How often. */
  readonly rate: number | undefined;
  readonly count: number | undefined;
  readonly skip: number | undefined;
}

/** What is done with the rules. */
export type RuleAction = 'list' | 'add' | 'clear';

/** `required` says what `add` needs, and whether it is there. */
export function readRuleAction(
  action: string | undefined,
  required: { readonly names: string; readonly isGiven: boolean },
): RuleAction {
  switch (action) {
    case undefined:
    case 'list':
      return 'list';
    case 'clear':
      return 'clear';
    case 'add':
      if (!required.isGiven) throw new FiscalError('usage.missing', { names: required.names });
      return 'add';
    default:
      throw invalidValue('action', action, { en: 'list, add or clear', pt: 'list, add ou clear' });
  }
}

export function readRate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const rate = /^\d(?:\.\d{1,9})?$/.test(text) ? Number(text) : 2;
  if (rate <= 1) return rate;
  throw invalidValue('--rate', text, { en: 'a number from 0 to 1', pt: 'um número de 0 a 1' });
}

/** Seconds, or a date as it was typed. */
export function readRetryAfter(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : text;
}

/** The rules, with what the sandbox counts beside them. */
export async function listRules(context: Context, list: RuleList): Promise<Fields> {
  return await ask(context, { list, method: 'GET' });
}

export async function listFaults(context: Context): Promise<readonly unknown[]> {
  const { faults } = await listRules(context, 'faults');
  return Array.isArray(faults) ? faults : [];
}

export async function addRule(context: Context, list: RuleList, rule: Rule): Promise<Fields> {
  return await ask(context, { list, method: 'POST', body: rule });
}

export async function clearRules(context: Context, list: RuleList): Promise<Fields> {
  return await ask(context, { list, method: 'DELETE' });
}

interface RuleRequest {
  readonly list: RuleList;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly body?: Rule;
}

async function ask(context: Context, { list, ...request }: RuleRequest): Promise<Fields> {
  return await withSandbox(context, (url) => askSandbox({ url, path: list, ...request }));
}
