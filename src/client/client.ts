import type { Credential, Settings } from '../config/settings.js';
import type { HostName, HttpMethod, KeyKind } from '../contract/operation.js';
import type { OperationBodies, OperationId, PathParameters } from '../contract/operations.js';
import type { Text } from '../contract/text.js';
import type { Billed } from '../domain/billing.js';
import type { Deprecation } from '../domain/deprecation.js';
import type { Clock, Environment, Random } from '../domain/world.js';
import type { Sent } from '../errors/fiscal-error.js';
import type { ByteSink } from './receive.js';
import type { RequestedWait } from './retry-policy.js';

/** The connection to the service. Every failure is a `FiscalError` whose facts say whether the request was sent. */
export interface Client {
  call<Id extends OperationId>(
    id: Id,
    input: CallInput<Id>,
    options?: CallOptions,
  ): Promise<Answer<OperationBodies[Id]['response']>>;
  /**
   * Downloads the bytes of a document (operations.md, "Bytes"): directly, by redirect, or from the address in a JSON
   * answer. No key goes to another host. A broken answer is read again after `sink.restart()`.
   */
  download<Id extends OperationId>(id: Id, input: CallInput<Id>, how: DownloadOptions): Promise<Downloaded>;
  /** Calls any path (`fiscal api`); retried only for a GET. The body is the unchanged bytes. */
  raw(request: RawRequest, options?: CallOptions): Promise<Answer<Uint8Array>>;
  /**
   * One GET, whatever its status, without retry and without following a redirect (`fiscal doctor --probe`). Rejects
   * only when no answer came.
   */
  look(request: LookRequest, options?: Pick<CallOptions, 'signal'>): Promise<Look>;
  /** The request as it would be sent, with secrets masked. Nothing leaves the machine. */
  preview<Id extends OperationId>(id: Id, input: CallInput<Id>): Promise<RequestPreview>;
  previewRaw(request: RawRequest): Promise<RequestPreview>;
  /** Closes the keep-alive connections. */
  close(): Promise<void>;
}

export interface CallInput<Id extends OperationId> {
  readonly path: Readonly<Record<PathParameters<Id>, string>>;
  /**
   * The company of the call, when the service's own path does not name it: fills `{companyId}` in the profile's path,
   * and the answer must be about it.
   */
  readonly companyId?: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: OperationBodies[Id]['request'];
  /** Sent as `Idempotency-Key`; created once per item and stored before sending. */
  readonly idempotencyKey?: string;
}

export interface CallOptions {
  /** `policy`: retried by the operation's replay rule. `once`: one attempt; the caller decides (the job engine). */
  readonly attempts?: 'policy' | 'once';
  /** Whether this call is billed (a product with tax rules); restricts retries. */
  readonly billed?: boolean;
  /** The user allows repeating a billed call whose outcome is unknown. */
  readonly retryBillable?: boolean;
  readonly signal?: AbortSignal;
  /** Called before each attempt, after the rate limit has released it. Throwing ends the call with nothing sent. */
  readonly beforeSend?: () => void;
  readonly jobId?: string;
  readonly itemId?: string;
  /** For a call between two writes of its caller. */
  readonly around?: AroundCall;
}

/** What the caller reads with its write before a call and stores with its write after it, so that neither costs a statement. */
export interface AroundCall {
  /** The pace of the host as that write has left it, for one attempt; `undefined`: not known, or read before `since`. */
  takePace(host: string, since: number): { readonly seen: SeenPace | undefined } | undefined;
  /** Takes the record of an attempt to the write after it. Where none comes at once, `alone` is called. */
  takeRecord(record: CallRecord, alone: () => void): void;
}

/** What the row of a host says before a request. */
export interface SeenPace {
  readonly blockedUntil: number;
  /** `null`: it has refused nothing. */
  readonly refusedAt: number | null;
}

export interface DownloadOptions extends CallOptions {
  readonly sink: ByteSink;
  /** A longer body ends with `service.unreadable`. Default: 64 MiB. */
  readonly maxBytes?: number;
}

/** The result of a download; the bytes went to the sink unchanged. */
export interface Downloaded {
  /** 200: bytes; 202: still in preparation; 204: none exists. */
  readonly status: number;
  readonly bytes: number;
  readonly contentType?: string;
  readonly requestId?: string;
  /** When to retry after a 202. */
  readonly retryAfterMs?: number;
  readonly attempts: number;
}

