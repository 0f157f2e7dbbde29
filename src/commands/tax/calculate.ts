import type { Given } from '../../cli/command.js';
import type { TaxCalculationInput } from '../../contract/tax.js';
import type { Text } from '../../contract/text.js';
import { inexactNumbers, parseKeepingNumbers } from '../../domain/json-numbers.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { checkTaxCalculation } from '../../domain/tax-calculation-check.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { billedNotices, costOf } from '../../services/batch/notices.js';
import type { Context } from '../../services/context.js';
import { readJsonOrYaml } from '../../services/input/records.js';
import { type InputContext, openSource } from '../../services/input/source.js';
import { previewOne } from '../../services/calls/one-call.js';
import { tenantOf } from '../../services/scope/companies.js';
import { requestBody } from '../../domain/request-body.js';
import type { calculate } from './commands.js';

/**
 * Calculates the taxes of an operation (§1; paths public). It changes nothing, but each call is billed, so one of unknown outcome is
 * repeated only with `retryBillable`. Amounts are text and stay as they came.
 */
export async function calculateTaxes(context: Context, given: Given<typeof calculate>): Promise<Outcome> {
  const { dryRun, sends } = await context.settings();
  if (given.sample) return { data: requestBody('tax.calculate', sampleCalculation, sends).body };
  const body = await readCalculation(context, given);
  const input = { path: { tenantId: await tenantOf(context) }, body };
  if (dryRun) return { data: { ...(await previewOne(context, 'tax.calculate', input)), billedCalls: 1 } };
  const client = await context.client();
  const how = { billed: true, retryBillable: given.retryBillable, signal: context.interruption };
  try {
    const answer = await client.call('tax.calculate', input, how);
    return { data: answer.body, notices: billedNotices(costOf(answer), 'engine') };
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    throw error.with({ ...hintFor(error) });
  }
}

function hintFor(error: FiscalError): { readonly hint?: Text } {
  if (error.code === 'service.refused') return { hint: seeCodes };
  return error.facts.sent === 'unknown' ? { hint: perhapsBilled } : {};
}

const seeCodes: Text = {
  en: 'the codes that the engine knows: fiscal tax codes operation-code (also acquisition-purpose, issuer-tax-profile, recipient-tax-profile)',
  pt: 'os códigos que o motor conhece: fiscal tax codes operation-code (e acquisition-purpose, issuer-tax-profile, recipient-tax-profile)',
};

const perhapsBilled: Text = {
  en: 'it may have been billed, so it was not sent again; running it again, or --retry-billable, may bill it twice',
  pt: 'a chamada pode ter sido cobrada, por isso não foi repetida; repetir o comando ou usar --retry-billable pode cobrar duas vezes',
};

/** Reads and checks a calculation. Errors: `usage.missing`, `input.*`; `input.invalid` lists every problem. */
async function readCalculation(
  context: InputContext,
  { file, unchecked }: Given<typeof calculate>,
): Promise<TaxCalculationInput> {
  if (file === undefined) throw new FiscalError('usage.missing', { names: '--file' }, { sent: 'no', hint: seeSample });
  const source = await openSource(context, file, { again: false });
  const value = await readJsonOrYaml(source, parseKeepingNumbers);
  const problems = inexactNumbers(value);
  const found = unchecked && isRecord(value) ? problems : [...problems, ...checkTaxCalculation(value)];
  // An object that passed the check, or that the user wants to send as it is, is what the contract calls the input.
  if (found.length === 0) return value as TaxCalculationInput;
  const details = found.map(({ field, message }) => ({ field: field === '' ? '.' : field, message }));
  const what = file === '-' ? calculationText : file;
  throw new FiscalError('input.invalid', { what }, { details, sent: 'no', hint: seeSample });
}

const calculationText: Text = { en: 'the calculation', pt: 'o cálculo' };

const seeSample: Text = {
  en: 'a minimal body: fiscal tax calculate --sample; codes: fiscal tax codes operation-code',
  pt: 'um corpo mínimo: fiscal tax calculate --sample; códigos: fiscal tax codes operation-code',
};

/** A minimal valid body: a sale from São Paulo to a company of Rio de Janeiro. */
const sampleCalculation: TaxCalculationInput = {
  issuer: { taxRegime: 'RealProfit', state: 'SP' },
  recipient: { state: 'RJ' },
  operationType: 'Outgoing',
  items: [{ id: '1', operationCode: 121, origin: 'National', ncm: '09012100', quantity: 2, unitAmount: '18.90' }],
};
