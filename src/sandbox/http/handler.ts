import type { Billing } from '../../contract/operation.js';
import type { OperationId, PathParameters } from '../../contract/operations.js';
import type { CertificateUpload } from '../company/pfx.js';
import type { Caller } from '../core/callers.js';
import type { Core } from '../core/core.js';
import type { Effect } from '../core/ledger.js';
import type { Refusal } from '../core/refusal.js';
import type { Reached } from '../webhook/sender.js';

/** Handles one operation. Checks first, writes last: a refusal changes nothing. */
type Handler<Id extends OperationId> = (core: Core, call: Call<Id>) => Reply;

/** One handler for each operation of a family. */
export type HandlersOf<Id extends OperationId> = { readonly [Each in Id]: Handler<Each> };

export interface Call<Id extends OperationId> {
  readonly operation: Id;
  readonly path: Readonly<Record<PathParameters<Id>, string>>;
  /** The company in the path; `undefined` if the path has none. */
  readonly companyId: string | undefined;
  /** The origin of the request, e.g. `http://127.0.0.1:4000`, for a `Location`. */
  readonly origin: string;
  /** The address of the request without its query: one operation may have several paths. */
  readonly address: string;
  readonly query: URLSearchParams;
  /** The parsed JSON body; `undefined` without a body, and for a form. */
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  readonly caller: Caller;
  readonly prepared: Prepared;
}

/** The results of asynchronous work before the transaction, which is synchronous. */
export interface Prepared {
  /** The answer of a new webhook's address to a ping. */
  readonly reached?: Reached;
  /** The form with a certificate, or its refusal. */
  readonly upload?: CertificateUpload | Refusal;
}

/** A body that is not JSON. */
export interface Content {
  readonly type: string;
  readonly bytes: Uint8Array | Endless;
}

/** A body of `total` bytes, created while it is sent, without Content-Length. */
export interface Endless {
  readonly piece: Uint8Array;
  readonly total: number;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  /** Replaces a JSON body. */
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, string>>;
  /** The effect, for the ledger. */
  readonly effect?: Effect;
  /** What the service bills for this call. */
  readonly billed?: Exclude<Billing, null>;
}

/** §2, `AsyncAcceptedResource`: the standard body of 202. `message` is public. */
export interface Accepted {
  /** Id of the accepted resource: a document, an event, an invoice, or a piece of work. */
  readonly documentId: string;
  readonly companyId: string;
  readonly message: string;
}

export const inBackground = 'Accepted: it is processed in the background.';
export const beingMade = 'The file is being made.';
