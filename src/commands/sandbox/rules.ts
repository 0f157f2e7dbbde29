import type { Given } from '../../cli/command.js';
import type { HttpMethod } from '../../contract/operation.js';
import { authorityOutcomes, invoiceOutcomeKinds } from '../../contract/sandbox.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { type ControlAnswer, controlSandbox } from './attach.js';
import type { fault } from './rule-commands.js';

type RuleGiven = Given<typeof fault>;
type RuleList = RuleGiven['of'];

/** Where the sandbox has each list, and the outcomes that its rules may have. */
const lists: Readonly<Record<RuleList, { readonly path: string; readonly outcomes: readonly string[] }>> = {
  requests: { path: 'faults', outcomes: [] },
  authority: { path: 'authority', outcomes: authorityOutcomes },
  invoices: { path: 'outcomes', outcomes: invoiceOutcomeKinds },
};

/**
 * The rules by which the sandbox fails, its tax authority answers, or its invoices end: lists them with the counts of the sandbox,
 * adds one, or clears them. Throws `usage.*` for an invalid value, and `service.refused` for a rule that the sandbox refuses.
 */
export async function manageRules(context: Context, { action = 'list', of, ...rule }: RuleGiven): Promise<Outcome> {
  const ask = (method: HttpMethod, body?: object): Promise<ControlAnswer> =>
    controlSandbox(context, { path: lists[of].path, method, body });
  switch (action) {
    case 'list': {
      const answer = await ask('GET');
      return { data: of === 'requests' ? (answer['faults'] ?? []) : answer };
    }
    case 'clear':
      return { data: await ask('DELETE') };
    case 'add':
      return { data: await ask('POST', readRule(of, rule)) };
    default:
      throw invalidValue('action', action, { en: 'list, add or clear', pt: 'list, add ou clear' });
  }
}

function readRule(of: RuleList, { event, rate, retryAfter, delay, ...rest }: Omit<RuleGiven, 'action' | 'of'>): object {
  const { kind, outcome } = rest;
  const { outcomes } = lists[of];
  if (of === 'requests' && kind === undefined) throw new FiscalError('usage.missing', { names: '--kind' });
  if (of !== 'requests' && outcome === undefined && delay === undefined)
    throw new FiscalError('usage.missing', { names: '--outcome' });
  if (outcome !== undefined && !outcomes.includes(outcome)) {
    const words = outcomes.join(', ');
    throw invalidValue('--outcome', outcome, { en: `one of ${words}`, pt: `um de ${words}` });
  }
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
