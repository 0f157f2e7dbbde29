import fc from 'fast-check';
import { accessKey } from '../facts-matrix/keys.js';

/*
 * What the public record says that each read may answer, field by field: which fields it promises, which may be absent or null,
 * and their types. A value that begins with `@` is filled in by `identified`: it ties the answer to what was asked.
 */

type Value = fc.Arbitrary<unknown>;
type Fields = Readonly<Record<string, Value>>;

const text: Value = fc.oneof(
  fc.constantFrom('Padaria São João', 'A', 'Comércio & Cia. Ltda', '0', '  dois espaços ', 'x'.repeat(300)),
  fc.string({ unit: fc.constantFrom(...'abcXYZ019 .,-/çãéÕ&"\'<>;:%'), minLength: 1, maxLength: 60 }),
);
const whole: Value = fc.oneof(fc.nat(9), fc.nat(), fc.maxSafeNat());
const money: Value = fc.integer({ min: -100, max: 1_000_000_000 }).map((cents) => cents / 100);
const moneyText: Value = money.map((value) => (value as number).toFixed(2));
const flag: Value = fc.boolean();
const moment: Value = fc.constantFrom(
  ...['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.1234567Z', '2025-12-31T23:30:00-03:00'],
  ...['2026-02-28T12:00:00', '2026-10-05T09:15:00.5+00:00'],
);
const word = (...known: readonly string[]): Value => fc.oneof(fc.constantFrom(...known), fc.constant('NewWord'));
const listOf = (each: Value): Value => fc.array(each, { maxLength: 4 });
/** What is published as an integer and comes as text as well. */
const number: Value = fc.oneof(whole, fc.nat().map(String));

/** Fields of the next version of the service. */
const unknown: Fields = {
  xNovoCampo: text,
  xValores: fc.array(fc.oneof(text, whole, flag, fc.constant(null)), { maxLength: 3 }),
  xDetalhe: fc.record({ codigo: whole, nota: fc.record({ texto: text }) }),
};

/** All of `must`; each of `may` is there, absent, or null. */
function thing(must: Fields, may: Fields = {}): Value {
  const optional = Object.fromEntries(
    Object.entries(may).map(([name, value]) => [name, fc.option(value, { freq: 4, nil: null })]),
  );
  const model = { ...must, ...optional, ...unknown };
  const least = { requiredKeys: Object.keys(must) };
  return fc.oneof(fc.record(model, least), fc.record(model, { requiredKeys: Object.keys(model) }), fc.record(must));
}

const place = thing(
  { state: text, street: text, number: text, city: thing({ name: text }, { code: text }) },
  { district: text, postalCode: text, country: text, additionalInformation: text },
);
const owner = thing({ id: fc.constant('@company') }, { federalTaxNumber: text, name: text });
const party = thing({}, { name: text, federalTaxNumber: number, email: text, address: place });

const company = (id: string): Value =>
  thing(
    { id: fc.constant(id), name: text },
    {
      ...{ federalTaxNumber: number, tradeName: text, address: place, createdOn: moment },
      taxRegime: word('None', 'LucroReal', 'SimplesNacional', 'simplesNacional', 'Isento'),
      ...{ stateTaxes: listOf(text), municipalTaxes: listOf(text), modifiedOn: moment, accountId: text },
      status: word('None', 'Active', 'Inactive', 'active'),
    },
  );
const stateTax = (id: string): Value =>
  thing(
    { id: fc.constant(id) },
    {
      ...{
        companyId: fc.constant('@company'),
        accountId: text,
        code: text,
        taxNumber: text,
        serie: whole,
        number: whole,
      },
      type: word('Default', 'NFe', 'NFCe', 'default'),
      ...{ environmentType: word('None', 'Production', 'Test'), series: listOf(whole), createdOn: moment },
      ...{ status: word('None', 'Active', 'Inactive'), modifiedOn: moment },
      // A secret: nothing of it is shown.
      securityCredential: fc.record({ id: whole, code: text }),
    },
  );
