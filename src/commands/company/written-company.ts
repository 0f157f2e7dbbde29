import type { CompanyInput } from '../../contract/company.js';
import type { Text } from '../../contract/text.js';
import {
  checkCompany,
  cnpjToSend,
  companyTaxRegime,
  fieldsNotTaken,
  companyBody,
  type TaxNumberForm,
} from '../../domain/company-check.js';
import { isGiven } from '../../domain/invoice-rules.js';
import { inexactNumbers, parseKeepingNumbers } from '../../domain/json-numbers.js';
import { isRecord } from '../../domain/record.js';
import { readTaxNumber } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { type JsonObject, merge } from '../../domain/field-changes.js';
import { readJsonOrYaml } from '../../services/input/records.js';
import { type InputContext, openSource } from '../../services/input/source.js';

/** The input of a company: a file, fields that override it, or both. */
export interface WrittenCompany {
  readonly file: string | undefined;
  readonly name: string | undefined;
  readonly cnpj: string | undefined;
  readonly tradeName: string | undefined;
  readonly taxRegime: string | undefined;
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

interface DraftOptions {
  readonly file: string | undefined;
  readonly form: TaxNumberForm;
}

/**
 * The company to send: what was written over what stands. Only what differs from the service's own values is checked,
 * and those keep their type. Error: `input.invalid` with every problem.
 */
export function draftCompany(
  written: JsonObject,
  standing: JsonObject,
  { file, form }: DraftOptions,
): CompanyInput {
  const before = companyBody(standing);
  const company = companyBody(merge(standing, inWords(written, standing, form)));
  const problems = checkCompany(company, form).filter(({ field }) => {
    const [first = ''] = field.split('.');
    return !(first in company) || !isSame(company[first], before[first]);
  });
  const details = [...fieldsNotTaken(written, standing), ...problems];
  const { name, federalTaxNumber } = company;
  const isSendable = typeof federalTaxNumber === 'number' || typeof federalTaxNumber === 'string';
  if (details.length === 0 && isSendable) return { ...company, name: String(name), federalTaxNumber };
  const what = file === undefined || file === '-' ? theCompany : file;
  const hint = Object.keys(standing).length === 0 ? { hint: seeSample } : {};
  throw new FiscalError('input.invalid', { what }, { details, sent: 'no', ...hint });
}

/** The input with its CNPJ and its tax regime as the service writes them; the service's own values where they mean the same. */
function inWords(written: JsonObject, standing: JsonObject, form: TaxNumberForm): JsonObject {
  const { federalTaxNumber, taxRegime } = written;
  const isSameNumber = readTaxNumber(federalTaxNumber) === readTaxNumber(standing['federalTaxNumber']);
  const cnpj = isSameNumber ? standing['federalTaxNumber'] : cnpjToSend(federalTaxNumber, form);
  const [regime, before] = [taxRegime, standing['taxRegime']].map(regimeOf);
  return {
    ...written,
    ...(isGiven(federalTaxNumber) ? { federalTaxNumber: cnpj } : {}),
    ...(isGiven(taxRegime) ? { taxRegime: regime === before ? standing['taxRegime'] : regime } : {}),
  };
}

function regimeOf(value: unknown): unknown {
  return typeof value === 'string' ? companyTaxRegime(value) : value;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
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

const theCompany: Text = { en: 'the company', pt: 'a empresa' };

const orFlags: Text = {
  en: 'give a file, or fields: --name, --cnpj, --trade-name, --tax-regime',
  pt: 'informe um arquivo ou campos: --name, --cnpj, --trade-name, --tax-regime',
};

const seeSample: Text = {
  en: 'see a minimal company: fiscal company create --sample > company.json',
  pt: 'veja uma empresa mínima: fiscal company create --sample > empresa.json',
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
