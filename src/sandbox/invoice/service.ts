import { type OperationId, operations } from '../../contract/operations.js';
import { companyOf, requireCompany } from '../company/find-company.js';
import type { Core } from '../core/core.js';
import { isRecord, textOf } from '../core/exact-json.js';
import { Refusal, invalid, unacceptable } from '../core/refusal.js';
import { type Call, type HandlersOf, type Reply, inBackground } from '../http/handler.js';
import { startCancellation } from './change.js';
import { type StoredInvoice, digestOf } from './invoices.js';
import { startIssue } from './issue.js';
import { answerIssuedBytes } from './issued-bytes.js';
import { issuedEffect } from './merchandise.js';
import { readGeneral, readService } from './read-invoice.js';
import { pageList, requireInvoice, showGeneral, showService } from './show-invoice.js';

/** The short form (§4): one path; the account's company issues the invoice (assumed). */
export const invoiceHandlers: HandlersOf<Extract<OperationId, `invoice.${string}`>> = {
  'invoice.create': create,
  'invoice.get': get,
};

/**
 * If keys are honoured, a repeat with the same body gets the same invoice and has no effect; with another body 422
 * (assumed).
 */
function create(core: Core, call: Call<'invoice.create'>): Reply {
  const { tenantId } = call.caller;
  const read = readGeneral(call.body);
  const key = core.mode.get().idempotencyKeys === 'honoured' ? call.idempotencyKey : undefined;
  const digest = digestOf(call.body);
  const known = key === undefined ? undefined : core.idempotencyKeys.get(`${tenantId}:${key}`);
  if (known !== undefined && known.digest !== digest) {
    throw unacceptable('Idempotency-Key', 'This key was used for another invoice.');
  }
  if (known !== undefined) return accepted(call, find(core, tenantId, known.invoiceId));
  const { companyId } = core.account;
  const invoice = startIssue(core, { ...read, tenantId, companyId, kind: 'general' });
  if (key !== undefined) core.idempotencyKeys.put({ tenantId, key, digest, invoiceId: invoice.id });
  return { ...accepted(call, invoice), effect: { issued: 'invoice', id: invoice.id } };
}

/** §4: 202, because the processing is asynchronous. */
function accepted({ origin }: Call<'invoice.create'>, invoice: StoredInvoice): Reply {
  const location = origin + operations['invoice.get'].path.replace('{id}', invoice.id);
  const { id, status, companyId } = invoice;
  const body = { id, status, documentId: id, companyId, message: inBackground };
  return { status: 202, headers: { location }, body };
}

function get(core: Core, call: Call<'invoice.get'>): Reply {
  return { status: 200, body: showGeneral(find(core, call.caller.tenantId, call.path.id)) };
}

function find(core: Core, tenantId: string, id: string): StoredInvoice {
  const invoice = core.invoices.get(id);
  if (invoice?.tenantId === tenantId && invoice.kind === 'general') return invoice;
  throw new Refusal('not_found', 'There is no invoice with this id.');
}

type Verb = 'cancellation.xml' | 'issue' | 'list' | 'get' | 'getByExternalId' | 'cancel' | 'email' | 'pdf' | 'xml';
type ServiceOperation = Extract<OperationId, `nfse.${Verb}`>;
type OneOperation = Exclude<ServiceOperation, 'nfse.issue' | 'nfse.list' | 'nfse.getByExternalId'>;

/** NFS-e by RPS or DPS (public). */
export const serviceInvoiceHandlers: HandlersOf<ServiceOperation> = {
  'nfse.issue': issue,
  'nfse.list': list,
  'nfse.get': (core, call) => ({ status: 200, body: showService(invoiceOf(core, call)) }),
  'nfse.getByExternalId': getByExternalId,
  'nfse.cancel': cancel,
  'nfse.email': email,
  'nfse.pdf': bytes,
  'nfse.xml': bytes,
  'nfse.cancellation.xml': bytes,
};

function invoiceOf(core: Core, call: Call<OneOperation>): StoredInvoice {
  const companyId = companyOf(core, call);
  return requireInvoice(core.invoices.get(call.path.id), { companyId, kind: 'nfse' });
}

/** If external ids are unique, a repeated id gets a 400, whatever the outcome of the first (public). */
function issue(core: Core, call: Call<'nfse.issue'>): Reply {
  const { tenantId } = call.caller;
  const companyId = requireCompany(core, tenantId, call.path.companyId);
  const read = readService(call.body);
  const externalId = textOf(read.content['externalId']);
  const isUnique = core.mode.get().externalIds === 'unique';
  if (isUnique && externalId !== null && core.invoices.byExternalId(companyId, 'nfse', externalId) !== undefined) {
    throw invalid('externalId', 'Already exists.');
  }
  const invoice = startIssue(core, { ...read, tenantId, companyId, kind: 'nfse' });
  return {
    status: 202,
    headers: { location: locationOf(call, invoice) },
    body: { ...showService(invoice), documentId: invoice.id, companyId, message: inBackground },
    effect: issuedEffect(invoice),
  };
}

function locationOf({ origin }: Call<'nfse.issue' | 'nfse.cancel'>, { companyId, id }: StoredInvoice): string {
  const { path } = operations['nfse.get'];
  return origin + path.replace('{companyId}', companyId).replace('{id}', id);
}

function list(core: Core, call: Call<'nfse.list'>): Reply {
  const companyId = companyOf(core, call);
  return { status: 200, body: pageList(core, call.query, companyId) };
}

/** Seen live: a list, which is empty when there is no such invoice. The description shows the bare invoice and 404. */
function getByExternalId(core: Core, call: Call<'nfse.getByExternalId'>): Reply {
  const companyId = companyOf(core, call);
  const invoice = core.invoices.byExternalId(companyId, 'nfse', call.path.externalId);
  return { status: 200, body: { serviceInvoices: invoice === undefined ? [] : [showService(invoice)], page: 1 } };
}

/** Seen live: 202 with the address of the invoice, which is cancelled later. */
function cancel(core: Core, call: Call<'nfse.cancel'>): Reply {
  const invoice = invoiceOf(core, call);
  startCancellation(core, invoice, call.query.get('reason') ?? undefined);
  return {
    status: 202,
    headers: { location: locationOf(call, invoice) },
    body: {
      ...showService({ ...invoice, status: 'WaitingSendCancel' }),
      ...{ documentId: invoice.id, companyId: invoice.companyId, message: inBackground },
    },
    effect: { requested: 'nfse-cancellation', id: invoice.id },
  };
}

/** Requires an issued invoice and a taker with an e-mail address. Every call sends another e-mail. The answer is a JSON string (published). */
function email(core: Core, call: Call<'nfse.email'>): Reply {
  const { id, content, accessKey, status } = invoiceOf(core, call);
  if (accessKey === null) throw new Refusal('conflict', `The invoice is ${status} and cannot be sent.`);
  const borrower = content['borrower'];
  if (!isRecord(borrower) || textOf(borrower['email']) === null) {
    throw invalid('borrower.email', 'The taker has no e-mail address.');
  }
  return { status: 200, body: 'The e-mail is being sent.', effect: { sent: 'nfse-email', id } };
}

function bytes(core: Core, call: Call<'nfse.pdf' | 'nfse.xml' | 'nfse.cancellation.xml'>): Reply {
  const { id } = invoiceOf(core, call);
  return answerIssuedBytes(core, { operation: call.operation, companyId: call.path.companyId, name: id });
}
