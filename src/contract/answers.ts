import type { OperationId } from './operations.js';

/**
 * Fields that a valid answer must have. Every entry is required; of a nested list, one field is enough. Other fields
 * may be absent, unknown or of another type.
 */
export type NeededFields = readonly (string | readonly string[])[];

/** The shape of a successful answer. Unknown fields and values pass; another shape does not. */
export type AnswerShape =
  | {
      readonly is: 'object';
      /** The field that wraps the resource, e.g. `company`. */
      readonly in?: string;
      readonly has: NeededFields;
      /** The resource may come without its wrapper. */
      readonly orBare?: true;
      /** What may replace it: no body at all (202, 204), or a JSON string. */
      readonly or?: 'no-body' | 'text';
      /** The field of a list that may come instead, with the resource as its row. */
      readonly orList?: string;
      /** Without `companyId`, the `id` of the object is that of the company. */
      readonly owner?: 'id';
    }
  | {
      readonly is: 'list';
      /**
       * The first of these fields that contains a list. A bare array, or a list in `value` or `items`, is read as if it
       * had come in the first of them; `null` in place of the rows is an empty list. A list that is absent is none.
       */
      readonly in: readonly string[];
      /** Required fields of each row; absent: the reader of the list counts the rows that it cannot read. */
      readonly rows?: NeededFields;
      /** Published as a bare array, so an empty one is an empty list. */
      readonly bare?: true;
      /** A month is closed by what it lacks: `null` is an empty list only beside a count of 0. */
      readonly proves?: true;
      /** Published with the wrapper of a single row, which may come instead. */
      readonly orOne?: string;
    }
  /** The status is enough: the body is ignored and may be absent, but must not be a list of errors. */
  | { readonly is: 'accepted' }
  /** The bytes of a document. */
  | { readonly is: 'bytes'; readonly form: 'xml' | 'pdf' };

/** `companyId` is the name in the service document, `id` the published one. */
const settings: NeededFields = [
  ['companyId', 'id', 'status', 'isActive', 'environmentSEFAZ', 'startFromDate', 'rateLimitedUntil'],
];
const merchandise: NeededFields = [['id', 'status']];
const disablement: NeededFields = [['serie', 'beginNumber', 'lastNumber', 'status']];

const accepted = { is: 'accepted' } as const;
const xml = { is: 'bytes', form: 'xml' } as const;
const pdf = { is: 'bytes', form: 'pdf' } as const;
const certificate: NeededFields = [['thumbprint', 'validUntil', 'subject']];

