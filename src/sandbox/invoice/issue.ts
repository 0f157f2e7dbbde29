import { certificateTrouble } from '../company/certificates.js';
import { authorOf } from '../company/find-company.js';
import { registrationOf, serieOf, takeNumber } from '../company/registrations.js';
import type { Core } from '../core/core.js';
import { isRecord, textOf } from '../core/exact-json.js';
import type { InvoiceKind, NumberSpace, StoredRegistration } from '../core/records.js';
import type { StoredInvoiceOutcome } from '../core/rules.js';
import { makeInvoiceKey, makeKey, townOf } from '../document/invent-document.js';
import { scheduleOwnInvoice } from '../inbound/capture.js';
import { announceInvoice } from '../webhook/announce.js';
import type { StoredInvoice } from './invoices.js';
import type { ReadInvoice } from './read-invoice.js';

const issuing = 'invoice-issue';

/** The statuses before the end of the issue, in order (public; `Processing` of the short form is assumed). */
export const waitingStatuses: Readonly<Record<InvoiceKind, readonly string[]>> = {
  general: ['Processing'],
  nfe: ['Created', 'Processing'],
  nfce: ['Created', 'Processing'],
  nfse: ['WaitingCalculateTaxes', 'WaitingDefineRpsNumber', 'WaitingSend', 'WaitingReturn'],
};

interface IssueRequest extends ReadInvoice {
  readonly tenantId: string;
  readonly companyId: string;
  readonly kind: InvoiceKind;
  readonly registration?: StoredRegistration | undefined;
}

/** Stores the invoice and starts its issue. The invoice exists even if the answer is lost. */
export function startIssue(core: Core, request: IssueRequest): StoredInvoice {
  const { registration, ...invoiceOf } = request;
  const { content, kind } = invoiceOf;
  const now = core.clock.now();
  const invoice: StoredInvoice = {
    ...invoiceOf,
    content: withoutServerFields(content, kind),
    id: core.chance.uuid(),
    externalId: textOf(content['externalId']),
    stateTaxId: registration?.id ?? null,
    environment: textOf(content['environment']) ?? environmentOf(registration),
    status: waitingStatuses[kind][0] ?? 'Processing',
    serie: null,
    number: null,
    accessKey: null,
    protocol: null,
    errorCode: null,
    errorMessage: null,
    createdAt: now,
    modifiedAt: now,
    issuedAt: null,
    cancelledAt: null,
    signature: null,
  };
  core.invoices.insert(invoice);
  scheduleStep(core, { id: invoice.id, kind, step: 1 }, now);
  return invoice;
}

/** Published: the registration decides where its invoices are authorised. `None` is read as production (assumed). */
function environmentOf(registration: StoredRegistration | undefined): string {
  return registration?.content['environmentType'] === 'Test' ? 'Test' : 'Production';
}

/** Fields that only the service sets. */
const serverFields: readonly string[] = [
  'id',
  'status',
  'flowStatus',
  'flowMessage',
  'authorization',
  'accessKey',
  'chaveAcesso',
  'checkCode',
  'protocolo',
  'totals',
  'errorCode',
  'errorMessage',
  'createdOn',
  'modifiedOn',
  'cancelledOn',
];

/** The city assigns the number of an NFS-e; the issuer may choose that of a product invoice. */
function withoutServerFields(content: StoredInvoice['content'], kind: InvoiceKind): StoredInvoice['content'] {
  const isServers = (name: string) =>
    serverFields.includes(name) || (kind === 'nfse' && name === 'number') || (kind === 'general' && name === 'numero');
  return Object.fromEntries(Object.entries(content).filter(([name]) => !isServers(name)));
}

interface IssueStep {
  readonly id: string;
  readonly kind: InvoiceKind;
  /** The number of statuses passed when this step is due. */
  readonly step: number;
}

/** The steps divide the sandbox's delay. */
export function scheduleStep(core: Core, { id, kind, step }: IssueStep, at: number): void {
  const eachMs = Math.ceil(core.options.validationDelayMs / waitingStatuses[kind].length);
  core.work.schedule(issuing, at + eachMs, { id, step });
}

/** Postpones the end of the issue, as a configured outcome requires. */
export function postponeEnd(core: Core, step: object, at: number): void {
  core.work.schedule(issuing, at, step);
}

