/** How the sandbox is started and what it says of itself: the only words that it and the program share. */

/** The account that a sandbox serves. Its keys begin with `sbx_`. */
export interface SandboxAccount {
  readonly tenantId: string;
  readonly companyId: string;
  readonly invoiceKey: string;
  readonly dataKey: string;
}

/** How a read of XML or PDF answers: the bytes, a redirect to another port, or JSON with such an address. */
export const byteModes = ['bytes', 'redirect', 'json'] as const;
export type ByteMode = (typeof byteModes)[number];

/** Whether the service keeps an `Idempotency-Key`; the document promises neither. */
export const idempotencyModes = ['ignored', 'honoured'] as const;
export type IdempotencyMode = (typeof idempotencyModes)[number];

/** Whether a second NFS-e with the same `externalId` is taken or refused; the document promises neither. */
export const externalIdModes = ['any', 'unique'] as const;
export type ExternalIdMode = (typeof externalIdModes)[number];

export interface SandboxOptions {
  /** A SQLite file, or `:memory:`. Several processes may serve one file. */
  readonly path: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  readonly host?: string;
  /** Without one, the account of the file, or a new one. */
  readonly account?: SandboxAccount;
  readonly seed?: number;
  readonly bytes?: ByteMode;
  /** Requests per second; beyond them 429. */
  readonly rate?: number;
  readonly alphanumericKeys?: boolean;
  /** Reads show what was created only so much later. */
  readonly lagMs?: number;
  /** How far the clock of the service is from that of the machine; remembered by the file. */
  readonly clockOffsetMs?: number;
  readonly idempotencyKeys?: IdempotencyMode;
  readonly externalIds?: ExternalIdMode;
  /** From the storing of a product to the end of its validation, and of an event to its sending. */
  readonly validationDelayMs?: number;
  /** False: an embedded sandbox, which does not keep its process alive. */
  readonly keepsProcess?: boolean;
}

export interface RunningSandbox {
  readonly url: string;
  readonly ready: SandboxReady;
  close(): Promise<void>;
}

/** The one line by which scripts in any language learn where the service is and which keys it takes. */
export interface SandboxReady extends SandboxAccount {
  readonly type: 'ready';
  readonly url: string;
  readonly jwt: string;
}

/**
 * Ways to fail. `cut-before` destroys the socket before the effect, `cut-after` after it, `cut-body` in the middle
 * of the answer; `500-after` and `503-after` answer so after the effect; after `cut-late`, `500-late` and `503-late` the
 * effect comes by itself after `delayMs`; `empty-body` answers a success without body and Location; `404` knows nothing
 * of what is there, as a read that lags behind does; `cut-list` gives the first half of the rows of a page as if they were
 * the last, with neither link nor word of more, but leaves its count; `stall` begins the
 * answer and never ends it. `ignore-key` does as if no Idempotency-Key had come, as some deployments do.
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
  'cut-list',
  'broken-json',
  'stall',
  'redirect',
  'ignore-key',
] as const;

export type FaultKind = (typeof faultKinds)[number];

/**
 * What can go wrong with a delivery of a webhook: it comes twice, later, after later ones, or with one that somebody forged.
 */
export const deliveryFaultKinds = ['doubled', 'late', 'reordered', 'forged'] as const;
export type DeliveryFaultKind = (typeof deliveryFaultKinds)[number];

/**
 * What the tax authority is told to do: `accept` and `reject` whatever its rules say, `fail` to answer before it
 * registers the event, `fail-after` to register it and not answer, `never` to answer at all.
 */
export const authorityOutcomes = ['accept', 'reject', 'fail', 'fail-after', 'never'] as const;
export type AuthorityOutcome = (typeof authorityOutcomes)[number];

/**
 * How the issue of an invoice ends: `failed` is `Error` or `IssueFailed`, `denied` is `IssueDenied` (of an NFS-e
 * `IssueFailed`), `pending` never ends, `unlisted` is a status that no list names. The others are ends of a cancellation.
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

/** The kinds of invoices; `general` is the short way of the document, which names no model (§4). */
export const invoiceKinds = ['general', 'nfe', 'nfce', 'nfse'] as const;
