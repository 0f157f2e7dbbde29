import type { OperationId } from './operations.js';

/**
 * Fields that an answer must have to be what was asked for. Every entry is needed; of a nested list, one field is enough.
 * Everything else may be absent, of another type or unknown.
 */
export type NeededFields = readonly (string | readonly string[])[];

/** What a success of an operation must look like. Unknown fields and words pass; another shape does not. */
export type AnswerShape =
  | {
      readonly is: 'object';
      /** The field that wraps the resource, e.g. `company`. */
      readonly in?: string;
      readonly has: NeededFields;
      /** What may stand in its place: no body at all (202, 204), or a JSON string. */
      readonly or?: 'no-body' | 'text';
      /** Where no `companyId` stands, its own `id` is that of the company. */
      readonly owner?: 'id';
    }
  | {
      readonly is: 'list';
      /** The first of these fields that holds a list. */
      readonly in: readonly string[];
      /** What every row needs; absent: the reader of the list counts the rows that it cannot read. */
      readonly rows?: NeededFields;
    }
  /** The status says it all: the body is not read, and may be absent. It must not be a list of errors, though. */
  | { readonly is: 'accepted' }
  /** The bytes of a document. */
  | { readonly is: 'bytes' };

/** The two names of the company's id in settings: the document's and the published one. */
const settings: NeededFields = [
  ['companyId', 'id', 'status', 'isActive', 'environmentSEFAZ', 'startFromDate', 'rateLimitedUntil'],
];
const merchandise: NeededFields = [['id', 'status']];
const disablement: NeededFields = [['serie', 'beginNumber', 'lastNumber', 'status']];

const accepted = { is: 'accepted' } as const;
const bytes = { is: 'bytes' } as const;
const certificate: NeededFields = [['thumbprint', 'validUntil', 'subject']];