/** The shape of the answer of each operation. The client checks it in one place. */
export const answerShapes = {
  'product.create': accepted,
  'product.get': { is: 'object', has: [['status', 'sku', 'description', 'customTax']] },
  'product.update': accepted,
  'product.revalidate': { is: 'object', has: ['status'] },

  'nfe.manifestation.submit': accepted,
  'nfe.manifestation.get': { is: 'object', has: ['status'] },
  // Published as a JSON string, which does not tell the outcome; an object tells it.
  'nfe.manifestation.legacy': { is: 'object', has: ['status'], or: 'text' },
  'nfse.manifestation.submit': accepted,
  'nfse.manifestation.list': { is: 'list', in: ['items'], rows: ['id'] },
  'nfse.manifestation.get': { is: 'object', has: ['status'] },

  'nfe.inbound.enable': { is: 'object', has: settings },
  'nfe.inbound.settings': { is: 'object', has: settings },
  'nfe.inbound.update': { is: 'object', has: settings },
  'nfe.inbound.disable': accepted,
  'nfe.inbound.list': { is: 'list', in: ['value', 'documents', 'productInvoices'], bare: true, proves: true },
  'nfe.inbound.get': { is: 'object', has: ['accessKey'] },
  'nfe.inbound.xml': xml,
  'nfe.inbound.pdf': pdf,
  // The NF-e as JSON; its fields are not documented.
  'nfe.inbound.json': { is: 'object', has: [] },
  'nfe.inbound.events': { is: 'list', in: ['value', 'documents', 'events'], bare: true, proves: true },
  'nfe.inbound.event.get': { is: 'object', has: [['accessKey', 'eventKey', 'id', 'type']] },
  'nfe.inbound.event.xml': xml,
  'nfe.inbound.reprocessWebhook': accepted,
  'cte.inbound.enable': { is: 'object', has: settings },
  'cte.inbound.settings': { is: 'object', has: settings },
  'cte.inbound.disable': accepted,
  'cte.inbound.list': { is: 'list', in: ['value', 'documents', 'transportationInvoices'], bare: true, proves: true },
  'cte.inbound.get': { is: 'object', has: ['accessKey'] },
  'cte.inbound.xml': xml,
  'cte.inbound.pdf': pdf,
  'cte.inbound.events': { is: 'list', in: ['value', 'documents', 'events'], bare: true, proves: true },
  'cte.inbound.event.get': { is: 'object', has: [['accessKey', 'eventKey', 'id', 'type']] },
  'cte.inbound.event.xml': xml,
  'nfse.inbound.enable': { is: 'object', has: settings, owner: 'id' },
  'nfse.inbound.companies': { is: 'list', in: ['companies'], rows: [['companyId', 'id']] },
  'nfse.inbound.settings': { is: 'object', has: settings, owner: 'id' },
  'nfse.inbound.update': { is: 'object', has: settings, owner: 'id' },
  'nfse.inbound.disable': accepted,
  'nfse.inbound.list': { is: 'list', in: ['value', 'documents'], proves: true },
  'nfse.inbound.get': { is: 'object', has: [['accessKey', 'id']] },
  'nfse.inbound.xml': xml,
  'nfse.inbound.pdf': pdf,
  // The NFS-e as JSON; its fields are not documented.
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
  'certificate.get': { is: 'object', in: 'certificate', orBare: true, has: certificate },
  'certificate.upload': { is: 'object', in: 'certificate', orBare: true, has: certificate },
  'certificate.delete': accepted,

  'invoice.create': accepted,
  'invoice.get': { is: 'object', has: [['id', 'status']] },
  'nfe.issue': accepted,
  'nfe.stateTax.issue': accepted,
  'nfe.list': { is: 'list', in: ['productInvoices', 'consumerInvoices'], rows: ['id'] },
  'nfe.get': { is: 'object', has: merchandise },
  'nfe.cancel': accepted,
  'nfe.events': { is: 'list', in: ['events'], rows: [['type', 'sequence', 'data', 'description']] },
  'nfe.pdf': pdf,
  'nfe.xml': xml,
  'nfe.letter.xml': xml,
  'nfe.letter.pdf': pdf,
  'nfe.correct': accepted,
  'nfe.rejection.xml': xml,
  // The service answers at once and lists it nowhere: the answer is the only proof.
  'nfe.disable': { is: 'object', has: disablement, or: 'no-body' },
  'nfe.disableInvoice': accepted,
  'nfce.issue': accepted,
  'nfce.stateTax.issue': accepted,
  'nfce.list': { is: 'list', in: ['productInvoices', 'consumerInvoices'], rows: ['id'] },
  'nfce.get': { is: 'object', has: merchandise },
  'nfce.cancel': accepted,
  'nfce.events': { is: 'list', in: ['events'], rows: [['type', 'sequence', 'data', 'description']] },
  'nfce.pdf': pdf,
  'nfce.xml': xml,
  'nfce.rejection.xml': xml,
  'nfce.disable': { is: 'object', has: disablement, or: 'no-body' },
  'nfse.issue': accepted,
  'nfse.list': { is: 'list', in: ['serviceInvoices'], rows: ['id'] },
  'nfse.get': { is: 'object', has: [['id', 'flowStatus', 'status']] },
  // Described as the invoice itself, seen as a list that is empty for an unknown id (published).
  'nfse.getByExternalId': {
    is: 'object',
    has: [['id', 'flowStatus', 'status', 'serviceInvoices']],
    orList: 'serviceInvoices',
  },
  'nfse.cancel': accepted,
  'nfse.email': accepted,
  'nfse.pdf': pdf,
  'nfse.xml': xml,
  'nfse.cancellation.xml': xml,

  'company.list': { is: 'list', in: ['companies'], rows: ['id'] },
  'company.get': { is: 'object', in: 'company', orBare: true, has: ['id'] },
  'company.create': accepted,
  'company.update': { is: 'object', in: 'company', orBare: true, has: ['id'], or: 'no-body' },
  'company.delete': accepted,

  'stateTax.list': { is: 'list', in: ['stateTaxes'], rows: ['id'] },
  'stateTax.get': { is: 'object', in: 'stateTax', has: ['id'] },
  'stateTax.create': { is: 'object', in: 'stateTax', has: ['id'], or: 'no-body' },
  'stateTax.update': { is: 'object', in: 'stateTax', has: ['id'], or: 'no-body' },
  'municipalTax.list': { is: 'list', in: ['municipalTaxes'], rows: ['id'], orOne: 'municipalTax' },
  'municipalTax.get': { is: 'object', in: 'municipalTax', has: ['id'] },
  'municipalTax.create': { is: 'object', in: 'municipalTax', has: ['id'], or: 'no-body' },
  'municipalTax.update': { is: 'object', in: 'municipalTax', has: ['id'], or: 'no-body' },
  'stateTax.switchAuthorizer': { is: 'object', has: [['toAuthorizer', 'fromAuthorizer', 'modifiedOn']], or: 'no-body' },

  'tax.calculate': { is: 'list', in: ['items'], rows: [] },
  'tax.codes': { is: 'list', in: ['items'], rows: [['code', 'description']] },

  // The service document shows no field of these four: one typical field is enough.
  'lookup.cnpj': {
    is: 'object',
    has: [['legalEntity', 'federalTaxNumber', 'name', 'tradeName', 'cnpj', 'razaoSocial', 'nome']],
  },
  'lookup.cpf': { is: 'object', has: [['name', 'federalTaxNumber', 'status', 'birthOn', 'cpf', 'nome']] },
  'lookup.address': { is: 'object', has: [['addresses', 'address', 'postalCode', 'cep']] },
  'lookup.nfe': { is: 'object', has: [['accessKey', 'currentStatus', 'protocol', 'issuer', 'number', 'issuedOn']] },
  'lookup.nfe.pdf': pdf,
  'lookup.nfe.xml': xml,
  'lookup.nfe.events': { is: 'list', in: ['events'], rows: [['type', 'description', 'id', 'authorizedOn']] },

  'webhook.list': { is: 'list', in: ['webHooks'], rows: ['id'] },
  'webhook.create': { is: 'object', in: 'webHook', has: ['id'] },
  'webhook.get': { is: 'object', in: 'webHook', has: ['id'] },
  'webhook.update': { is: 'object', in: 'webHook', has: ['id'], or: 'no-body' },
  'webhook.delete': accepted,
  'webhook.ping': accepted,
  'webhook.eventTypes': { is: 'list', in: ['eventTypes'], rows: ['id'] },
} as const satisfies Record<OperationId, AnswerShape>;

