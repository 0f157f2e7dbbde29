import type { OptionValues } from '../../cli/command.js';
import type { contentOptions, fieldOptions } from './commands.js';
import { isRecord } from '../../domain/record.js';
import type { ProductInput } from '../../contract/product.js';
import type { Text } from '../../contract/text.js';
import { checkProduct, type ProductFinding } from '../../domain/product-check.js';
import { inexactNumbers, parseKeepingNumbers } from '../../domain/json-numbers.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { readDocument } from '../../services/input/records.js';
import { openSource, type InputContext } from '../../services/input/source.js';
import { taxHint } from '../../services/input/tax-hint.js';

export interface ReadProduct {
  readonly product: ProductInput;
  readonly notices: readonly Text[];
}

/** Reads and checks one product. Errors: `usage.missing`, `input.*`; `input.invalid` lists every problem. */
export async function readProduct(
  context: InputContext,
  { file, unchecked, ...typed }: OptionValues<typeof contentOptions>,
  { forCreate }: { readonly forCreate: boolean },
): Promise<ReadProduct> {
  const fields = fieldsOf(typed);
  const hasFields = Object.values(fields).some((value) => value !== undefined);
  if (file === undefined && !hasFields) {
    throw new FiscalError('usage.missing', { names: forCreate ? '--sku | --file' : '--file' });
  }
  const written = file === undefined ? {} : await readFile(context, file);
  const raw = withFields(written, fields);
  if (unchecked) return { product: asWritten(raw, file), notices: [] };
  const { product, problems: found, notes } = checkProduct(raw, { forCreate });
  const problems = [...found, ...inexactNumbers(product)];
  if (problems.length > 0) throw invalid(problems, file);
  return { product, notices: notes.map(noticeOf) };
}

async function readFile(context: InputContext, file: string): Promise<unknown> {
  const source = await openSource(context, file, { again: false });
  return readDocument(source, parseKeepingNumbers);
}

/** Common fields as flags give them; the others of the command are left out. */
function fieldsOf(typed: OptionValues<typeof fieldOptions>) {
  const { sku, description, origin, ncm, gtin, cest, taxRegime, collection: collectionId } = typed;
  return { sku, description, origin, ncm, gtin, cest, taxRegime, collectionId };
}

/** Overrides the fields of the file, whatever letter case it uses. */
function withFields(written: unknown, fields: ReturnType<typeof fieldsOf>): unknown {
  if (!isRecord(written)) return written;
  const { ncm, cest, ...top } = fields;
  const overlaid = overlay(written, top);
  if (ncm === undefined && cest === undefined) return overlaid;
  const tax = Object.entries(overlaid).find(([name]) => name.toLowerCase() === 'tax')?.[1];
  return overlay(overlaid, { tax: overlay(isRecord(tax) ? tax : {}, { ncm, cest }) });
}

function overlay(
  base: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  const kept = Object.entries(base).filter(([name]) => !names.has(name.toLowerCase()));
  return Object.fromEntries([...kept, ...given]);
}

function asWritten(raw: unknown, file: string | undefined): ProductInput {
  if (isRecord(raw)) return raw;
  throw invalid([{ field: '', message: { en: 'must be an object', pt: 'deve ser um objeto' } }], file);
}

function invalid(problems: readonly ProductFinding[], file: string | undefined): FiscalError {
  const what = file === undefined || file === '-' ? productText : file;
  const details = problems.map(({ field, message }) => ({ field: field === '' ? '.' : field, message }));
  const taxFields = problems.map(({ field }) => field).filter(isTaxField);
  const hint = taxFields.length === 0 ? undefined : taxHint(taxFields, seeTaxCodes);
  return new FiscalError('input.invalid', { what }, { details, sent: 'no', ...(hint && { hint }) });
}

/** `customTax[0].operationCode`, `customTax[0].issuer[0].taxProfile`, `tax.ncm`. */
function isTaxField(field: string): boolean {
  return /^(?:customTax|tax)(?:$|[.[])/i.test(field);
}

const seeTaxCodes: Text = {
  en: 'codes of tax fields: fiscal tax codes operation-code (also issuer-tax-profile, recipient-tax-profile)',
  pt: 'códigos dos campos de tributos: fiscal tax codes operation-code (e issuer-tax-profile, recipient-tax-profile)',
};

function noticeOf({ field, message }: ProductFinding): Text {
  return { en: `${field} ${message.en}`, pt: `${field} ${message.pt}` };
}

const productText: Text = { en: 'the product', pt: 'o produto' };
