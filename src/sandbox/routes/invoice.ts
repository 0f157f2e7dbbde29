import { type OperationId, operations } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import { Refusal, unacceptable } from '../core/refusal.js';
import { digestOf, type StoredInvoice } from '../invoice/invoices.js';
import { readGeneral } from '../invoice/read-invoice.js';
import { showGeneral } from '../invoice/show-invoice.js';
import { type Call, type HandlersOf, inBackground, type Reply } from './handler.js';
import { type IssueService, startIssue } from '../invoice/issue.js';

type InvoiceService = Pick<Core, 'account' | 'idempotencyKeys' | 'invoices' | 'mode'> & IssueService;

/** The short way (§4): one path for an invoice, which the account's own company issues (assumed). */
export const invoiceHandlers: HandlersOf<Extract<OperationId, `invoice.${string}`>> = {
  'invoice.create': create,
  'invoice.get': get,
};

/** Where keys are honoured, the same one with the same body answers the same invoice and does nothing; with another body 422 (assumed). */
function create(core: InvoiceService, call: Call<'invoice.create'>): Reply {
  const { tenantId } = call.caller;
  const read = readGeneral(call.body);
  const key = core.mode.get().idempotencyKeys === 'honoured' ? call.idempotencyKey : undefined;
  const digest = digestOf(call.body);
  const known = key === undefined ? undefined : core.idempotencyKeys.find(tenantId, key);
  if (known !== undefined && known.digest !== digest) {
    throw unacceptable('Idempotency-Key', 'This key was used for another invoice.');
  }
  if (known !== undefined) return accepted(call, find(core, tenantId, known.invoiceId));
  const { companyId } = core.account;
  const invoice = startIssue(core, { ...read, tenantId, companyId, kind: 'general' });
  if (key !== undefined) core.idempotencyKeys.keep(tenantId, key, { digest, invoiceId: invoice.id });
  return { ...accepted(call, invoice), effect: { issued: 'invoice', id: invoice.id } };
}

/** §4: 202, for the processing is asynchronous. */
function accepted({ origin }: Call<'invoice.create'>, invoice: StoredInvoice): Reply {
  const location = origin + operations['invoice.get'].path.replace('{id}', invoice.id);
  const { id, status, companyId } = invoice;
  const body = { id, status, documentId: id, companyId, message: inBackground };
  return { status: 202, headers: { location }, body };
}

function get(core: InvoiceService, call: Call<'invoice.get'>): Reply {
  return { status: 200, body: showGeneral(find(core, call.caller.tenantId, call.path.id)) };
}

function find(core: InvoiceService, tenantId: string, id: string): StoredInvoice {
  const invoice = core.invoices.get(id);
  if (invoice?.tenantId === tenantId && invoice.kind === 'general') return invoice;
  throw new Refusal('not_found', 'There is no invoice with this id.');
}
