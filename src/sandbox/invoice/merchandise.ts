import type { Fields, StoredRegistration } from '../core/records.js';
import type { ApiErrorDetail } from '../../contract/error-body.js';
import { businessPlace } from '../core/identity.js';
import { calculateTaxes } from '../tax/calculate.js';
import { readCalculation } from '../tax/read-calculation.js';
import { itemsOf, readMerchandise, type ReadInvoice } from './read-invoice.js';
import { Refusal, invalid } from '../core/refusal.js';
import { type OperationId, operations } from '../../contract/operations.js';
import { companyOf } from '../company/find-company.js';
import { namedRegistration, usualRegistration } from '../company/registrations.js';
import type { Core } from '../core/core.js';
import { isRecord, onlySet, textOf } from '../core/exact-json.js';
import { type Call, type HandlersOf, type Reply, inBackground } from '../http/handler.js';
import { disableFailed, disableNumbers, startCancellation, startCorrection } from './change.js';
import type { StoredInvoice } from './invoices.js';
import { startIssue } from './issue.js';
import { answerIssuedBytes } from './issued-bytes.js';
import { cursorList, eventPage, requireInvoice, showMerchandise } from './show-invoice.js';

interface Issuer {
  readonly tenantId: string;
  readonly companyId: string;
}

/**
 * §1: an item with `taxDetermination` gets its taxes from the engine; the rules of a product whose SKU is the item's
 * `code` take precedence. Taxes that the item contains stay. Throws 400 or 422 if the engine rejects the item.
 */
function determineTaxes(core: Core, issuer: Issuer, read: ReadInvoice): ReadInvoice {
  const items = itemsOf(read.content, 'items');
  const asked = items.flatMap((item, index) => (isRecord(item['taxDetermination']) ? [index] : []));
  if (asked.length === 0) return read;
  const body = {
    ...participantsOf(core, issuer, read.content),
    operationType: read.content['operationType'] ?? 'Outgoing',
    items: asked.map((index) => engineItem(items[index] ?? {}, index)),
  };
  const { items: determined } = refusing(asked, () => calculateTaxes(core, issuer.tenantId, readCalculation(body)));
  const byId = new Map(determined.map(({ id, cfop, lastModified: _when, ...tax }) => [id, { cfop, tax }]));
  const content = {
    ...read.content,
    items: items.map((item, index) => {
      const result = byId.get(String(index));
      if (result === undefined) return item;
      const given = isRecord(item['tax']) ? item['tax'] : {};
      return { cfop: result.cfop, ...item, tax: { ...result.tax, ...given } };
    }),
  };
  return { ...read, content };
}

/** The tax engine has words of its own for the regimes of companies. */
const engineRegimes: ReadonlyMap<string, string> = new Map([
  ['LucroReal', 'RealProfit'],
  ['LucroPresumido', 'PresumedProfit'],
  ['SimplesNacional', 'NationalSimple'],
  ['SimplesNacionalExcessoSublimite', 'NationalSimpleSublimitExceeded'],
  ['MicroempreendedorIndividual', 'IndividualMicroEnterprise'],
  ['Isento', 'Exempt'],
]);

function participantsOf(core: Core, { tenantId, companyId }: Issuer, content: Fields): object {
  const company = core.companies.find(tenantId, companyId);
  const { address: stored, taxRegime } = company?.details ?? {};
  const invented = businessPlace(company?.federalTaxNumber ?? companyId).state;
  const state = (isRecord(stored) ? stored['state'] : undefined) ?? invented;
  const buyer = isRecord(content['buyer']) ? content['buyer'] : {};
  const address = isRecord(buyer['address']) ? buyer['address'] : {};
  return {
    issuer: { state, taxRegime: engineRegimes.get(String(taxRegime)) ?? 'RealProfit' },
    recipient: { state: address['state'] ?? state },
  };
}

function engineItem(item: Fields, index: number): Fields {
  const asked = isRecord(item['taxDetermination']) ? item['taxDetermination'] : {};
  const amounts = ['freightAmount', 'insuranceAmount', 'discountAmount', 'othersAmount'];
  const { buyerTaxProfile, ...determination } = asked;
  return {
    origin: 'National',
    ...(buyerTaxProfile === undefined ? {} : { recipientTaxProfile: buyerTaxProfile }),
    ...determination,
    id: String(index),
    quantity: item['quantity'],
    unitAmount: item['unitAmount'],
    ...(item['code'] === undefined ? {} : { sku: item['code'] }),
    ...Object.fromEntries(amounts.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]]))),
  };
}

