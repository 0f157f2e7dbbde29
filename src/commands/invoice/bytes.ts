import { textField } from '../../jobs/kinds/answer-fields.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import type { Context } from '../../services/context.js';
import { readBytes, type BytesOutcome, type ExpectedDocument } from '../../services/read-bytes.js';
import { companyOf } from '../../services/read-company.js';
import { fetchInvoice } from './read-invoice.js';
import type { InvoiceTarget } from './target.js';

export interface InvoiceBytesRequest {
  readonly model: InvoiceModel;
  readonly id: string;
  readonly form: 'xml' | 'pdf';
  readonly out: string | undefined;
  /** How long a 202 is waited for. */
  readonly timeoutMs: number;
}

/**
 * The XML or PDF of an issued invoice, byte for byte, whichever of the three ways the service gives it. An XML names its
 * invoice by the access key only, so the invoice is read first. Errors: those of `readBytes`.
 */
export async function readInvoiceBytes(
  context: Context,
  { model, id, form, out, timeoutMs }: InvoiceBytesRequest,
): Promise<BytesOutcome> {
  const companyId = await companyOf(context);
  const name = form.toUpperCase();
  const { dryRun } = await context.settings();
  const expected =
    form === 'pdf' || dryRun ? {} : { expected: await expectedOf(context, { model, companyId, id }) };
  const common = { what: { en: name, pt: name }, key: id, out, timeoutMs, ...expected };
  if (model === 'nfse') {
    const input = { path: { companyId, id } };
    return await readBytes(context, { operation: `nfse.${form}`, input, ...common });
  }
  const input = { path: { companyId, invoiceId: id } };
  return await readBytes(context, { operation: `${model}.${form}`, input, ...common });
}

async function expectedOf(
  context: Context,
  target: InvoiceTarget & { readonly model: InvoiceModel },
): Promise<ExpectedDocument> {
  const { body } = await fetchInvoice(context, target);
  const accessKey = textField(body['authorization'], 'accessKey') ?? textField(body, 'accessKey');
  const isService = target.model === 'nfse';
  const family = isService ? 'nfse' : 'nfe';
  return { family, part: 'document', accessKey, ...(isService ? { anyLayout: true } : {}) };
}
