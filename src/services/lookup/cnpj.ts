import { operations } from '../../contract/operations.js';
import type { Outcome } from '../../domain/outcome.js';
import { checkCnpj } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';

/** Queries the registry of a company (§4). The digits are checked first: a mistyped number is not worth a query. */
export async function lookUpCnpj(context: Context, text: string): Promise<Outcome> {
  const { value, valid, issues } = checkCnpj(text);
  if (!valid) {
    const details = issues.map(({ field, message }) => ({ field, message }));
    throw new FiscalError(
      'input.invalid',
      { what: `CNPJ ${text.slice(0, 40)}` },
      { sent: 'no', operation: 'lookup.cnpj', details },
    );
  }
  const client = await context.client();
  const input = { path: { numero: value } };
  if ((await context.settings()).dryRun) return { data: await client.preview('lookup.cnpj', input) };
  const billed = operations['lookup.cnpj'].billed !== null;
  const { body } = await client.call('lookup.cnpj', input, { billed });
  return { data: body };
}