const municipalTax = (id: string): Value =>
  thing(
    { id: fc.constant(id) },
    {
      ...{ companyId: fc.constant('@company'), city: thing({ code: text }, { name: text }), taxNumber: text },
      ...{ rpsSerialNumber: text, rpsNumber: whole, environment: word('Production', 'Test'), createdOn: moment },
      ...{ fiscalStatus: word('CityNotSupported', 'Active', 'Pending'), rpsSerialNumbers: listOf(text) },
    },
  );
const certificate = (thumbprint: string): Value =>
  thing(
    { thumbprint: fc.constant(thumbprint) },
    {
      ...{ subject: text, validUntil: moment, modifiedOn: moment, taxId: text, taxPayerId: text },
      status: word('None', 'Active', 'Inactive', 'Overdue', 'Pending', 'active'),
    },
  );
const webhook = (id: string): Value =>
  thing(
    { id: fc.constant(id), uri: fc.constant('https://a.invalid/hook') },
    {
      contentType: fc.oneof(fc.constantFrom(0, 1), word('json', 'form-urlencoded')),
      status: fc.oneof(fc.constantFrom(0, 1), word('Active', 'Inactive', 'active')),
      ...{
        filters: listOf(text),
        headers: fc.constant({ 'X-A': '1' }),
        properties: fc.constant({}),
        insecureSsl: flag,
      },
      ...{ createdOn: moment, modifiedOn: moment },
    },
  );

const capture = thing(
  { status: fc.oneof(word('Active', 'Inactive', 'None'), fc.constantFrom(0, 1, -1)) },
  {
    ...{ companyId: fc.constant('@company'), startFromNsu: number, startFromDate: moment, createdOn: moment },
    ...{ environmentSEFAZ: word('None', 'Test', 'Production'), modifiedOn: moment, webhookVersion: number },
    automaticManifesting: thing(
      {},
      { minutesToWaitAwarenessOperation: number, minutesToOperationConfirmation: number },
    ),
  },
);
const nfseCapture = (companyId: string): Value =>
  thing(
    { id: fc.constant(companyId), isActive: flag },
    {
      ...{ name: text, environment: word('Production', 'Development'), initialNsu: whole, currentNsu: whole },
      ...{ maxAvailableNsu: whole, lastExecutedAt: moment, rateLimitedUntil: moment, deactivationReason: text },
      ...{ isAutomaticManifestationEnabled: flag, automaticManifestationDelaySeconds: whole, webhookUrl: text },
      ...{ createdAt: moment, updatedAt: moment },
    },
  );

const issuedWords = ['None', 'Created', 'Processing', 'Issued', 'IssuedContingency', 'Cancelled', 'Error'] as const;
const merchandise = (id: string): Value =>
  thing(
    { id: fc.constant(id) },
    {
      ...{ status: word(...issuedWords), serie: whole, number: whole, environmentType: word('Production', 'Test') },
      ...{ operationNature: text, operationType: word('Outgoing', 'Incoming'), issuer: party, buyer: party },
      authorization: thing({}, { receiptOn: moment, accessKey: text, message: text }),
      totals: thing({}, { icms: thing({}, { invoiceAmount: money, productAmount: money }) }),
      lastEvents: thing(
        {},
        { events: listOf(thing({}, { type: text, sequence: whole, data: thing({}) })), hasMore: flag },
      ),
      ...{ createdOn: moment, modifiedOn: moment, issuedOn: moment },
    },
  );
const flows = ['CancelFailed', 'IssueFailed', 'Issued', 'Cancelled', 'WaitingSend', 'PullFromCityHall'] as const;
const service = (id: string): Value =>
  thing(
    { id: fc.constant(id) },
    {
      ...{ flowStatus: word(...flows), status: word('Error', 'None', 'Created', 'Issued', 'Cancelled') },
      ...{ environment: word('Development', 'Production', 'Staging'), rpsNumber: whole, rpsSerialNumber: text },
      ...{ provider: party, borrower: party, cityServiceCode: text, description: text, servicesAmount: money },
      ...{ number: whole, checkCode: text, issuedOn: moment, createdOn: moment, externalId: text, flowMessage: text },
    },
  );
