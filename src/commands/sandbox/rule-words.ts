import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';

/** What is done with the rules by which the sandbox fails, or its tax authority answers. */
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
