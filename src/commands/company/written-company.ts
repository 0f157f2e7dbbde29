import type { OptionValues } from '../../cli/command.js';
import type { contentOptions } from './commands.js';
import type { CompanyInput } from '../../contract/company.js';
import type { Text } from '../../contract/text.js';
import { inexactNumbers, parseKeepingNumbers } from '../../domain/json-numbers.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { readJsonOrYaml } from '../../services/input/records.js';
import { type InputContext, openSource } from '../../services/input/source.js';

/** The input of a company: a file, fields that override it, or both. */
interface WrittenCompany extends OptionValues<typeof contentOptions> {
  readonly cnpj?: string | undefined;
}

/** The input before checks. Accepts `{company: {…}}` and its content alone. Errors: `usage.missing`, `input.*`. */
export async function readWritten(context: InputContext, written: WrittenCompany): Promise<JsonObject> {
  const { file, name, cnpj: federalTaxNumber, tradeName, taxRegime } = written;
  const given = { name, federalTaxNumber, tradeName, taxRegime };
  const flags = Object.entries(given).filter(([, value]) => value !== undefined);
  if (file === undefined && flags.length === 0) throw nothingGiven();
  const base = file === undefined ? {} : await readFile(context, file);
  return { ...base, ...Object.fromEntries(flags) };
}

async function readFile(context: InputContext, file: string): Promise<JsonObject> {
  const source = await openSource(context, file, { again: false });
  const value = await readJsonOrYaml(source, parseKeepingNumbers);
  const problems = inexactNumbers(value);
  const inner = isRecord(value) && isRecord(value['company']) ? value['company'] : value;
  if (isRecord(inner) && problems.length === 0) return inner;
  const message = { en: 'must be an object', pt: 'deve ser um objeto' };
  const details = problems.length > 0 ? problems : [{ field: '.', message }];
  throw new FiscalError('input.invalid', { what: file === '-' ? theCompany : file }, { details, sent: 'no' });
}

function nothingGiven(): FiscalError {
  return new FiscalError('usage.missing', { names: '--file' }, { sent: 'no', hint: orFlags });
}

export const theCompany: Text = { en: 'the company', pt: 'a empresa' };

const orFlags: Text = {
  en: 'give a file, or fields: --name, --cnpj, --trade-name, --tax-regime',
  pt: 'informe um arquivo ou campos: --name, --cnpj, --trade-name, --tax-regime',
};

/** A minimal company in the published form. */
export const sampleCompany: CompanyInput = {
  name: 'Padaria Exemplo Ltda',
  federalTaxNumber: 11222333000181,
  taxRegime: 'SimplesNacional',
  address: {
    street: 'Avenida Paulista',
    number: '1000',
    district: 'Bela Vista',
    city: { code: '3550308', name: 'São Paulo' },
    state: 'SP',
    postalCode: '01310100',
    country: 'BRA',
  },
};