const invoiceEvent = thing({ type: text, sequence: fc.constant('@number') }, { data: fc.record({ protocol: text }) });

const received = thing(
  { accessKey: fc.constant('@key'), company: owner },
  {
    ...{ id: fc.constant('@row'), createdOn: moment, nsu: number, issuedOn: moment, totalInvoiceAmount: moneyText },
    ...{ issuer: party, buyer: party, nameSender: text, federalTaxNumberSender: text, description: text },
    ...{ operationType: word('Outgoing', 'Incoming'), environmentType: fc.constantFrom(1, 2), xmlUrl: text },
    type: fc.constantFrom('productInvoice'),
  },
);
const receivedService = thing(
  { id: fc.constant('@row'), type: fc.constantFrom('Nfse') },
  {
    ...{ companyId: fc.constant('@company'), nsu: whole, servicesAmount: money, createdAt: moment, issuedAt: moment },
    ...{ provider: party, borrower: party, status: word('Pending', 'Processing', 'Processed', 'Failed') },
  },
);

/** What a GET of an operation may answer. */
export interface AnswerSchema {
  readonly answer: Value;
  /** The name of the list in the answer; no name: the answer is the list. */
  readonly list?: readonly string[];
}

const one = (answer: Value): AnswerSchema => ({ answer });
const wrapped = (name: string, inner: Value): AnswerSchema => one(fc.record({ [name]: inner }));
function list(name: string, row: Value, may: Fields = {}): AnswerSchema {
  return { answer: thing({ [name]: fc.array(row, { maxLength: 6 }) }, may), list: [name] };
}
const bare = (row: Value): AnswerSchema => ({ answer: fc.array(row, { maxLength: 6 }), list: [] });
/** Totals may be null. */
const pages: Fields = { totalResults: fc.constant(null), totalPages: fc.constant(null), page: fc.constant(null) };

