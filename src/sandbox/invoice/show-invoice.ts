import type { Invoice, IssuedEvent, MerchandiseInvoice } from '../../contract/invoice.js';
import type { ServiceInvoice } from '../../contract/invoice-service.js';
import { Refusal } from '../core/refusal.js';
import type { StoredIssuedEvent } from './invoice-events.js';
import { textOf } from './issue.js';
import type { StoredInvoice } from './invoices.js';

/** An NF-e or NFC-e as it is read: what was sent, and over it what the service knows. Absent fields have no value. */
export function showMerchandise(invoice: StoredInvoice): MerchandiseInvoice {
  return {
    ...invoice.content,
    id: invoice.id,
    ...given('externalId', invoice.externalId),
    status: invoice.status,
    environment: invoice.environment,
    ...given('serie', invoice.serie),
    ...given('number', invoice.number),
    totals: { icms: { invoiceAmount: invoice.totalAmount } },
    ...authorizationOf(invoice),
    ...given('errorCode', invoice.errorCode),
    ...given('errorMessage', invoice.errorMessage),
    ...timesOf(invoice),
  };
}

/** Status of the invoice beside that of its flow (public). */
const serviceStatuses: Readonly<Record<string, string>> = {
  Issued: 'Issued',
  IssueFailed: 'Error',
  Cancelled: 'Cancelled',
  CancelFailed: 'Issued',
  WaitingSendCancel: 'Issued',
};

export function showService(invoice: StoredInvoice): ServiceInvoice {
  const { accessKey, number, errorCode, errorMessage, content } = invoice;
  return {
    ...content,
    id: invoice.id,
    ...given('externalId', invoice.externalId),
    environment: invoice.environment,
    flowStatus: invoice.status,
    ...(errorMessage === null ? {} : { flowMessage: [errorCode, errorMessage].filter(Boolean).join(': ') }),
    status: serviceStatuses[invoice.status] ?? 'Created',
    ...given('number', number),
    ...given('accessKey', accessKey),
    ...given('checkCode', accessKey === null ? null : accessKey.slice(-9)),
    rpsSerialNumber: textOf(content['rpsSerialNumber']) ?? '1',
    // The town's number is taken for that of the RPS when the body had none.
    ...given('rpsNumber', content['rpsNumber'] ?? number),
    ...timesOf(invoice),
  };
}

/** The short way; every name beside `id` is assumed. */
export function showGeneral(invoice: StoredInvoice): Invoice {
  return {
    ...invoice.content,
    id: invoice.id,
    status: invoice.status,
    ...given('numero', invoice.number),
    ...given('chaveAcesso', invoice.accessKey),
    ...given('protocolo', invoice.protocol),
    valorTotal: invoice.totalAmount,
    ...given('errorCode', invoice.errorCode),
    ...given('errorMessage', invoice.errorMessage),
    ...timesOf(invoice),
  };
}

const eventNames = {
  Cancellation: 'Cancelamento',
  CorrectionLetter: 'Carta de Correção',
} as const;

export function showIssuedEvent(event: StoredIssuedEvent): IssuedEvent {
  return {
    type: event.type,
    sequence: event.sequence,
    description: eventNames[event.type],
    status: event.status,
    ...given('protocol', event.protocol),
    ...given('reason', event.reason),
    ...given('errorCode', event.errorCode),
    ...given('errorMessage', event.errorMessage),
    createdOn: isoOf(event.createdAt),
  };
}

function authorizationOf({ accessKey, protocol, issuedAt }: StoredInvoice): object {
  if (accessKey === null || issuedAt === null) return {};
  const authorization = { accessKey, ...given('protocol', protocol), receiptOn: isoOf(issuedAt) };
  return { authorization: { ...authorization, message: 'Autorizado o uso' } };
}

function timesOf({ createdAt, modifiedAt, issuedAt, cancelledAt }: StoredInvoice): object {
  return {
    createdOn: isoOf(createdAt),
    modifiedOn: isoOf(modifiedAt),
    ...given('issuedOn', issuedAt === null ? null : isoOf(issuedAt)),
    ...given('cancelledOn', cancelledAt === null ? null : isoOf(cancelledAt)),
  };
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}

function given(name: string, value: unknown): object {
  return value === null || value === undefined ? {} : { [name]: value };
}

/** An invoice of this kind and company; one of another company is not there. */
export function requireInvoice(
  invoice: StoredInvoice | undefined,
  { companyId, kind }: Pick<StoredInvoice, 'companyId' | 'kind'>,
): StoredInvoice {
  if (invoice?.companyId === companyId && invoice.kind === kind) return invoice;
  throw new Refusal('not_found', 'There is no invoice with this id.');
}
