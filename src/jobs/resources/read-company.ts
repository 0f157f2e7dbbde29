import type { CallOptions, Client } from '../../client/client.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { readTaxNumber } from '../../domain/tax-number.js';
import { hintWhenAbsent } from '../../errors/hint-when-absent.js';
import { enveloped } from './enveloped.js';

/** One company, without its envelope. Errors: `service.not_found`, with the command that lists them; `service.unreadable`. */
export async function readCompany(client: Client, companyId: string, options: CallOptions): Promise<JsonObject> {
  const answer = await hintWhenAbsent(companiesHint, () =>
    client.call('company.get', { path: { companyId } }, options),
  );
  return enveloped(answer, { envelope: 'company', operation: 'company.get', reason: noCompany });
}

const companiesHint: Text = {
  en: `the companies of the account: ${fiscalLine({ command: 'company list' })}`,
  pt: `as empresas da conta: ${fiscalLine({ command: 'company list' })}`,
};

export const noCompany: Text = { en: 'it holds no company', pt: 'não contém uma empresa' };

/**
 * A company as the program prints it: its CNPJ as text, which keeps the leading zeros that an integer of the service
 * has lost.
 */
export function shownCompany(company: JsonObject): JsonObject {
  const { federalTaxNumber } = company;
  if (typeof federalTaxNumber !== 'number') return company;
  return { ...company, federalTaxNumber: readTaxNumber(federalTaxNumber) ?? federalTaxNumber };
}
