/**
 * The start options and the ready line of the sandbox: all that it shares with the program besides the service's
 * contract.
 */

/** The account that a sandbox serves. Its keys begin with `sbx_`. */
export interface SandboxAccount {
  readonly tenantId: string;
  readonly companyId: string;
  readonly invoiceKey: string;
  readonly dataKey: string;
}

/**
 * How the sandbox answers a read of XML or PDF: the bytes, a redirect to another port, or JSON with such an address.
 */
export const byteModes = ['bytes', 'redirect', 'json'] as const;
export type ByteMode = (typeof byteModes)[number];

/** Whether the service honours an `Idempotency-Key`; the service document promises neither. */
export const idempotencyModes = ['ignored', 'honoured'] as const;
export type IdempotencyMode = (typeof idempotencyModes)[number];

/** Whether the service accepts a second NFS-e with the same `externalId`; the service document promises neither. */
export const externalIdModes = ['any', 'unique'] as const;
export type ExternalIdMode = (typeof externalIdModes)[number];

/** Whether the lists by OData come in an envelope, or, of NF-e and CT-e, as the bare array of the published description. */
export const listModes = ['envelope', 'bare'] as const;
export type ListMode = (typeof listModes)[number];

export interface SandboxOptions {
  /** A SQLite file, or `:memory:`. Several processes may serve one file. */
  readonly path: string;
  /** 0, the default, selects a free port. */
  readonly port?: number;
  readonly host?: string;
  /** Default: the account of the file, or a new one. */
  readonly account?: SandboxAccount;
  readonly seed?: number;
  readonly bytes?: ByteMode;
  /** Requests per second; above it the sandbox answers 429. */
  readonly rate?: number;
  readonly alphanumericKeys?: boolean;
  /** The delay after which reads show a new resource. */
  readonly lagMs?: number;
  /** The offset between the clock of the service and that of the machine; the file remembers it. */
  readonly clockOffsetMs?: number;
  readonly idempotencyKeys?: IdempotencyMode;
  readonly externalIds?: ExternalIdMode;
  readonly lists?: ListMode;
  /** Accepts unknown fields and other types in bodies that the service closes; default: refuses them. */
  readonly lenient?: boolean;
  /** The time from storing a product to the end of its validation, and from storing an event to sending it. */
  readonly validationDelayMs?: number;
  /** False: an embedded sandbox, which does not keep its process alive. */
  readonly keepsProcess?: boolean;
}

export interface RunningSandbox {
  readonly url: string;
  readonly ready: SandboxReady;
  close(): Promise<void>;
}

/** The ready line on stdout, from which scripts in any language read the address and the keys. */
export interface SandboxReady extends SandboxAccount {
  readonly type: 'ready';
  readonly url: string;
  readonly jwt: string;
}

/**
 * Lists that are unkind in one answer. `cut-list` returns the first half of a page as if it were the last, without a link to more,
 * but with the full count; `list-row-twice` gives the first row of a page in place of the second; `list-row-missing` leaves the
 * first row out; `list-page-again` gives the rows of the first answer that it strikes in each later one; `list-total-of-page` counts
 * the rows of the page, `list-total-wrong` one row too many; with `list-rows-move` the first row of the page has left the list;
 * `list-no-total` counts nothing; `list-null` has null in place of the rows.
 */
export const listFaultKinds = [
  'cut-list',
  'list-row-twice',
  'list-row-missing',
  'list-page-again',
  'list-total-of-page',
  'list-total-wrong',
  'list-rows-move',
  'list-no-total',
  'list-null',
] as const;
export type ListFaultKind = (typeof listFaultKinds)[number];

/**
 * Simulated failures. `cut-before` destroys the socket before the effect, `cut-after` after it, `cut-body` in the
 * middle of the answer; `500-after` and `503-after` fail after the effect; `cut-late`, `500-late` and `503-late` fail
 * first, and the effect follows after `delayMs`; `empty-body` is a success without body and Location; `404` hides an
 * existing resource, as a lagging read does; `stall` starts the answer and never ends it; `ignore-key` ignores
 * the Idempotency-Key, as some deployments do.
 */
export const faultKinds = [
  '404',
  '429',
  '503',
  '500',
  '500-after',
  '503-after',
  '500-late',
  '503-late',
  'empty-body',
  'slow',
  'cut-before',
  'cut-after',
  'cut-late',
  'cut-body',
  ...listFaultKinds,
  'broken-json',
  'stall',
  'redirect',
  'ignore-key',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/**
 * Simulated faults of a webhook delivery: sent twice, sent late, sent after later ones, or accompanied by a forged one.
 */
export const deliveryFaultKinds = ['doubled', 'late', 'reordered', 'forged'] as const;
export type DeliveryFaultKind = (typeof deliveryFaultKinds)[number];

/**
 * What the simulated tax authority does: `accept` and `reject` regardless of its rules, `fail` before it registers
 * the event, `fail-after` registers it and does not answer, `never` does not answer.
 */
export const authorityOutcomes = ['accept', 'reject', 'fail', 'fail-after', 'never'] as const;
export type AuthorityOutcome = (typeof authorityOutcomes)[number];

/**
 * The outcome of an issue: `failed` is `Error` or `IssueFailed`, `denied` is `IssueDenied` (for an NFS-e
 * `IssueFailed`), `pending` never completes, `unlisted` is an undocumented status. The others are outcomes of a
 * cancellation.
 */
export const invoiceOutcomeKinds = [
  'issued',
  'failed',
  'denied',
  'pending',
  'unlisted',
  'cancelled',
  'cancel-failed',
  'cancel-pending',
] as const;
export type InvoiceOutcomeKind = (typeof invoiceOutcomeKinds)[number];

/** The kinds of invoices; `general` is the short form of the service document, which names no model (§4). */
export const invoiceKinds = ['general', 'nfe', 'nfce', 'nfse'] as const;
