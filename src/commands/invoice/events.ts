import { rowsOf } from '../../client/read-answer.js';
import type { Outcome } from '../../domain/outcome.js';
import type { MerchandiseModel } from '../../jobs/kinds/invoice-items.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import { companyOf } from '../../services/read-company.js';

export interface EventsRequest {
  readonly model: MerchandiseModel;
  readonly id: string;
}

/** The events of an issued NF-e or NFC-e: its cancellation, its corrections, as they came. */
export async function listInvoiceEvents(context: Context, { model, id }: EventsRequest): Promise<Outcome> {
  const input = { path: { companyId: await companyOf(context), invoiceId: id } };
  const operation = `${model}.events` as const;
  if ((await context.settings()).dryRun) return { data: await previewOne(context, operation, input) };
  const client = await context.client();
  const { body } = await client.call(operation, input, { signal: context.interruption });
  return { data: rowsOf(operation, body) };
}
