import { type OperationId, operations } from '../../contract/operations.js';
import { companyOf } from '../company/find-company.js';
import { namedRegistration, usualRegistration } from '../company/registrations.js';
import type { Core } from '../core/core.js';
import { isRecord, onlySet, textOf } from '../core/exact-json.js';
import type { StoredRegistration } from '../core/records.js';
import { invalid } from '../core/refusal.js';
import { type Call, type HandlersOf, type Reply, inBackground } from '../http/handler.js';
import { disableFailed, disableNumbers, startCancellation, startCorrection } from './change.js';
import { determineTaxes } from './determine-tax.js';
import type { StoredInvoice } from './invoices.js';
import { startIssue } from './issue.js';
import { answerIssuedBytes } from './issued-bytes.js';
import { itemsOf, readMerchandise } from './read-invoice.js';
import { cursorList, eventPage, requireInvoice, showMerchandise } from './show-invoice.js';

type Kind = 'nfe' | 'nfce';
type Verb =
  | 'issue'
  | 'stateTax.issue'
  | 'list'
  | 'get'
  | 'cancel'
  | 'events'
  | 'pdf'
  | 'xml'
  | 'correct'
  | 'disable';
type LetterOperation = `nfe.letter.${'xml' | 'pdf'}`;
type RejectionOperation = `${Kind}.rejection.xml`;
type MerchandiseOperation =
  | 'nfe.disableInvoice'
  | Extract<OperationId, `${Kind}.${Verb}`>
  | LetterOperation
  | RejectionOperation;
type OneOperation = Exclude<
  MerchandiseOperation,
  `${Kind}.${'issue' | 'stateTax.issue' | 'list' | 'disable'}`
>;

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

export function issuedEffect({
  kind,
  id,
  externalId,
  content,
}: StoredInvoice): Readonly<Record<string, string>> {
  const { additionalInformation } = content;
  const order = isRecord(additionalInformation) ? textOf(additionalInformation['order']) : null;
  return {
    issued: kind,
    id,
    ...onlySet({ externalId, order }),
  };
}

/** §1: issuing with `taxDetermination` records engine consumption. */
function bill(
  core: Core,
  operation: OperationId,
  { id, tenantId, content }: StoredInvoice,
): Pick<Reply, 'billed'> {
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
  if (force !== null && force !== 'true' && force !== 'false')
    throw invalid('force', 'Must be true or false.');
  return answerIssuedBytes(core, { operation: call.operation, companyId: call.path.companyId, name: id });
}

/** Published: 204. The events show the letter. */
function correct(core: Core, call: Call<'nfe.correct'>): Reply {
  const invoice = invoiceOf(core, call, 'nfe');
  const { sequence } = startCorrection(core, invoice, call.body);
  return {
    status: 204,
    effect: { requested: 'nfe-correction', id: invoice.id, sequence: String(sequence) },
  };
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
