import type { CompanyInput } from '../../contract/company.js';
import type { Text } from '../../contract/text.js';
import { checkCompany } from '../../domain/company-check.js';
import { exactNumbers } from '../../domain/exact-number.js';
import { isRecord } from '../../domain/record.js';
import { parseKeepingNumbers } from '../../domain/product-number.js';
import { checkCnpj } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Fields } from '../../services/merge-fields.js';
import { readJsonOrYaml } from '../../services/input/records.js';
import { openSource, type InputContext } from '../../services/input/source.js';

/** How a command gives a company: a file, fields over it, or both. */
export interface WrittenCompany {
  readonly file: string | undefined;
  readonly name: string | undefined;
  readonly cnpj: string | undefined;
  readonly tradeName: string | undefined;
  readonly taxRegime: string | undefined;
}

/** What is written, not checked yet. `{company: {…}}` is taken as well as what is inside. Errors: `usage.missing`, `input.*`. */
export async function readWritten(context: InputContext, written: WrittenCompany): Promise<Fields> {
  const { file, name, cnpj: federalTaxNumber, tradeName, taxRegime } = written;
  const given = { name, federalTaxNumber, tradeName, taxRegime };
  const flags = Object.entries(given).filter(([, value]) => value !== undefined);
  if (file === undefined && flags.length === 0) throw nothingGiven();
  const base = file === undefined ? {} : await readFile(context, file);
  return { ...base, ...Object.fromEntries(flags) };
}

/**
 * The company as it is sent: its CNPJ without punctuation. Only what the user wrote is judged: what stands at the service is
 * its own affair. Error: `input.invalid` with every problem.
 */
export function checkedCompany(company: Fields, written: Fields, file: string | undefined): CompanyInput {
  const problems = checkCompany(company).filter(({ field }) => {
    const [first = ''] = field.split('.');
    return !(first in company) || first in written;
  });
  if (problems.length > 0) {
    const details = problems.map(({ field, message }) => ({ field, message }));
    const what = file === undefined || file === '-' ? companyText : file;
    throw new FiscalError('input.invalid', { what }, { details, sent: 'no' });
  }
  const { name, federalTaxNumber, ...others } = company;
  return {
    ...others,
    name: String(name),
    // Some deployments show it as a number, which has lost its leading zeros.
    federalTaxNumber: checkCnpj(String(federalTaxNumber).padStart(14, '0')).value,
  };
}

async function readFile(context: InputContext, file: string): Promise<Fields> {
  const source = await openSource(context, file, { again: false });
  const { value, problems } = exactNumbers(await readJsonOrYaml(source, parseKeepingNumbers));
  const inner = isRecord(value) && isRecord(value['company']) ? value['company'] : value;
  if (isRecord(inner) && problems.length === 0) return inner;
  const message = { en: 'must be an object', pt: 'deve ser um objeto' };
  const details = problems.length > 0 ? problems : [{ field: '.', message }];
  throw new FiscalError(
    'input.invalid',
    { what: file === '-' ? companyText : file },
    { details, sent: 'no' },
  );
}

function nothingGiven(): FiscalError {
  return new FiscalError('usage.missing', { names: '--file' }, { sent: 'no', hint: orFlags });
}

const companyText: Text = { en: 'the company', pt: 'a empresa' };

const orFlags: Text = {
  en: 'give a file, or fields: --name, --cnpj, --trade-name, --tax-regime',
  pt: 'informe um arquivo ou campos: --name, --cnpj, --trade-name, --tax-regime',
};
