import type { Answer, CallInput } from '../../client/client.js';
import type { InvoiceInput } from '../../contract/invoice.js';
import { SETTLE_MS } from '../../domain/settle-time.js';
import type { FiscalError } from '../../errors/fiscal-error.js';
import {
  type JobKind,
  type JobRequest,
  type KindFacts,
  type Observation,
  runnable,
  type RunnableKind,
} from '../kind.js';
import { textField } from './answer-fields.js';
import { isAbout, observeCreated, observeInvoice, observeOthers, observeTaken } from './invoice-answer.js';
import { findBefore, matchesContent } from './invoice-first-look.js';
import type { InvoiceModel, IssueItem, MerchandiseItem, ServiceItem } from './invoice-items.js';
import { findByExternalId, findMerchandise } from './invoice-lookup.js';
import type { ItemRow } from '../../store/store.js';

/**
 * NF-e and NFC-e differ only by path. The service does not refuse a repeated externalId, so the list is read before a
 * repeat.
 */
const merchandise = {
  replay: 'unsafe',
  onceOnly: true,
  rejectedStays: true,
  settleMs: SETTLE_MS,
  billed: ({ invoice }: MerchandiseItem) => usesTaxEngine(invoice),
  submitInput: merchandiseCall,
  otherRequest: belowStateTax,
  pollInput: ({ companyId }: MerchandiseItem, item: ItemRow) => ({
    path: { companyId, invoiceId: item.resourceId ?? '' },
  }),
  observeSubmit: observeTaken,
  observePoll: observeRead,
  lookup: findMerchandise,
  findBefore,
  matchesContent,
} as const;

const nfeIssue: JobKind<MerchandiseItem, 'nfe.issue', 'nfe.get', StateTaxIssue> = {
  ...merchandise,
  name: 'nfe-issue',
  submit: 'nfe.issue',
  poll: 'nfe.get',
};

const nfceIssue: JobKind<MerchandiseItem, 'nfce.issue', 'nfce.get', StateTaxIssue> = {
  ...merchandise,
  name: 'nfce-issue',
  submit: 'nfce.issue',
  poll: 'nfce.get',
};

/** NFS-e: the service finds invoices by externalId and refuses a repeated one (operations.md). */
const nfseIssue: JobKind<ServiceItem, 'nfse.issue', 'nfse.get'> = {
  name: 'nfse-issue',
  submit: 'nfse.issue',
  poll: 'nfse.get',
  replay: 'unsafe',
  onceOnly: true,
  rejectedStays: true,
  settleMs: SETTLE_MS,
  billed: () => false,
  submitInput: serviceCall,
  pollInput: ({ companyId }, item) => ({ path: { companyId, id: item.resourceId ?? '' } }),
  observeSubmit: observeTaken,
  observePoll: observeRead,
  isDuplicate: isRepeatedExternalId,
  lookup: findByExternalId,
  findBefore,
};

export const issueKinds: readonly RunnableKind[] = [runnable(nfeIssue), runnable(nfceIssue), runnable(nfseIssue)];

/** What an issue job stores about itself. */
export function issueFacts(model: InvoiceModel): KindFacts<IssueItem> {
  return {
    name: `${model}-issue`,
    submit: `${model}.issue`,
    onceOnly: true,
    billed: ({ invoice }) => model !== 'nfse' && usesTaxEngine(invoice),
  };
}

/** An item with `taxDetermination` is calculated by the tax engine, which is billed (§1). */
export function usesTaxEngine(invoice: { readonly [field: string]: unknown }): boolean {
  const { items } = invoice;
  return Array.isArray(items) && items.some((item: unknown) => hasField(item, 'taxDetermination'));
}

export function merchandiseCall({ companyId, invoice }: MerchandiseItem): CallInput<'nfe.issue' | 'nfce.issue'> {
  return { path: { companyId }, body: invoice };
}

type StateTaxIssue = 'nfe.stateTax.issue' | 'nfce.stateTax.issue';

/** The request of an item that names its state registration. */
export function belowStateTax({
  model,
  companyId,
  stateTaxId,
  invoice,
}: MerchandiseItem): JobRequest<StateTaxIssue> | undefined {
  if (stateTaxId === undefined) return undefined;
  const path = { companyId, stateTaxId };
  return { operation: `${model}.stateTax.issue`, input: { path, body: invoice } };
}

export function serviceCall({ companyId, invoice }: ServiceItem): CallInput<'nfse.issue'> {
  return { path: { companyId }, body: invoice };
}

function observeRead({ body }: Answer<unknown>, item: IssueItem, { lookup }: Pick<ItemRow, 'lookup'>): Observation {
  if (isElsewhere(body, item))
    return { state: 'uncertain', errorCode: 'outcome.unknown', reason: { is: 'other-environment' } };
  if (isAbout(body, item.externalId)) return lookup === 'found' ? observeOthers(body) : observeInvoice(body);
  return { state: 'uncertain', reason: { is: 'another-invoice' } };
}

/** True when it stands in the other environment than the one that was asked for and could not be sent. */
function isElsewhere(body: unknown, item: IssueItem): boolean {
  if (item.model === 'nfse' || item.environment === undefined) return false;
  const shown = (textField(body, 'environmentType') ?? textField(body, 'environment') ?? '').toLowerCase();
  return ['production', 'test'].includes(shown) && shown !== item.environment.toLowerCase();
}

/** A repeated externalId returns 400 (operations.md), and so does an invalid one; the lookup distinguishes them. */
function isRepeatedExternalId(error: FiscalError): boolean {
  const { httpStatus, details = [], said = '' } = error.facts;
  if (httpStatus !== 400 && httpStatus !== 422) return false;
  const isNamed = details.some(({ field }) => /^(?:\$\.|\/)?external_?id$/i.test(field));
  return isNamed || /external[ _]?id/i.test(said);
}

function hasField(value: unknown, name: string): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([key, field]) => key === name && field !== null)
  );
}

/** The input of an `invoice` item. */
export interface GeneralInvoiceItem {
  readonly invoice: InvoiceInput;
}

/**
 * The general endpoint (§4). The item's `Idempotency-Key` is stored before sending. No endpoint lists these invoices
 * and the service does not promise to honour the key, so an unknown outcome is left to a person (docs/decisions/0011).
 */
export const generalInvoice: JobKind<GeneralInvoiceItem, 'invoice.create', 'invoice.get'> = {
  name: 'invoice',
  submit: 'invoice.create',
  poll: 'invoice.get',
  replay: 'keyed',
  onceOnly: true,
  rejectedStays: true,
  billed: () => false,
  submitInput: ({ invoice }, item) => ({ path: {}, body: invoice, idempotencyKey: item.idempotencyKey }),
  pollInput: (_input, item) => ({ path: { id: item.resourceId ?? '' } }),
  observeSubmit: observeCreated,
  observePoll: (answer) => observeInvoice(answer.body),
};
