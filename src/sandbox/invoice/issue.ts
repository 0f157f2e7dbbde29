import type { InvoiceKind, StoredRegistration } from '../core/records.js';
import type { Core } from '../core/core.js';
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
    serverFields.includes(name) ||
    (kind === 'nfse' && name === 'number') ||
    (kind === 'general' && name === 'numero');
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

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
