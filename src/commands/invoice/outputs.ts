import { each, fromService, list, listOf, one, type Outputs, record, usual } from '../../presenters/record.js';
import { batch, bytes, party, syncRecords } from '../shared-records.js';

/** Of `list --local`: what became of its files. */
const archive = record('state', 'path sha256 signature reason bytes');

const buyer = fromService({}, {}, { ...party.properties, ...party.seen });

const authorization = fromService({}, {}, usual('accessKey protocol message receiptOn'));

const item = fromService(
  {},
  {},
  {
    ...usual('code description quantity unitAmount totalAmount'),
    ...each('text', 'unit: unidade'),
    ...each(fromService(), 'tax: tributo'),
  },
);

/** An invoice as the service has it: its fields are those of its model. */
const invoice = fromService(
  {
    ...usual(`id externalId model operationType environment errorCode description accessKey status
    errorMessage serie number servicesAmount createdOn modifiedOn issuedOn operationNature`),
    ...each('text', 'flowMessage, checkCode'),
    ...each('state', 'flowStatus: status | situação'),
    ...each(archive, 'archive: files are in | arquivos em'),
    ...each(buyer, 'buyer: destinatário, borrower'),
    ...each(fromService(), 'totals: totais'),
    ...each(authorization, 'authorization: autorização'),
    ...each(listOf(item), 'items: itens'),
    ...each(listOf(fromService()), 'payment: pagamento'),
    ...each('time', 'cancelledOn'),
  },
  {},
  {
    ...usual('rpsSerialNumber'),
    ...each(
      'text',
      'rpsNumber: RPS number | número do RPS, buyer.name: buyer | destinatário, borrower.name: taker | tomador',
    ),
  },
);

/** What became of a request to issue; with --sample, an invoice to fill in. */
const issued = one({
  sample: fromService({
    ...usual('type'),
    ...each(
      'anything',
      `cliente, itens, operationNature: nature of the operation | natureza da operação, items: itens,
    cityServiceCode, borrower`,
    ),
  }),
  invoice: record('id jobId', 'status externalId lookup accessKey protocol serie number'),
});

/** What became of a request to change an invoice. */
const changedInvoice = record('id jobId status state', 'message');
const changed = one({ invoice: changedInvoice });

/** Of one invoice, or of numbers. */
const disabled = one({
  invoice: changedInvoice,
  disablement: record(
    {
      ...usual('environment jobId state reason serie'),
      ...each('count', 'beginNumber: first number | número inicial, lastNumber: número final'),
    },
    'protocol status',
  ),
});

const imported = batch(usual('externalId invoiceId'));

const events = list({
  invoice: fromService('type description status protocol reason errorMessage createdOn sequence'),
});

export const outputs: Outputs = {
  'invoice apply': imported,
  'invoice cancel': changed,
  'invoice correct': changed,
  'invoice disable': disabled,
  'invoice email': one({ invoice: fromService('id message accepted') }),
  'invoice events': events,
  'invoice get': one({ invoice }),
  'invoice issue': issued,
  'invoice list': list({ invoice }),
  'invoice pdf': bytes('invoice'),
  'invoice sync': syncRecords,
  'invoice xml': bytes('invoice'),
};
