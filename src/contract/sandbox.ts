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