export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
  /** The `Location` header; http:// on a host known to use https is read as https. */
  readonly location?: string;
  /** The id in the `Location`, where its address fits the operation. */
  readonly createdId?: string;
  readonly requestId?: string;
  /** The text of an answer that is a JSON string: one line of at most 200 characters, without secrets. The body is `undefined`. */
  readonly said?: string;
  /** The service's clock from the `Date` header, in milliseconds. */
  readonly servedAt?: number;
  readonly attempts: number;
  /** What the call cost; absent: nothing. */
  readonly billed?: Billed;
  /** Number of earlier attempts that may have been billed; absent: none. */
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

/** A GET whose answer is examined, whatever its status. */
export interface LookRequest {
  readonly host: HostName;
  readonly path: string;
  /** Absent: sent without a key. */
  readonly key?: KeyKind;
}

/** What came. Texts contain no key of the request, in whatever place the service repeats it. */
export interface Look {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** By the clock of this machine, around the one request: milliseconds. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Absent for plain http. */
  readonly tls?: TlsFacts;
}

export interface TlsFacts {
  /** e.g. `TLSv1.3`. */
  readonly protocol: string;
  /** UTC: the end of the server's certificate; absent when it cannot be read. */
  readonly validUntil?: string;
}

/** One request as `--dry-run` and `--debug-http` show it. */
export interface RequestPreview {
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** One attempt as reported to the recorder, with secrets masked. */
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
  /** What the service bills only once, such as an access key. */
  readonly billedOnceFor?: string | undefined;
  readonly companyId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly itemId?: string | undefined;
  /** What the service announces about the operation. */
  readonly deprecation?: Deprecation | undefined;
}

/** The same as the history has it. */
export type CallRecord = Omit<Exchange, 'billed' | 'billedOnceFor' | 'companyId'> & { readonly profile: string };

/** A call that the service bills, before it is sent. */
export type BilledCall = Pick<Exchange, 'operation' | 'companyId' | 'billedOnceFor' | 'jobId' | 'itemId'>;

/** A billed call that is counted as one of unknown outcome until this is called. Returns what it cost once that is stored. */
export type SettleBilled = (end: {
  readonly outcome: Exclude<Billed, 'repeat'>;
  readonly requestId?: string | undefined;
}) => Promise<Billed>;

/** Stores the request history and the usage that the client reports. */
export interface Recorder {
  /**
   * Counts a billed call before it is sent; `undefined`: the operation is never billed. Rejects when a budget does not allow it
   * (`budget.reached`), or when it cannot be stored: then nothing is sent.
   */
  reserve(call: BilledCall): Promise<SettleBilled | undefined>;
  /** Resolves with what a reserved call cost once that is stored. */
  record(exchange: Exchange, settle?: SettleBilled, around?: AroundCall): Promise<Billed> | undefined;
}

/** What an answer says about the pace, and how long the request took. */
export interface PacedAnswer extends Partial<RequestedWait> {
  readonly status: number;
  readonly tookMs: number;
}

/** The request rate towards a host, shared by all processes of this machine. */
export interface Pace {
  /** Resolves when a request to `host` may start. Rejects with `service.rate_limited` when the wait is too long. */
  enter(host: string, signal?: AbortSignal, around?: AroundCall): Promise<void>;
  /** Called after every answer, so that a 429 or a `Retry-After` delays every process. */
  observe(host: string, answer: PacedAnswer): Promise<void>;
}

/** The settings that the client needs. */
export type ClientSettings = Pick<
  Settings,
  | 'profile'
  | 'hosts'
  | 'paths'
  | 'keyIn'
  | 'sends'
  | 'connectTimeoutMs'
  | 'readTimeoutMs'
  | 'maxRetryWaitMs'
  | 'maxBelievedWaitMs'
  | 'caCert'
  | 'proxy'
> &
  Partial<Pick<Settings, 'dryRun' | 'shapes'>>;

export interface ClientOptions {
  readonly settings: ClientSettings;
  /** Called once per kind, when the first call needs the key. */
  credential(kind: KeyKind): Promise<Credential>;
  readonly pace: Pace;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly random: Random;
  readonly env: Environment;
  /** Receives the lines of `--debug-http`, already masked. Absent: nothing is formatted. */
  debug?(line: string): void;
  /** Called before each call that writes. */
  beforeWrite?(): Promise<void>;
  /** Says once that the clocks of the service and of this machine differ. Absent: nothing compares them. */
  clocksDiffer?(sentence: Text): Promise<void>;
  /** Aborts every call in progress: the interruption of the run. */
  readonly signal: AbortSignal;
}
