import type { TaxCalculationInput } from '../../contract/tax.js';
import type { Text } from '../../contract/text.js';
import { exactNumbers, parseKeepingNumbers } from '../../domain/json-numbers.js';
import { isRecord } from '../../domain/record.js';
import { checkTaxCalculation } from '../../domain/tax-calculation-check.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { readJsonOrYaml } from '../../services/input/records.js';
import { openSource, type InputContext } from '../../services/input/source.js';

/** Reads and checks a calculation. Errors: `usage.missing`, `input.*`; `input.invalid` names every problem at once. */
export async function readCalculation(
  context: InputContext,
  { file, unchecked }: { readonly file: string | undefined; readonly unchecked: boolean },
): Promise<TaxCalculationInput> {
  if (file === undefined) throw nothingGiven();
  const source = await openSource(context, file, { again: false });
  const { value, problems } = exactNumbers(await readJsonOrYaml(source, parseKeepingNumbers));
  const found = unchecked && isRecord(value) ? problems : [...problems, ...checkTaxCalculation(value)];
  // An object that passed the check, or that the user wants to send as it is, is what the contract calls the input.
  if (found.length === 0) return value as TaxCalculationInput;
  const details = found.map(({ field, message }) => ({ field: field === '' ? '.' : field, message }));
  const what = file === '-' ? calculationText : file;
  throw new FiscalError('input.invalid', { what }, { details, sent: 'no', hint: seeSample });
}

function nothingGiven(): FiscalError {
  return new FiscalError('usage.missing', { names: '--file' }, { sent: 'no', hint: seeSample });
}

const calculationText: Text = { en: 'the calculation', pt: 'o cálculo' };

const seeSample: Text = {
  en: 'a minimal body: fiscal tax calculate --sample; codes: fiscal tax codes operation-code',
  pt: 'um corpo mínimo: fiscal tax calculate --sample; códigos: fiscal tax codes operation-code',
};