/** Names a rejected field by its path in the invoice. */
function refusing<Result>(asked: readonly number[], calculate: () => Result): Result {
  try {
    return calculate();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const details = error.details.map((detail) => inInvoice(asked, detail));
    throw new Refusal(error.code, 'The tax engine rejects an item.', { details });
  }
}

function inInvoice(asked: readonly number[], { field, message }: ApiErrorDetail): ApiErrorDetail {
  const [, position = '0', rest = ''] = /^items\[(\d+)\]\.?(.*)$/.exec(field) ?? [];
  const name = rest === 'recipientTaxProfile' ? 'buyerTaxProfile' : rest;
  return { field: `items[${asked[Number(position)] ?? position}].taxDetermination.${name}`, message };
}

type Kind = 'nfe' | 'nfce';
type Verb = 'issue' | 'stateTax.issue' | 'list' | 'get' | 'cancel' | 'events' | 'pdf' | 'xml' | 'correct' | 'disable';
type LetterOperation = `nfe.letter.${'xml' | 'pdf'}`;
type RejectionOperation = `${Kind}.rejection.xml`;
type MerchandiseOperation =
  | 'nfe.disableInvoice'
  | Extract<OperationId, `${Kind}.${Verb}`>
  | LetterOperation
  | RejectionOperation;
type OneOperation = Exclude<MerchandiseOperation, `${Kind}.${'issue' | 'stateTax.issue' | 'list' | 'disable'}`>;

/** NF-e and NFC-e. One answers as accepted, the other as queued; otherwise they are equal (public). */
export const merchandiseHandlers: HandlersOf<MerchandiseOperation> = {
  'nfe.issue': (core, call) => issue(core, call, 'nfe'),
  'nfe.stateTax.issue': (core, call) => issueBelow(core, call, 'nfe'),
  'nfe.list': (core, call) => list(core, call, 'nfe'),
  'nfe.get': (core, call) => get(core, call, 'nfe'),
  'nfe.cancel': (core, call) => cancel(core, call, 'nfe'),
  'nfe.events': (core, call) => events(core, call, 'nfe'),
  'nfe.pdf': (core, call) => bytes(core, call, 'nfe'),
  'nfe.xml': (core, call) => bytes(core, call, 'nfe'),
  'nfe.letter.xml': (core, call) => bytes(core, call, 'nfe'),
  'nfe.letter.pdf': (core, call) => bytes(core, call, 'nfe'),
  'nfe.rejection.xml': (core, call) => bytes(core, call, 'nfe'),
  'nfe.correct': correct,
  'nfe.disable': (core, call) => disable(core, call, 'nfe'),
  'nfe.disableInvoice': disableInvoice,
  'nfce.issue': (core, call) => issue(core, call, 'nfce'),
  'nfce.stateTax.issue': (core, call) => issueBelow(core, call, 'nfce'),
  'nfce.list': (core, call) => list(core, call, 'nfce'),
  'nfce.get': (core, call) => get(core, call, 'nfce'),
  'nfce.cancel': (core, call) => cancel(core, call, 'nfce'),
  'nfce.events': (core, call) => events(core, call, 'nfce'),
  'nfce.pdf': (core, call) => bytes(core, call, 'nfce'),
  'nfce.xml': (core, call) => bytes(core, call, 'nfce'),
  'nfce.rejection.xml': (core, call) => bytes(core, call, 'nfce'),
  'nfce.disable': (core, call) => disable(core, call, 'nfce'),
};

function invoiceOf(core: Core, call: Call<'nfe.get'> | Call<OneOperation>, kind: Kind): StoredInvoice {
  const companyId = companyOf(core, call);
  return requireInvoice(core.invoices.get(call.path.invoiceId), { companyId, kind });
}

function issue(core: Core, call: Call<'nfe.issue' | 'nfce.issue'>, kind: Kind): Reply {
  return issueWith(core, call, { kind, registration: usualRegistration(core, companyOf(core, call), kind) });
}

function issueBelow(core: Core, call: Call<'nfe.stateTax.issue' | 'nfce.stateTax.issue'>, kind: Kind): Reply {
  const companyId = companyOf(core, call);
  const registration = namedRegistration(core, { companyId, stateTaxId: call.path.stateTaxId, kind });
  return issueWith(core, call, { kind, registration });
}