/** Performs one step of the issue when it is due. */
export function advanceInvoice(core: Core, payload: unknown, at: number): void {
  if (!isRecord(payload) || typeof payload['id'] !== 'string') return;
  const { id, delayedBy } = payload;
  const step = Number(payload['step']);
  const invoice = core.invoices.get(id);
  if (invoice === undefined || waitingStatuses[invoice.kind][step - 1] !== invoice.status) return;
  const next = waitingStatuses[invoice.kind][step];
  if (next !== undefined) {
    core.invoices.change(id, { status: next, modifiedAt: at });
    scheduleStep(core, { id, kind: invoice.kind, step: step + 1 }, at);
    return;
  }
  const outcome =
    typeof delayedBy === 'number' ? core.invoiceOutcomes.get(delayedBy) : core.invoiceOutcomes.strike('issue', invoice);
  if (delayedBy === undefined && outcome?.delayMs !== undefined) {
    return postponeEnd(core, { id, step, delayedBy: outcome.outcomeId }, at + outcome.delayMs);
  }
  endIssue(core, invoice, { outcome, at });
}

interface End {
  readonly outcome: StoredInvoiceOutcome | undefined;
  readonly at: number;
}

function endIssue(core: Core, invoice: StoredInvoice, { outcome, at }: End): void {
  const refuse = (status: string, { code, message }: IssueRejection) => {
    const refused = { status, errorCode: outcome?.code ?? code, errorMessage: outcome?.message ?? message };
    core.invoices.change(invoice.id, { ...refused, ...keptNumber(core, invoice, at), modifiedAt: at });
    announceInvoice(core, invoice.id, { ending: 'issued_error', at });
  };
  const issue = () => {
    authorize(core, invoice, at);
    scheduleOwnInvoice(core, invoice.id, at);
    announceInvoice(core, invoice.id, { ending: 'issued_successfully', at });
  };
  switch (outcome?.outcome) {
    case 'pending':
      return;
    case 'unlisted':
      return core.invoices.change(invoice.id, { status: 'Quarantined', modifiedAt: at });
    case 'failed':
      return refuse(failedStatus(invoice), issueRejection('999'));
    case 'denied':
      return refuse(invoice.kind === 'nfse' ? 'IssueFailed' : 'IssueDenied', issueRejection('301'));
    case 'issued':
      return issue();
    default: {
      const reason = findIssueRejection(core, invoice, at);
      return reason === undefined ? issue() : refuse(failedStatus(invoice), reason);
    }
  }
}

function failedStatus({ kind }: StoredInvoice): string {
  return kind === 'nfse' ? 'IssueFailed' : 'Error';
}

/** Models in the keys; the short form issues a consumer invoice (assumed). */
const models = { nfe: '55', nfce: '65', general: '65' } as const;

/** Assigns number and key. */
function authorize(core: Core, invoice: StoredInvoice, at: number): void {
  const { id, kind } = invoice;
  const registration = registrationOf(core, invoice);
  const space = numberSpaceOf(core, invoice);
  const number = numberOf(core, invoice);
  if (registration !== undefined) takeNumber(core, registration, { serie: space.serie, number, at });
  // Published: the national contingency authorises NF-e only.
  const isContingency = kind === 'nfe' && registration?.authorizer === 'EPEC';
  const accessKey = keyOf(core, invoice, { serie: space.serie, number, emission: isContingency ? '4' : '1' });
  core.invoices.change(id, {
    status: isContingency ? 'IssuedContingency' : 'Issued',
    serie: space.serie,
    number,
    accessKey,
    protocol: kind === 'nfse' ? null : protocolOf(accessKey, at),
    issuedAt: at,
    modifiedAt: at,
  });
}

/** A failed invoice uses up the next number of its registration, unless another one has it (assumed). */
function keptNumber(core: Core, invoice: StoredInvoice, at: number): Partial<StoredInvoice> {
  const registration = registrationOf(core, invoice);
  if (registration?.content['number'] === undefined) return {};
  const space = numberSpaceOf(core, invoice);
  const { serie } = space;
  const number = numberOf(core, invoice);
  if (core.invoices.withNumber(space, number) !== undefined) return {};
  if (core.disablements.overlapping(space, number, number) !== undefined) return {};
  takeNumber(core, registration, { serie, number, at });
  return { serie, number };
}

/** The number of the body, else the next one of the registration, else of the serie. */
function numberOf(core: Core, invoice: StoredInvoice): number {
  const { kind, content } = invoice;
  if (kind !== 'nfse' && typeof content['number'] === 'number') return content['number'];
  const space = numberSpaceOf(core, invoice);
  const registration = registrationOf(core, invoice);
  const next = registration?.content['number'];
  const isOwnSerie = registration !== undefined && serieOf(registration) === space.serie;
  return notDisabled(core, space, isOwnSerie && typeof next === 'number' ? next : undefined);
}

