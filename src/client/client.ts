import type { Credential, Settings } from '../config/settings.js';
import type { HostName, HttpMethod, KeyKind } from '../contract/operation.js';
import type { OperationBodies, OperationId, PathParameters } from '../contract/operations.js';
import type { Billed } from '../domain/billing.js';
import type { Clock, Environment, Random } from '../domain/world.js';
import type { Sent } from '../errors/fiscal-error.js';
import type { ByteSink } from './receive.js';

/** Speaks to the service. Every failure is a `FiscalError` whose facts say whether the request was sent. */
export interface Client {
  call<Id extends OperationId>(
    id: Id,
    input: CallInput<Id>,
    options?: CallOptions,
  ): Promise<Answer<OperationBodies[Id]['response']>>;
  /**
   * Reads the bytes of a document (operations.md, "Bytes"): as they are, by a redirect, or from the address that a JSON
   * answer names. No key goes to another host. A broken answer is read again; the sink is told to start over.
   */
  download<Id extends OperationId>(id: Id, input: CallInput<Id>, how: DownloadOptions): Promise<Downloaded>;
  /** Any path (`fiscal api`); retried only when `method` is GET. The body is the bytes as they came. */
  raw(request: RawRequest, options?: CallOptions): Promise<Answer<Uint8Array>>;
  /** The request as it would be sent, secrets masked. Nothing leaves the machine. */
  preview<Id extends OperationId>(id: Id, input: CallInput<Id>): Promise<RequestPreview>;
  previewRaw(request: RawRequest): Promise<RequestPreview>;
  /** Closes the kept connections. */
  close(): Promise<void>;
}

export interface CallInput<Id extends OperationId> {
  readonly path: Readonly<Record<PathParameters<Id>, string>>;
  /**
   * Whom the call is for, where the service's own path does not name it: fills `{companyId}` in the profile's path of the
   * operation, and the answer must be about it.
   */
  readonly companyId?: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: OperationBodies[Id]['request'];
  /** Sent as `Idempotency-Key`; made once per item and stored before the send. */
  readonly idempotencyKey?: string;
}

export interface CallOptions {
  /** `policy`: retry by the operation's replay; `once`: one attempt, the caller decides (the job engine). */
  readonly attempts?: 'policy' | 'once';
  /** True when this very call is billed (a product with tax rules); decides what may be repeated. */
  readonly billed?: boolean;
  /** The user accepts that a billed call of unknown outcome is made again. */
  readonly retryBillable?: boolean;
  readonly signal?: AbortSignal;
  /** Called when the pace lets a request go, before each attempt; what it throws ends the call, and nothing was sent. */
  readonly beforeSend?: () => void;
  readonly jobId?: string;
  readonly itemId?: string;
}

export interface DownloadOptions extends CallOptions {
  readonly sink: ByteSink;
  /** More than this ends the reading with `service.unreadable` (default 64 MiB). */
  readonly maxBytes?: number;
}

/** What came of a read of bytes. They went to the sink, exactly as they came. */
export interface Downloaded {
  /** 200 with bytes; 202: still being made; 204: there is none. */
  readonly status: number;
  readonly bytes: number;
  readonly contentType?: string;
  readonly requestId?: string;
  /** When a 202 asks to come back. */
  readonly retryAfterMs?: number;
  readonly attempts: number;
}

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
  /** The `Location` header, with http:// on a known https host read as https. */
  readonly location?: string;
  readonly requestId?: string;
  /** The service's clock, by the `Date` header of the answer, in milliseconds. */
  readonly servedAt?: number;
  readonly attempts: number;
  /** What the call cost; absent: nothing. */
  readonly billed?: Billed;
  /** Attempts before the last that may have been billed; absent: none. */
  readonly billedUnknown?: number;
}

export interface RawRequest {
  readonly method: HttpMethod;
  /** `/v2/companies?limit=1`, or an absolute address on one of the profile's hosts. */
  readonly path: string;
  readonly host: HostName;
  readonly key: KeyKind;
  /** JSON text, sent as written. */
  readonly body?: string;
}

/** One request as `--dry-run` and `--debug-http` show it. */
export interface RequestPreview {
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** One attempt on the wire, redacted before anyone may keep it. Handed to the recorder. */
export interface Exchange {
  readonly at: number;
  readonly operation: string;
  readonly method: HttpMethod;
  readonly url: string;
  readonly attempt: number;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly durationMs: number;
  readonly sent: Sent;
  readonly errorCode?: string | undefined;
  readonly billed: boolean;
  /** What the service bills once, however often it is asked for: an access key. */
  readonly billedOnceFor?: string | undefined;
  readonly companyId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly itemId?: string | undefined;
}

/** Keeps the request history and the usage; the client only reports. */
export interface Recorder {
  /** Gives what a call cost as soon as that is kept; `undefined` for a call that is not billed. */
  record(exchange: Exchange): Promise<Billed> | undefined;
}

/** The common pace of all processes of this machine towards one host. */
export interface Pace {
  /** Resolves when a request to `host` may start; rejects with `service.rate_limited` beyond the limit. */
  enter(host: string, signal?: AbortSignal): Promise<void>;
  /** Told after every answer, so that a 429 or a spaced capture holds everybody back. */
  observe(host: string, answer: { readonly status: number; readonly retryAfterMs?: number }): Promise<void>;
}

/** What the client must know of the run's settings. */
export type ClientSettings = Pick<
  Settings,
  | 'profile'
  | 'hosts'
  | 'paths'
  | 'keyIn'
  | 'connectTimeoutMs'
  | 'readTimeoutMs'
  | 'maxRetryWaitMs'
  | 'caCert'
  | 'proxy'
> &
  Partial<Pick<Settings, 'dryRun'>>;

export interface ClientOptions {
  readonly settings: ClientSettings;
  /** Asked once per kind, when the first call needs it. */
  credential(kind: KeyKind): Promise<Credential>;
  readonly pace: Pace;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly random: Random;
  readonly env: Environment;
  /** Takes the lines of `--debug-http`, already redacted. Absent: nothing is formatted. */
  debug?(line: string): void;
  /** Ends every call under way: the interruption of the run. */
  readonly signal: AbortSignal;
}