/** The place of a list that is the whole answer, where another one is the name of a field. */
export const bareArray = 'array';

/** The operations whose answer is a list. */
export type ListOperationId = {
  [Id in OperationId]: (typeof answerShapes)[Id] extends { readonly is: 'list' } ? Id : never;
}[OperationId];

/** A value of the request that the answer repeats. It reveals an answer about something else. */
export interface Repeated {
  /** A parameter of the path, or a field of the body; a dot separates levels. */
  readonly asked: string;
  /**
   * Fields of the answer, or of the resource that it wraps; a dot separates levels. Each one that is present must
   * match.
   */
  readonly shown: readonly string[];
  /** The fields are in the rows of a list. */
  readonly in?: 'rows';
  /** Compared only if the request has an access key (`key`), or anything else (`id`). */
  readonly when?: 'key' | 'id';
  /** `number`: punctuation and leading zeros do not count. `address`: two spellings of one URL are the same. */
  readonly as?: 'number' | 'address';
  /** Another value is one of another company. */
  readonly of?: 'company';
}

const byKey = { asked: 'accessKey', shown: ['accessKey'] } as const;
const byEvent = [
  { asked: 'accessKey', shown: ['accessKey'] },
  { asked: 'eventKey', shown: ['eventKey'] },
] as const;
const byId = { asked: 'id', shown: ['id'] } as const;
const byInvoice = { asked: 'invoiceId', shown: ['id'] } as const;
const byProduct = { asked: 'productId', shown: ['id'] } as const;
const byStateTax = { asked: 'stateTaxId', shown: ['id'] } as const;
const byMunicipalTax = { asked: 'municipalTaxId', shown: ['id'] } as const;
const byWebhook = { asked: 'webhookId', shown: ['id'] } as const;
const byEither = [
  { asked: 'idOrAccessKey', shown: ['accessKey'], when: 'key' },
  { asked: 'idOrAccessKey', shown: ['id'], when: 'id' },
] as const;
const byDocument = { asked: 'id', shown: ['documentId', 'id'], when: 'id' } as const;
const cancelled = { asked: 'invoiceId', shown: ['id', 'productInvoiceId', 'consumerInvoiceId'] } as const;
const disabled = ['serie', 'beginNumber', 'lastNumber'].map(
  (name): Repeated => ({ asked: name, shown: [name], as: 'number' }),
);

