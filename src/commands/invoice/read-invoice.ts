import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { previewOne, type DryRun } from '../../services/preview.js';
import { settleItem } from './settle-item.js';
import type { InvoiceTarget } from './target.js';
import { isRecord } from '../../domain/record.js';
import { readByExternalId } from '../../jobs/kinds/invoice-answer.js';

export interface ReadInvoice {
  /** As it came. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * One read; an item of this machine that still waits for the end of this issue is settled by it. Error: `service.unreadable` for an answer that is no object.
 */
export async function fetchInvoice(context: Context, target: InvoiceTarget): Promise<ReadInvoice> {
  const read = await readOnce(context, target);
  await settleItem(context, target, read.body);
  return read;
}

async function readOnce(context: Context, target: InvoiceTarget): Promise<ReadInvoice> {
  const { model, companyId, id } = target;
  const client = await context.client();
  const how = { signal: context.interruption };
  switch (model) {
    case 'general':
      return readable(`invoice.get`, await client.call('invoice.get', { path: { id } }, how));
    case 'nfse':
      return readable('nfse.get', await client.call('nfse.get', { path: { companyId, id } }, how));
    case 'nfe':
    case 'nfce': {
      const path = { companyId, invoiceId: id };
      return readable(`${model}.get`, await client.call(`${model}.get`, { path }, how));
    }
  }
}

/**
 * The id of the NFS-e that the service finds by the id that the caller gave it. Errors: `service.not_found`, `invoice.not_found`,
 * `service.unreadable`.
 */
export async function idByExternalId(
  context: Context,
  path: { readonly companyId: string; readonly externalId: string },
): Promise<string> {
  const operation = 'nfse.getByExternalId';
  const client = await context.client();
  const { body, status } = await client.call(operation, { path }, { signal: context.interruption });
  const found = readByExternalId(body, path.externalId);
  if (typeof found === 'object') return found.resourceId;
  if (found === 'absent')
    throw new FiscalError('invoice.not_found', { externalId: path.externalId }, { sent: 'yes' });
  throw new FiscalError('service.unreadable', { operation, status, reason: unnamed[found] });
}

const unnamed = {
  another: {
    en: 'it shows only invoices of other externalIds',
    pt: 'só mostra notas de outros externalIds',
  },
  unclear: {
    en: 'it shows several invoices of this externalId, or one without an id',
    pt: 'mostra várias notas com este externalId, ou uma sem id',
  },
} as const satisfies Readonly<Record<string, Text>>;

export async function previewRead(
  context: Context,
  { model, companyId, id }: InvoiceTarget,
): Promise<DryRun> {
  if (model === 'general') return await previewOne(context, 'invoice.get', { path: { id } });
  if (model === 'nfse') return await previewOne(context, 'nfse.get', { path: { companyId, id } });
  return await previewOne(context, `${model}.get`, { path: { companyId, invoiceId: id } });
}

function readable(
  operation: string,
  { body, status }: { readonly body: unknown; readonly status: number },
): ReadInvoice {
  if (isRecord(body)) return { body };
  const reason: Text = { en: 'it is not an invoice', pt: 'não é uma nota fiscal' };
  throw new FiscalError('service.unreadable', { operation, status, reason });
}