/** The shape of every operation's answer, beside the table of operations. The client checks it in one place. */
export const answerShapes = {
  'product.create': accepted,
  'product.get': { is: 'object', has: ['status'] },
  'product.update': accepted,
  'product.revalidate': { is: 'object', has: ['status'] },

  'nfe.manifestation.submit': accepted,
  'nfe.manifestation.get': { is: 'object', has: ['status'] },
  // The replaced route answers the outcome at once, in some deployments as a JSON string (published).
  'nfe.manifestation.legacy': { is: 'object', has: ['status'], or: 'text' },
  'nfse.manifestation.submit': accepted,
  'nfse.manifestation.list': { is: 'list', in: ['items'], rows: ['id'] },
  'nfse.manifestation.get': { is: 'object', has: ['status'] },

  'nfe.inbound.enable': { is: 'object', has: settings },
  'nfe.inbound.settings': { is: 'object', has: settings },
  'nfe.inbound.update': { is: 'object', has: settings },
  'nfe.inbound.disable': accepted,
  'nfe.inbound.list': { is: 'list', in: ['value', 'documents'] },
  'nfe.inbound.get': { is: 'object', has: ['accessKey'] },
  'nfe.inbound.xml': bytes,
  'nfe.inbound.pdf': bytes,
  'nfe.inbound.events': { is: 'list', in: ['value', 'documents'] },
  'nfe.inbound.event.xml': bytes,
  'nfe.inbound.reprocessWebhook': accepted,
  'cte.inbound.enable': { is: 'object', has: settings },
  'cte.inbound.settings': { is: 'object', has: settings },
  'cte.inbound.disable': accepted,
  'cte.inbound.list': { is: 'list', in: ['value', 'documents'] },
  'cte.inbound.get': { is: 'object', has: ['accessKey'] },
  'cte.inbound.xml': bytes,
  'cte.inbound.pdf': bytes,
  'cte.inbound.events': { is: 'list', in: ['value', 'documents'] },
  'cte.inbound.event.xml': bytes,
  'nfse.inbound.enable': { is: 'object', has: settings, owner: 'id' },
  'nfse.inbound.companies': { is: 'list', in: ['companies'], rows: [['companyId', 'id']] },
  'nfse.inbound.settings': { is: 'object', has: settings, owner: 'id' },
  'nfse.inbound.update': { is: 'object', has: settings, owner: 'id' },
  'nfse.inbound.disable': accepted,
  'nfse.inbound.list': { is: 'list', in: ['value', 'documents'] },
  'nfse.inbound.get': { is: 'object', has: [['accessKey', 'id']] },
  'nfse.inbound.xml': bytes,
  'nfse.inbound.pdf': bytes,
  // The document itself as JSON: its fields are not shown.
  'nfse.inbound.json': { is: 'object', has: [] },
  'nfse.inbound.reprocess': accepted,
  'nfse.inbound.resendWebhook': accepted,
  'nfse.fetchByKey': { is: 'object', has: [['accessKey', 'id']] },

  'nfse.startFromDate.set': accepted,
  'nfse.backfill.summary': { is: 'object', has: ['released', 'hiddenDocumentsCount'] },
  'nfse.backfill.release': accepted,
  'nfse.fetchNow': accepted,
  'nfse.notifications': { is: 'list', in: ['notifications'], rows: [['id', 'type', 'message', 'title']] },
  'nfse.statistics': {
    is: 'object',
    has: [['companyId', 'id', 'totalDocuments', 'documentsTotal', 'lastNsu', 'currentNsu']],
  },
  'nfse.reactivate': accepted,
  'nfse.resetNsu': accepted,

  'certificate.list': { is: 'list', in: ['certificates'], rows: certificate },
  'certificate.upload': { is: 'object', in: 'certificate', has: certificate },
  'certificate.delete': accepted,

  'invoice.create': accepted,
  'invoice.get': { is: 'object', has: [['id', 'status']] },
  'nfe.issue': accepted,
  'nfe.list': { is: 'list', in: ['productInvoices', 'consumerInvoices'], rows: ['id'] },
  'nfe.get': { is: 'object', has: merchandise },
  'nfe.cancel': accepted,
  'nfe.events': { is: 'list', in: ['events'], rows: [['type', 'sequence', 'data', 'description']] },
  'nfe.pdf': bytes,
  'nfe.xml': bytes,
  'nfe.correct': accepted,
  // Answered at once, and nothing lists it later: the answer is the only proof.
  'nfe.disable': { is: 'object', has: disablement, or: 'no-body' },
  'nfce.issue': accepted,
  'nfce.list': { is: 'list', in: ['productInvoices', 'consumerInvoices'], rows: ['id'] },
  'nfce.get': { is: 'object', has: merchandise },
  'nfce.cancel': accepted,
  'nfce.events': { is: 'list', in: ['events'], rows: [['type', 'sequence', 'data', 'description']] },
  'nfce.pdf': bytes,
  'nfce.xml': bytes,
  'nfce.disable': { is: 'object', has: disablement, or: 'no-body' },
  'nfse.issue': accepted,
  'nfse.list': { is: 'list', in: ['serviceInvoices'], rows: ['id'] },
  'nfse.get': { is: 'object', has: [['id', 'flowStatus', 'status']] },
  // Some deployments answer the list that the id leads to.
  'nfse.getByExternalId': { is: 'object', has: [['id', 'flowStatus', 'status', 'serviceInvoices']] },
  'nfse.cancel': accepted,
  'nfse.email': accepted,
  'nfse.pdf': bytes,
  'nfse.xml': bytes,

  'company.list': { is: 'list', in: ['companies'], rows: ['id'] },
  'company.get': { is: 'object', in: 'company', has: ['id'] },
  'company.create': accepted,
  'company.update': { is: 'object', in: 'company', has: ['id'], or: 'no-body' },
  'company.delete': accepted,

  'tax.calculate': { is: 'list', in: ['items'], rows: [] },
  'tax.codes': { is: 'list', in: ['items'], rows: [['code', 'description']] },

  // The document shows no field of these four: one that such a record can be known by is enough.
  'lookup.cnpj': {
    is: 'object',
    has: [['legalEntity', 'federalTaxNumber', 'name', 'tradeName', 'cnpj', 'razaoSocial', 'nome']],
  },
  'lookup.cpf': { is: 'object', has: [['name', 'federalTaxNumber', 'status', 'birthOn', 'cpf', 'nome']] },
  'lookup.address': { is: 'object', has: [['addresses', 'address', 'postalCode', 'cep']] },
  'lookup.nfe': {
    is: 'object',
    has: [['accessKey', 'currentStatus', 'protocol', 'issuer', 'number', 'issuedOn']],
  },
  'lookup.nfe.pdf': bytes,
  'lookup.nfe.xml': bytes,
  'lookup.nfe.events': { is: 'list', in: ['events'], rows: [['type', 'description', 'id', 'authorizedOn']] },

  'webhook.list': { is: 'list', in: ['webHooks'], rows: ['id'] },
  'webhook.create': { is: 'object', in: 'webHook', has: ['id'] },
  'webhook.get': { is: 'object', in: 'webHook', has: ['id'] },
  'webhook.update': { is: 'object', in: 'webHook', has: ['id'], or: 'no-body' },
  'webhook.delete': accepted,
  'webhook.ping': accepted,
  'webhook.eventTypes': { is: 'list', in: ['eventTypes'], rows: ['id'] },
} as const satisfies Record<OperationId, AnswerShape>;

/** The operations whose answer is a list. */
export type ListOperationId = {
  [Id in OperationId]: (typeof answerShapes)[Id] extends { readonly is: 'list' } ? Id : never;
}[OperationId];