const ofStateTax = (name: string): Repeated => ({ asked: `stateTax.${name}`, shown: [name], as: 'number' });

/** What each answer repeats of its request, besides company and tenant. */
export const repeatedFields: { readonly [Id in OperationId]?: readonly Repeated[] } = {
  'product.create': [{ asked: 'sku', shown: ['sku'] }],
  'product.get': [byProduct],
  'product.update': [byProduct],
  'product.revalidate': [byProduct],
  'nfe.manifestation.get': [byId],
  'nfse.manifestation.list': [{ ...byKey, in: 'rows' }],
  'nfse.manifestation.get': [byId],
  'nfe.inbound.get': [byKey],
  'nfe.inbound.json': [byKey],
  'nfe.inbound.event.get': byEvent,
  'cte.inbound.event.get': byEvent,
  'cte.inbound.get': [byKey],
  'nfse.inbound.get': byEither,
  'nfse.inbound.json': byEither,
  'nfse.inbound.reprocess': [byDocument],
  'nfse.inbound.resendWebhook': [byDocument],
  'nfse.fetchByKey': [byKey],
  'invoice.get': [byId],
  'nfe.get': [byInvoice],
  'nfe.cancel': [cancelled],
  'nfe.events': [byInvoice],
  'nfe.correct': [{ asked: 'invoiceId', shown: ['productInvoiceId'] }],
  'nfe.disable': disabled,
  'nfce.get': [byInvoice],
  'nfce.cancel': [cancelled],
  'nfce.events': [byInvoice],
  'nfce.disable': disabled,
  'nfse.get': [byId],
  'nfse.getByExternalId': [{ asked: 'externalId', shown: ['externalId'] }],
  'nfse.cancel': [byId],
  'nfse.email': [byId],
  'certificate.get': [{ asked: 'thumbprint', shown: ['thumbprint'] }],
  'company.create': [
    {
      ...{ asked: 'company.federalTaxNumber', as: 'number', of: 'company' },
      shown: ['federalTaxNumber', 'company.federalTaxNumber'],
    },
  ],
  'stateTax.create': ['code', 'taxNumber', 'type'].map(ofStateTax),
  'stateTax.get': [byStateTax],
  'stateTax.update': [byStateTax],
  'municipalTax.create': [
    { asked: 'municipalTax.taxNumber', shown: ['taxNumber'], as: 'number' },
    { asked: 'municipalTax.city.code', shown: ['city.code'], as: 'number' },
  ],
  'municipalTax.get': [byMunicipalTax],
  'municipalTax.update': [byMunicipalTax],
  'stateTax.switchAuthorizer': [{ asked: 'authorizer', shown: ['toAuthorizer'] }],
  'webhook.create': [{ asked: 'webHook.uri', shown: ['uri'], as: 'address' }],
  'webhook.get': [byWebhook],
  'webhook.update': [byWebhook],
  'lookup.cnpj': [
    { asked: 'numero', shown: ['federalTaxNumber', 'cnpj', 'legalEntity.federalTaxNumber'], as: 'number' },
  ],
  'lookup.cpf': [{ asked: 'cpf', shown: ['federalTaxNumber', 'cpf'], as: 'number' }],
  'lookup.address': [{ asked: 'postalCode', shown: ['postalCode', 'cep', 'address.postalCode'], as: 'number' }],
  'lookup.nfe': [byKey],
  'lookup.nfe.events': [byKey],
};
