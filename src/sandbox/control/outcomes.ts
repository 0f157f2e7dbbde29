import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import {
  invoiceFamilies,
  invoiceOutcomeKinds,
  type InvoiceOutcomeRule,
} from '../invoice/invoice-outcomes.js';
import type { ControlRequest } from './control.js';
import { choiceField, type Fields, fieldsOf, numberField, textField } from './fields.js';

const names = [
  'family',
  'externalId',
  'id',
  'outcome',
  'code',
  'message',
  'rate',
  'count',
  'skip',
  'delayMs',
];
const most = 1_000_000_000;

/** The rules of the tests, and how the invoices stand. */
export function showInvoiceOutcomes(core: Core): object {
  return { rules: core.invoiceOutcomes.list(), invoices: core.invoices.countByStatus() };
}

export function clearInvoiceOutcomes(core: Core): object {
  return { cleared: core.invoiceOutcomes.clear() };
}

export function addInvoiceOutcome(core: Core, request: ControlRequest): object {
  return core.invoiceOutcomes.add(ruleOf(fieldsOf(request.body, names)));
}

function ruleOf(fields: Fields): InvoiceOutcomeRule {
  const outcome = choiceField(fields, 'outcome', invoiceOutcomeKinds);
  const delayMs = numberField(fields, 'delayMs', { from: 0, to: most, whole: true });
  if (outcome === undefined && delayMs === undefined) {
    throw invalid('outcome', `Is required, or delayMs: one of ${invoiceOutcomeKinds.join(', ')}.`);
  }
  const family = choiceField(fields, 'family', invoiceFamilies);
  const count = numberField(fields, 'count', { from: 1, to: most, whole: true });
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...(family === undefined ? {} : { family }),
    ...textOf(fields, 'externalId'),
    ...textOf(fields, 'id'),
    ...refusalOf(fields, outcome),
    rate: numberField(fields, 'rate', { from: 0, to: 1, whole: false }) ?? 1,
    skip: numberField(fields, 'skip', { from: 0, to: most, whole: true }) ?? 0,
    ...(count === undefined ? {} : { count }),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

const refusals: readonly (string | undefined)[] = ['failed', 'denied', 'cancel-failed'];

function refusalOf(
  fields: Fields,
  outcome: InvoiceOutcomeRule['outcome'],
): Pick<InvoiceOutcomeRule, 'code' | 'message'> {
  const code = textField(fields, 'code');
  if (code !== undefined && !refusals.includes(outcome)) throw invalid('code', 'Belongs to a refusal.');
  if (code !== undefined && !/^[A-Z]?\d{1,4}$/.test(code)) {
    throw invalid('code', 'Must be a number such as 204 or E10.');
  }
  return { ...(code === undefined ? {} : { code }), ...textOf(fields, 'message') };
}

function textOf(fields: Fields, name: string): Readonly<Record<string, string>> {
  const text = textField(fields, name);
  return text === undefined ? {} : { [name]: text };
}
