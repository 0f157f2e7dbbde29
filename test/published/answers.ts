/*
 * The answers that the public record publishes for each operation, typed by hand as data. Where it publishes several
 * shapes, or where a live service was seen to answer another one, each of them stands here.
 */

/** What the client makes of an answer. */
type Reads =
  /** The rows of a list, by what each of them has. */
  | { readonly rows: readonly object[] }
  /** A resource, out of its envelope. */
  | { readonly body: object }
  /** The status is enough. */
  | 'accepted'
  | { readonly said: string }
  /** The text of the document. */
  | { readonly bytes: string }
  | { readonly bytesStatus: 202 | 204 }
  | { readonly code: string };

export interface PublishedAnswer {
  readonly status: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The address of the document, which the service answers next. */
  readonly leadsTo?: string;
  readonly reads: Reads;
}

export const nfeKey = '35250530057049000141550010000280181030656857';
export const nfseKey = '35503082230057049000141000000000002825051234567890';
const createdOn = '2026-01-02T03:04:05Z';

/** The path of every call, and of what each answer is about. */
export const path = {
  ...{ tenantId: 't1', companyId: 'c1', productId: 'p1', invoiceId: 'i1', webhookId: 'w1', id: 'i1' },
  ...{ thumbprint: 'AB12', numero: '29638438000181', cpf: '52998224725', birthDate: '1990-12-31' },
  ...{ postalCode: '01310100', list: 'operation-code', externalId: 'order-1', eventKey: 'e1' },
  ...{ accessKey: nfeKey, idOrAccessKey: 'i1', accessKeyOrNsu: nfeKey, stateTaxId: 's1', municipalTaxId: 'm1' },
};

const stateTax = {
  ...{ id: 's1', companyId: 'c1', accountId: 'a1', code: 'SP', taxNumber: '110042490114', type: 'NFe' },
  ...{ environmentType: 'Test', serie: 1, number: 10, series: [1], status: 'Active', createdOn },
};
const municipalTax = {
  ...{ id: 'm1', companyId: 'c1', accountId: 'a1', city: { code: '3550308', name: 'São Paulo' } },
  ...{ taxNumber: '12345678', environment: 'Production', rpsSerialNumber: 'A1', rpsNumber: 10 },
  ...{ fiscalStatus: 'Active', status: 'Active', rpsSerialNumbers: ['A1'] },
};

