import type { BytesAnswer } from './inbound.js';
import type {
  ConsumerInvoiceList,
  CorrectionInput,
  Disablement,
  DisablementInput,
  Invoice,
  InvoiceChangeAccepted,
  InvoiceInput,
  IssuedEvents,
  MerchandiseInvoice,
  MerchandiseInvoiceInput,
  ProductInvoiceList,
} from './invoice.js';
import type { ServiceInvoice, ServiceInvoiceInput, ServiceInvoicePage } from './invoice-service.js';

interface Read<Response> {
  request: undefined;
  response: Response;
}

interface Send<Request, Response> {
  request: Request;
  response: Response;
}

/** The bodies of the issuance operations. */
export interface InvoiceBodies {
  'invoice.create': Send<InvoiceInput, Invoice>;
  'invoice.get': Read<Invoice>;
  'nfe.issue': Send<MerchandiseInvoiceInput, MerchandiseInvoice>;
  'nfe.stateTax.issue': Send<MerchandiseInvoiceInput, MerchandiseInvoice>;
  'nfe.list': Read<ProductInvoiceList>;
  'nfe.get': Read<MerchandiseInvoice>;
  'nfe.cancel': Read<InvoiceChangeAccepted | undefined>;
  'nfe.events': Read<IssuedEvents>;
  'nfe.pdf': Read<BytesAnswer>;
  'nfe.xml': Read<BytesAnswer>;
  'nfe.correct': Send<CorrectionInput, InvoiceChangeAccepted | undefined>;
  'nfe.letter.xml': Read<BytesAnswer>;
  'nfe.letter.pdf': Read<BytesAnswer>;
  'nfe.rejection.xml': Read<BytesAnswer>;
  'nfe.disable': Send<DisablementInput, Disablement | undefined>;
  'nfe.disableInvoice': Read<InvoiceChangeAccepted | undefined>;
  'nfce.issue': Send<MerchandiseInvoiceInput, MerchandiseInvoice>;
  'nfce.stateTax.issue': Send<MerchandiseInvoiceInput, MerchandiseInvoice>;
  'nfce.list': Read<ConsumerInvoiceList>;
  'nfce.get': Read<MerchandiseInvoice>;
  'nfce.cancel': Read<InvoiceChangeAccepted | undefined>;
  'nfce.events': Read<IssuedEvents>;
  'nfce.pdf': Read<BytesAnswer>;
  'nfce.xml': Read<BytesAnswer>;
  'nfce.rejection.xml': Read<BytesAnswer>;
  'nfce.disable': Send<DisablementInput, Disablement | undefined>;
  'nfse.issue': Send<ServiceInvoiceInput, ServiceInvoice>;
  'nfse.list': Read<ServiceInvoicePage>;
  'nfse.get': Read<ServiceInvoice>;
  'nfse.getByExternalId': Read<ServiceInvoice>;
  'nfse.cancel': Read<ServiceInvoice | undefined>;
  'nfse.email': Read<undefined>;
  'nfse.pdf': Read<BytesAnswer>;
  'nfse.xml': Read<BytesAnswer>;
  'nfse.cancellation.xml': Read<BytesAnswer>;
}

/** The operations that answer with the bytes of an issued invoice. */
export type IssuedByteOperationId = {
  [Id in keyof InvoiceBodies]: InvoiceBodies[Id]['response'] extends BytesAnswer
    ? Uint8Array extends InvoiceBodies[Id]['response']
      ? Id
      : never
    : never;
}[keyof InvoiceBodies];