/** A repeated `externalId` or Idempotency-Key creates a second invoice: the hardest case for a client. */
function issueWith(
  core: Core,
  call: Call<`${Kind}.${'issue' | 'stateTax.issue'}`>,
  { kind, registration }: { readonly kind: Kind; readonly registration: StoredRegistration | undefined },
): Reply {
  const companyId = companyOf(core, call);
  const { tenantId } = call.caller;
  const issuer = { tenantId, companyId };
  const read = determineTaxes(core, issuer, readMerchandise(call.body, kind));
  const invoice = startIssue(core, { ...read, ...issuer, kind, registration });
  const { path } = operations[`${kind}.get`];
  const location = call.origin + path.replace('{companyId}', companyId).replace('{invoiceId}', invoice.id);
  return {
    status: kind === 'nfe' ? 202 : 200,
    headers: { location },
    body: {
      ...showMerchandise(invoice),
      ...(kind === 'nfe' ? { documentId: invoice.id, companyId, message: inBackground } : {}),
    },
    effect: issuedEffect(invoice),
    ...bill(core, call.operation, invoice),
  };
}

export function issuedEffect({ kind, id, externalId, content }: StoredInvoice): Readonly<Record<string, string>> {
  const { additionalInformation } = content;
  const order = isRecord(additionalInformation) ? textOf(additionalInformation['order']) : null;
  return { issued: kind, id, ...onlySet({ externalId, order }) };
}

/** §1: issuing with `taxDetermination` records engine consumption. */
function bill(core: Core, operation: OperationId, { id, tenantId, content }: StoredInvoice): Pick<Reply, 'billed'> {
  const isDetermined = itemsOf(content, 'items').some((item) => item['taxDetermination'] !== undefined);
  if (!isDetermined) return {};
  const usage = { tenantId, operation, action: 'engine', resourceId: id };
  core.usage.add({ at: core.clock.now(), ...usage });
  return { billed: 'engine' };
}

function list(core: Core, call: Call<'nfe.list' | 'nfce.list'>, kind: Kind): Reply {
  return { status: 200, body: cursorList(core, call.query, { companyId: companyOf(core, call), kind }) };
}

function get(core: Core, call: Call<'nfe.get' | 'nfce.get'>, kind: Kind): Reply {
  return { status: 200, body: showMerchandise(invoiceOf(core, call, kind)) };
}

/** Published: 204. The events tell how it ends. */
function cancel(core: Core, call: Call<'nfe.cancel' | 'nfce.cancel'>, kind: Kind): Reply {
  const invoice = invoiceOf(core, call, kind);
  const reason = call.query.get('reason') ?? undefined;
  startCancellation(core, invoice, reason);
  return { status: 204, effect: { requested: `${kind}-cancellation`, id: invoice.id } };
}

function events(core: Core, call: Call<'nfe.events' | 'nfce.events'>, kind: Kind): Reply {
  const { id, companyId } = invoiceOf(core, call, kind);
  return { status: 200, body: { id, companyId, ...eventPage(call.query, core.invoiceEvents.of(id)) } };
}

function bytes(
  core: Core,
  call: Call<`${Kind}.${'pdf' | 'xml'}` | LetterOperation | RejectionOperation>,
  kind: Kind,
): Reply {
  const { id } = invoiceOf(core, call, kind);
  const force = call.query.get('force');
  if (force !== null && force !== 'true' && force !== 'false') throw invalid('force', 'Must be true or false.');
  return answerIssuedBytes(core, { operation: call.operation, companyId: call.path.companyId, name: id });
}

/** Published: 204. The events show the letter. */
function correct(core: Core, call: Call<'nfe.correct'>): Reply {
  const invoice = invoiceOf(core, call, 'nfe');
  const { sequence } = startCorrection(core, invoice, call.body);
  return { status: 204, effect: { requested: 'nfe-correction', id: invoice.id, sequence: String(sequence) } };
}

function disable(core: Core, call: Call<'nfe.disable' | 'nfce.disable'>, kind: Kind): Reply {
  const companyId = companyOf(core, call);
  const body = disableNumbers(core, { companyId, kind, body: call.body });
  const { serie, beginNumber, lastNumber } = body;
  const effect = { disabled: `${kind}-numbers`, companyId, range: `${serie}/${beginNumber}-${lastNumber}` };
  return { status: 200, body, effect };
}

/** Published: 204. The status of the invoice shows it. */
function disableInvoice(core: Core, call: Call<'nfe.disableInvoice'>): Reply {
  const invoice = invoiceOf(core, call, 'nfe');
  disableFailed(core, { ...invoice, kind: 'nfe' }, call.query.get('reason'));
  return { status: 204, effect: { disabled: 'nfe-number', id: invoice.id } };
}