export const answerSchemas: Readonly<Record<string, readonly AnswerSchema[]>> = {
  'product.get': [
    one(
      thing(
        { id: fc.constant('@id'), collectionId: text, sku: text, origin: word('National', 'national') },
        {
          ...{ description: text, gtin: text, taxGtin: text, errorMessage: text },
          ...{ status: word('Active', 'Error', 'Created', 'Validating'), tax: thing({ ncm: text }, { cest: text }) },
          customTax: listOf(
            thing({ OperationCode: whole }, { intraState: thing({}, { cfop: whole, icms: thing({}) }) }),
          ),
        },
      ),
    ),
  ],
  'company.get': [wrapped('company', company('@company')), one(company('@company'))],
  'company.list': [list('companies', company('@row'), { hasMore: fc.constant(false) })],
  'stateTax.get': [wrapped('stateTax', stateTax('@id'))],
  'stateTax.list': [list('stateTaxes', stateTax('@row'))],
  'municipalTax.get': [wrapped('municipalTax', municipalTax('@id'))],
  'municipalTax.list': [list('municipalTaxes', municipalTax('@row'))],
  'certificate.get': [wrapped('certificate', certificate('@id'))],
  'certificate.list': [list('certificates', certificate('@hex'))],
  'webhook.get': [wrapped('webHook', webhook('@id'))],
  'webhook.list': [list('webHooks', webhook('@row'))],
  'webhook.eventTypes': [list('eventTypes', thing({ id: fc.constant('@row') }, { description: text, status: whole }))],
  'nfe.inbound.settings': [one(capture)],
  'cte.inbound.settings': [one(capture)],
  'nfse.inbound.settings': [one(nfseCapture('@company'))],
  'nfse.inbound.companies': [list('companies', nfseCapture('@row'), pages)],
  'nfe.inbound.list': [bare(received), list('value', received)],
  'cte.inbound.list': [bare(received), list('value', received)],
  'nfse.inbound.list': [list('documents', receivedService, pages)],
  'nfse.notifications': [
    list(
      'notifications',
      thing(
        { id: fc.constant('@row'), type: text, severity: word('Info', 'Warning', 'Critical') },
        { companyId: fc.constant('@company'), title: text, description: text, nsu: whole, createdAt: moment },
      ),
      pages,
    ),
  ],
  'nfe.list': [list('productInvoices', merchandise('@row'), { hasMore: fc.constant(false) })],
  'nfe.get': [one(merchandise('@id'))],
  'nfe.events': [list('events', invoiceEvent, { hasMore: fc.constant(false) })],
  'nfce.list': [list('consumerInvoices', merchandise('@row'), { hasMore: fc.constant(false) })],
  'nfce.get': [one(merchandise('@id'))],
  'nfce.events': [list('events', invoiceEvent, { hasMore: fc.constant(false) })],
  'nfse.list': [list('serviceInvoices', service('@row'), pages)],
  'nfse.get': [one(service('@id'))],
  'tax.codes': [
    list('items', thing({ code: fc.constant('@row') }, { description: text }), {
      ...{ currentPage: fc.constant(1), totalPages: fc.constant(1) },
    }),
  ],
  'lookup.cnpj': [
    wrapped(
      'legalEntity',
      thing(
        { federalTaxNumber: fc.constant('29638438000181') },
        {
          ...{ name: text, tradeName: text, size: text, openedOn: moment, address: place, shareCapital: money },
          ...{
            status: word('Active', 'Suspended', 'Null'),
            partners: listOf(thing({ name: text })),
            phones: listOf(thing({})),
          },
          economicActivities: listOf(thing({ code: whole }, { description: text, type: word('Main', 'Secondary') })),
        },
      ),
    ),
  ],
  'lookup.cpf': [
    one(
      thing(
        { name: text, federalTaxNumber: fc.constant('52998224725') },
        { birthOn: fc.constant('1990-12-31T00:00:00Z'), status: word('Regular', 'Suspensa'), createdOn: moment },
      ),
    ),
  ],
  'lookup.address': [
    wrapped('address', thing({ postalCode: fc.constant('01310-100') }, { street: text, state: text, city: thing({}) })),
    one(thing({ addresses: fc.array(place, { minLength: 1, maxLength: 3 }) })),
  ],
  'lookup.nfe': [
    one(
      thing(
        { accessKey: fc.constant('@id') },
        {
          ...{ issuer: party, buyer: party, currentStatus: word('unknown', 'authorized', 'canceled'), number: whole },
          ...{ totals: thing({}), items: listOf(thing({}, { code: text, quantity: money })), issuedOn: moment },
        },
      ),
    ),
  ],
};

/** What was asked: the path of a GET, and the company. */
interface Subject {
  readonly path: string;
  readonly companyId: string;
}

const ofOctober = { state: '35', aamm: '2610', issuer: '30057049000141' } as const;

/** Ties a generated answer to what was asked: the same id and company; each row a thing of its own. */
export function identified(answer: unknown, { path, companyId }: Subject): unknown {
  let rows = 0;
  const made: Readonly<Record<string, () => unknown>> = {
    '@id': () => path.split('/').at(-1),
    '@company': () => companyId,
    '@row': () => `row-${(rows += 1)}`,
    '@number': () => (rows += 1),
    '@hex': () => (rows += 1).toString(16).padStart(40, 'A').toUpperCase(),
    '@key': () =>
      accessKey({ ...ofOctober, model: path.includes('/Transportation') ? '57' : '55', number: (rows += 1) }),
  };
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return made[value] === undefined ? value : made[value]();
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each)]));
  };
  return walk(answer);
}
