import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import type { Context } from '../context.js';
import { readBytes, type BytesOutcome } from '../read-bytes.js';
import { companyOf } from '../read-company.js';

export interface InvoiceBytesRequest {
  readonly model: InvoiceModel;
  readonly id: string;
  readonly form: 'xml' | 'pdf';
  readonly out: string | undefined;
  /** How long a 202 is waited for. */
  readonly timeoutMs: number;
}

/** The XML or PDF of an issued invoice, byte for byte, whichever of the three ways the service gives it. */
export async function readInvoiceBytes(
  context: Context,
  { model, id, form, out, timeoutMs }: InvoiceBytesRequest,
): Promise<BytesOutcome> {
  const companyId = await companyOf(context);
  const name = form.toUpperCase();
  const common = { what: { en: name, pt: name }, key: id, out, timeoutMs };
  if (model === 'nfse') {
    const input = { path: { companyId, id } };
    return await readBytes(context, { operation: `nfse.${form}`, input, ...common });
  }
  const input = { path: { companyId, invoiceId: id } };
  return await readBytes(context, { operation: `${model}.${form}`, input, ...common });
}