const ok = (json: unknown, reads: Reads): PublishedAnswer => ({ status: 200, json, reads });
const row = (json: object, ...fields: readonly object[]): PublishedAnswer => ok(json, { rows: fields });
const body = (json: object, has: object = json): PublishedAnswer => ok(json, { body: has });
const taken = (status: number, json?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  ({ status, ...(json === undefined ? {} : { json }), headers, reads: 'accepted' }) satisfies PublishedAnswer;

const xml = '<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe"/>';
const pdf = '%PDF-1.4 a page';
/** The test puts the address of its server there. */
const file = '{service}/file';

/** How a document comes: as it is, behind an address in JSON, in a redirect or in a JSON string, or in such a string. */
function documentIn(content: string, asText: string): readonly PublishedAnswer[] {
  return [
    { status: 200, text: content, reads: { bytes: content } },
    ...['url', 'uri', 'publicTemporaryUri'].map((name) => ({
      status: 200,
      json: { [name]: file },
      leadsTo: content,
      reads: { bytes: content },
    })),
    { status: 302, headers: { location: file }, leadsTo: content, reads: { bytes: content } },
    { status: 200, json: file, leadsTo: content, reads: { bytes: content } },
    { status: 200, json: asText, reads: { bytes: content } },
  ];
}
const xmlAnswers = documentIn(xml, xml);
const pdfAnswers = documentIn(pdf, Buffer.from(pdf).toString('base64'));

const settings = { companyId: 'c1', status: 'Active', createdOn, modifiedOn: createdOn };
const settingsAnswers = [
  body(settings),
  body({ status: 'Active', environmentSEFAZ: 'Production', startFromDate: createdOn }),
];
const nfseSettings = {
  ...{ id: 'c1', name: 'A', environment: 'Production', isActive: true, initialNsu: 0, currentNsu: 7 },
  ...{ maxAvailableNsu: 9, createdAt: createdOn, updatedAt: createdOn },
};

const nfeMetadata = {
  ...{ accessKey: nfeKey, createdOn, nsu: '17', type: 'productInvoice', totalInvoiceAmount: '10.50' },
  ...{ company: { id: 'c1', federalTaxNumber: '29638438000181' }, issuer: { name: 'B' }, environmentType: 1 },
};
const cteMetadata = { id: 'd1', accessKey: nfeKey, createdOn, nsu: 17, company: { id: 'c1' }, type: 1 };
const receivedEvent = {
  ...{ id: 'e1', createdOn, accessKey: nfeKey, type: 'productInvoiceEvent', nsu: 18, receiptOn: createdOn },
  xmlUrl: 'https://files.invalid/e1',
};
const nfseDocument = {
  ...{ id: 'i1', companyId: 'c1', nsu: 3, type: 'serviceInvoice', accessKey: nfseKey, servicesAmount: 1.5 },
  ...{ provider: { name: 'B' }, borrower: { name: 'A' }, status: 'Processed', createdAt: createdOn },
};
const nfseEvent = { id: 'i1', accessKey: nfseKey, eventCode: 203202, status: 'Pending' };

const invoice = { id: 'i1', status: 'Issued', serie: 1, number: 5, environmentType: 'Test' };
const invoiceRow = { id: 'i1', serie: 1, number: 5 };
const change = { accountId: 'a1', companyId: 'c1', productInvoiceId: 'i1', reason: 'Um motivo' };
const changeAnswers = [taken(204), taken(202), ok(change, 'accepted')];
const invoiceEvent = { type: 'Cancellation', sequence: 1, data: { protocol: '1' } };
const range = { environment: 'Test', serie: 1, state: 'SP', beginNumber: 2, lastNumber: 3, reason: 'Um motivo' };
const serviceInvoice = { id: 'i1', flowStatus: 'Issued', status: 'Issued', externalId: 'order-1' };

const company = { id: 'c1', name: 'A', federalTaxNumber: 29638438000181, stateTaxes: ['s1'], status: 'Active' };
const certificate = { thumbprint: 'AB12', taxId: '29638438000181', validUntil: createdOn, status: 'Active' };
const webhook = { id: 'w1', uri: 'https://a.invalid/', status: 1, contentType: 0 };

const taxItem = { id: '1', cfop: 5102, icms: { pICMS: '18.00' } };
const street = { street: 'Avenida Paulista', city: { code: '3550308', name: 'São Paulo' }, state: 'SP' };
const legalEntity = { name: 'A', federalTaxNumber: '29638438000181', address: { city: { code: '1', name: 'S' } } };

/** By operation. One that the record does not publish has the answer of the service document. */
export const publishedAnswers: Readonly<Record<string, readonly PublishedAnswer[]>> = {
  'product.create': [taken(201, { id: 'p1' }), taken(201, { id: 'p1', sku: 'A', origin: 'national' })],
  'product.get': [body({ id: 'p1', status: 'Active', origin: 'National' })],
  'product.update': [taken(204), ok({ id: 'p1', status: 'Created' }, 'accepted')],
  'product.revalidate': [body({ status: 'Error', errorMessage: 'A rule is wrong' })],

  'nfe.manifestation.submit': [
    taken(202, { id: 'i1', accessKey: nfeKey, eventCode: 210210, nSequencia: 1, status: 'Pending' }),
  ],
  'nfe.manifestation.get': [body({ id: 'i1', accessKey: nfeKey, status: 'Accepted' })],
  'nfe.manifestation.legacy': [
    ok('Evento registrado', { said: 'Evento registrado' }),
    body({ accessKey: nfeKey, status: 'Accepted' }),
  ],
  'nfse.manifestation.submit': [taken(202, { ...nfseEvent, accessKey: nfeKey })],
  'nfse.manifestation.list': [row({ items: [{ ...nfseEvent, accessKey: nfeKey }] }, { id: 'i1' })],
  'nfse.manifestation.get': [
    body({ ...nfseEvent, environment: 'Production', requestXmlGZipB64: 'H4sI', responseXmlGZipB64: null }),
  ],

  'nfe.inbound.enable': settingsAnswers,
  'nfe.inbound.settings': settingsAnswers,
  'nfe.inbound.update': settingsAnswers,
  'nfe.inbound.disable': [ok(settings, 'accepted'), taken(204)],
  'nfe.inbound.list': [
    row([nfeMetadata], { accessKey: nfeKey, nsu: '17' }),
    row({ value: [nfeMetadata] }, { accessKey: nfeKey }),
    row({ documents: [nfeMetadata] }, { accessKey: nfeKey }),
    row([]),
  ],
  'nfe.inbound.get': [body(nfeMetadata)],
  'nfe.inbound.xml': xmlAnswers,
  'nfe.inbound.pdf': [...pdfAnswers, { status: 202, reads: { bytesStatus: 202 } }],
  'nfe.inbound.events': [row([receivedEvent], { id: 'e1' }), row({ value: [receivedEvent] }, { id: 'e1' })],
  'nfe.inbound.json': [body({ infNFe: { ide: { nNF: '1' } } })],
  'nfe.inbound.event.get': [body({ ...receivedEvent, accessKey: nfeKey })],
  'nfe.inbound.event.xml': xmlAnswers,
  'nfe.inbound.reprocessWebhook': [ok({ message: 'Enviado' }, 'accepted'), ok(nfeMetadata, 'accepted')],
  'cte.inbound.enable': [...settingsAnswers, body({ ...settings, status: 1 })],
  'cte.inbound.settings': [...settingsAnswers, body({ ...settings, status: -1 })],
  'cte.inbound.disable': [ok({ ...settings, status: 0 }, 'accepted')],
  'cte.inbound.list': [row([cteMetadata], { nsu: 17 }), row({ value: [cteMetadata] }, { nsu: 17 })],
  'cte.inbound.get': [
    body({ ...cteMetadata, productInvoices: [{ accessKey: nfeKey }], type: 'transportationInvoice' }),
  ],
  'cte.inbound.xml': xmlAnswers,
  'cte.inbound.pdf': [{ status: 204, reads: { bytesStatus: 204 } }],
  'cte.inbound.events': [row([receivedEvent], { id: 'e1' })],
  'cte.inbound.event.get': [body({ ...receivedEvent, accessKey: nfeKey })],
  'cte.inbound.event.xml': xmlAnswers,
  'nfse.inbound.enable': [{ status: 201, json: nfseSettings, reads: { body: { id: 'c1', isActive: true } } }],
  'nfse.inbound.companies': [
    row({ totalResults: null, totalPages: null, page: null, companies: [nfseSettings] }, { id: 'c1' }),
    row({ totalResults: 1, totalPages: 1, page: 1, companies: [nfseSettings] }, { id: 'c1' }),
  ],
  'nfse.inbound.settings': [body(nfseSettings), body(settings)],
  'nfse.inbound.update': [body(nfseSettings)],
  'nfse.inbound.disable': [taken(200), ok(nfseSettings, 'accepted')],
  'nfse.inbound.list': [
    row({ totalResults: null, totalPages: null, page: null, documents: [nfseDocument] }, { id: 'i1' }),
    row({ totalResults: 1, totalPages: 1, page: 1, documents: [nfseDocument] }, { nsu: 3 }),
  ],
  'nfse.inbound.get': [body(nfseDocument)],
  'nfse.inbound.xml': xmlAnswers,
  'nfse.inbound.pdf': [
    ...pdfAnswers,
    { status: 202, json: { message: 'Em preparo', code: 'pending' }, reads: { bytesStatus: 202 } },
  ],
  'nfse.inbound.json': [body({ infNFSe: { nNFSe: '1' } })],
  'nfse.inbound.reprocess': [taken(202, { message: 'Aceito', documentId: 'i1', companyId: 'c1' })],
  'nfse.inbound.resendWebhook': [taken(202, { message: 'Aceito', documentId: 'i1', companyId: 'c1' })],
  'nfse.fetchByKey': [body({ ...nfseDocument, accessKey: nfeKey })],
  'nfse.startFromDate.set': [taken(204), taken(200)],
  'nfse.backfill.summary': [body({ startFromDate: createdOn, released: false, hiddenDocumentsCount: 4 })],
  'nfse.backfill.release': [taken(202, { documentId: 'x', companyId: 'c1' })],
  'nfse.fetchNow': [taken(202, { message: 'Aceito', companyId: 'c1' })],
  'nfse.notifications': [
    row(
      {
        page: 1,
        notifications: [{ id: 'n1', type: 'RateLimited', severity: 'Warning', title: 'T', createdAt: createdOn }],
      },
      { id: 'n1' },
    ),
    row({ notifications: [{ id: 'n1', type: 'RateLimited', message: 'M', createdOn }] }, { message: 'M', createdOn }),
  ],
  'nfse.statistics': [
    body({ companyId: 'c1', totalDocuments: 3, hiddenDocumentsCount: 1, lastNsu: '7' }),
    body({ id: 'c1', isActive: true, currentNsu: 7, documentsTotal: 3, webhooksFailed: 0 }),
  ],
  'nfse.reactivate': [taken(200)],
  'nfse.resetNsu': [taken(200)],

  'invoice.create': [taken(201, { id: 'i1' }), taken(202, { id: 'i1' })],
  'invoice.get': [body({ id: 'i1', status: 'Issued' })],
  'nfe.issue': [
    taken(202, { id: 'i1', items: [] }),
    taken(201, invoice),
    taken(202, { id: 'i1' }, { location: '/i1' }),
  ],
  'nfe.stateTax.issue': [taken(202, { id: 'i1', items: [] })],
  'nfe.list': [
    row({ productInvoices: [invoice], hasMore: false }, invoiceRow),
    row({ productInvoices: [invoice] }, invoiceRow),
  ],
  'nfe.get': [
    body({ ...invoice, lastEvents: { events: [], hasMore: false }, authorization: { accessKey: nfeKey } }),
    body({ ...invoice, status: 'IssuedContingency' }),
  ],
  'nfe.cancel': changeAnswers,
  'nfe.events': [
    row({ events: [invoiceEvent], hasMore: false, id: 'i1', accountId: 'a1', companyId: 'c1' }, { sequence: 1 }),
  ],
  'nfe.pdf': pdfAnswers,
  'nfe.xml': xmlAnswers,
  'nfe.correct': changeAnswers,
  'nfe.letter.xml': xmlAnswers,
  'nfe.letter.pdf': pdfAnswers,
  'nfe.rejection.xml': xmlAnswers,
  'nfe.disable': [body(range)],
  'nfe.disableInvoice': changeAnswers,
  'nfce.issue': [ok({ id: 'i1', items: [] }, 'accepted')],
  'nfce.stateTax.issue': [ok({ id: 'i1', items: [] }, 'accepted')],
  'nfce.list': [row({ consumerInvoices: [invoice], hasMore: false }, invoiceRow)],
  'nfce.get': [body(invoice)],
  'nfce.cancel': changeAnswers,
  'nfce.events': [row({ events: [invoiceEvent], hasMore: false }, { sequence: 1 })],
  'nfce.pdf': pdfAnswers,
  'nfce.xml': xmlAnswers,
  'nfce.rejection.xml': xmlAnswers,
  'nfce.disable': [body(range)],
  'nfse.issue': [
    taken(202, serviceInvoice),
    taken(202, serviceInvoice, { location: '/v1/companies/c1/serviceinvoices/i1' }),
    taken(200),
  ],
  'nfse.list': [
    row({ serviceInvoices: [serviceInvoice], page: 1 }, { id: 'i1' }),
    row({ serviceInvoices: [serviceInvoice], totalResults: 1, totalPages: 1, page: 1 }, { id: 'i1' }),
  ],
  'nfse.get': [body({ ...serviceInvoice, flowStatus: 'PullFromCityHall', environment: 'Staging' })],
  'nfse.getByExternalId': [
    body(serviceInvoice),
    body({ serviceInvoices: [serviceInvoice], page: 1 }),
    body({ serviceInvoices: [], page: 1 }),
    { status: 404, json: {}, reads: { code: 'service.not_found' } },
  ],
  'nfse.cancel': [
    ok('Cancelamento solicitado', 'accepted'),
    taken(202, undefined, { location: '/v1/companies/c1/serviceinvoices/i1' }),
    ok(serviceInvoice, 'accepted'),
  ],
  'nfse.email': [ok('E-mail enviado', 'accepted'), ok({ sent: true, message: 'Enviado' }, 'accepted'), taken(204)],
  'nfse.pdf': pdfAnswers,
  'nfse.xml': xmlAnswers,
  'nfse.cancellation.xml': xmlAnswers,

  'tax.calculate': [row({ items: [taxItem] }, taxItem)],
  'tax.codes': [
    row({ items: [{ code: '1', description: 'Venda' }], currentPage: 1, totalPages: 1, totalCount: 1 }, { code: '1' }),
    row({ items: [{ description: 'Sem código' }] }, { description: 'Sem código' }),
  ],

  'lookup.cnpj': [body({ legalEntity }), body(legalEntity)],
  'lookup.cpf': [
    body({ name: 'A', federalTaxNumber: '52998224725', birthOn: '1990-12-31T00:00:00Z', status: 'Regular' }),
  ],
  'lookup.address': [
    body({ address: { ...street, postalCode: '01310-100', country: 'BRA' } }),
    body({ addresses: [{ ...street, postalCode: '01310-100' }] }),
  ],
  'lookup.nfe': [body({ currentStatus: 'authorized', issuer: { federalTaxNumber: 29638438000181 }, number: 28018 })],
  'lookup.nfe.pdf': [{ status: 200, text: pdf, reads: { bytes: pdf } }],
  'lookup.nfe.xml': [{ status: 200, text: xml, reads: { bytes: xml } }],
  'lookup.nfe.events': [
    row(
      { events: [{ type: 110111, sequence: 1, id: 'ID1', authorizedOn: createdOn, description: 'C' }], createdOn },
      { id: 'ID1' },
    ),
  ],

  'company.list': [
    row({ companies: [company], hasMore: false }, { id: 'c1' }),
    row({ companies: [company] }, { id: 'c1' }),
  ],
  'company.get': [body({ company })],
  'company.create': [ok({ company }, 'accepted'), taken(201, { company })],
  'company.update': [body({ company })],
  'company.delete': [taken(204)],
  'stateTax.list': [row({ stateTaxes: [stateTax] }, { id: 's1', serie: 1 })],
  'stateTax.get': [body({ stateTax })],
  'stateTax.create': [body({ stateTax })],
  'stateTax.update': [body({ stateTax })],
  'stateTax.switchAuthorizer': [
    body({ fromAuthorizer: 'Normal', toAuthorizer: 'EPEC', reason: 'R', modifiedOn: createdOn }),
  ],
  // The list has the wrapper of a single registration in the record.
  'municipalTax.list': [
    row({ municipalTax }, { id: 'm1' }),
    row({ municipalTax: [municipalTax] }, { id: 'm1' }),
    row({ municipalTaxes: [municipalTax] }, { id: 'm1' }),
  ],
  'municipalTax.get': [body({ municipalTax })],
  'municipalTax.create': [body({ municipalTax })],
  'municipalTax.update': [body({ municipalTax })],
  'certificate.list': [row({ certificates: [certificate] }, { thumbprint: 'AB12' })],
  'certificate.get': [body({ certificate })],
  'certificate.upload': [body({ certificate })],
  'certificate.delete': [taken(204)],

  'webhook.list': [row({ webHooks: [webhook] }, { id: 'w1' })],
  'webhook.create': [
    { status: 201, json: { webHook: { ...webhook, secret: 'x' } }, reads: { body: { webHook: webhook } } },
  ],
  'webhook.get': [body({ webHook: webhook })],
  'webhook.update': [body({ webHook: webhook })],
  'webhook.delete': [taken(204)],
  'webhook.ping': [taken(204)],
  'webhook.eventTypes': [
    row(
      { eventTypes: [{ id: 'service_invoice.issued_successfully', description: 'D', status: 1 }] },
      { id: 'service_invoice.issued_successfully' },
    ),
  ],
};
