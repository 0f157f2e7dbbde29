import type { Billing } from '../../contract/operation.js';
import type { OperationId, PathParameters } from '../../contract/operations.js';
import type { CertificateUpload } from '../certificate/receive.js';
import type { Caller } from '../core/callers.js';
import type { Core } from '../core/core.js';
import type { Effect } from '../core/ledger.js';
import type { Refusal } from '../core/refusal.js';
import type { Reached } from '../webhook/call-target.js';

/** One operation of the service. Checks first, writes last: a refusal must leave nothing behind. */
type Handler<Id extends OperationId> = (core: Core, call: Call<Id>) => Reply;

/** A family gives one handler for each of its operations. */
export type HandlersOf<Id extends OperationId> = { readonly [Each in Id]: Handler<Each> };

export interface Call<Id extends OperationId> {
  readonly operation: Id;
  readonly path: Readonly<Record<PathParameters<Id>, string>>;
  /** The company in the path; `undefined` where the operation is served without one. */
  readonly companyId: string | undefined;
  /** The address that the caller used, e.g. `http://127.0.0.1:4000`, for a `Location`. */
  readonly origin: string;
  readonly query: URLSearchParams;
  /** The parsed JSON body; `undefined` when none came, and for a form. */
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  readonly caller: Caller;
  readonly prepared: Prepared;
}

/** What a request needs from outside of its transaction, which is synchronous. */
export interface Prepared {
  /** What the address of a new webhook answered to a ping. */
  readonly reached?: Reached;
  /** The form that brings a certificate, or why it is refused. */
  readonly upload?: CertificateUpload | Refusal;
}

/** A body that is no JSON. */
export interface Content {
  readonly type: string;
  readonly bytes: Uint8Array | Endless;
}

/** So many bytes, made as they are sent, whose number no header tells. */
export interface Endless {
  readonly piece: Uint8Array;
  readonly total: number;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  /** Instead of a body in JSON. */
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, string>>;
  /** What changed, for the ledger. */
  readonly effect?: Effect;
  /** What the service bills for this very call. */
  readonly billed?: Exclude<Billing, null>;
}

/** §2, `AsyncAcceptedResource`: the standard body of 202. `message` is public. */
export interface Accepted {
  /** Id of what was accepted: a document, an event, an invoice, or a piece of work. */
  readonly documentId: string;
  readonly companyId: string;
  readonly message: string;
}

export const inBackground = 'Accepted: it is processed in the background.';
export const beingMade = 'The file is being made.';