/** The first number that is not disabled, from `from` or after the last one issued. */
function notDisabled(core: Core, space: NumberSpace, from: number | undefined): number {
  let number = from ?? core.invoices.lastNumber(space) + 1;
  for (;;) {
    const disabled = core.disablements.overlapping(space, number, number);
    if (disabled === undefined) return number;
    number = disabled.lastNumber + 1;
  }
}

function keyOf(
  core: Core,
  { id, tenantId, companyId, kind, createdAt }: StoredInvoice,
  { serie, number, emission }: { readonly serie: number; readonly number: number; readonly emission: '1' | '4' },
): string {
  const issuerTaxNumber = authorOf(core, tenantId, companyId);
  const random = String(Math.floor(core.chance.unit(`invoice:${id}`) * 1_000_000_000)).padStart(9, '0');
  const town = townOf(core, issuerTaxNumber);
  const parts = { town, issuerTaxNumber, issuedOn: createdAt, number, random };
  return kind === 'nfse' ? makeKey('nfse', parts) : makeInvoiceKey(models[kind], parts, { serie, emission });
}

/** 15 digits: the state's authority, the year, and digits of the key. */
export function protocolOf(accessKey: string, at: number): string {
  const year = String(new Date(at).getUTCFullYear() % 100).padStart(2, '0');
  return `1${accessKey.slice(0, 2)}${year}${accessKey.slice(25, 35)}`;
}

/** A rejection by the authority or the city: its code and its text, which is in Portuguese. */
interface IssueRejection {
  readonly code: string;
  readonly message: string;
}

const texts: Readonly<Record<string, string>> = {
  '203': 'Rejeição: Emissor não habilitado para emissão de NF-e',
  '206': 'Rejeição: NF-e já está inutilizada na Base de dados da SEFAZ',
  '280': 'Rejeição: Certificado Transmissor inválido',
  '281': 'Rejeição: Certificado Transmissor Data Validade',
  '301': 'Uso Denegado: Irregularidade fiscal do emitente',
  '501': 'Rejeição: Prazo de cancelamento superior ao previsto na Legislação',
  '539': 'Rejeição: Duplicidade de NF-e, com diferença na Chave de Acesso',
  '999': 'Rejeição: Erro não catalogado',
  E10: 'RPS já informado',
};

export function issueRejection(code: string): IssueRejection {
  return { code, message: texts[code] ?? `Rejeição ${code}` };
}

/** §1: a digital certificate is required. A missing one gets the code of an invalid one (assumed). */
const certificateCodes = { CertificateMissing: '280', CertificateExpired: '281' } as const;

/**
 * Rules about the issuer and other invoices: a certificate missing or expired at `at`, a number issued or disabled,
 * an RPS sent before.
 */
function findIssueRejection(core: Core, invoice: StoredInvoice, at: number): IssueRejection | undefined {
  const { content, companyId, environment, id, tenantId } = invoice;
  // The company is deleted since, and cannot issue.
  if (core.companies.find(tenantId, companyId) === undefined) return issueRejection('203');
  const trouble = certificateTrouble(core, companyId, at);
  if (trouble !== undefined) return issueRejection(certificateCodes[trouble]);
  if (invoice.kind === 'nfse') {
    const rps = { serial: content['rpsSerialNumber'], number: content['rpsNumber'] };
    const isTaken = core.invoices.hasRps({ companyId, environment }, rps);
    return isTaken ? issueRejection('E10') : undefined;
  }
  const number = numberOf(core, invoice);
  const space = numberSpaceOf(core, invoice);
  const holder = core.invoices.withNumber(space, number);
  if (holder !== undefined && holder.id !== id) return issueRejection('539');
  return core.disablements.overlapping(space, number, number) === undefined ? undefined : issueRejection('206');
}

/** The number space of an invoice. For an NFS-e, the serie is that of its RPS. */
function numberSpaceOf(core: Core, invoice: StoredInvoice): NumberSpace {
  const { companyId, kind, environment, content } = invoice;
  const given = kind === 'nfse' || kind === 'general' ? 1 : content['serie'];
  const registration = registrationOf(core, invoice);
  const usual = registration === undefined ? 1 : serieOf(registration);
  return { companyId, kind, environment, serie: typeof given === 'number' ? given : usual };
}
