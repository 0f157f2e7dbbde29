import type { ServerResponse } from 'node:http';
import { Readable, pipeline } from 'node:stream';
import type { ApiError } from '../../contract/error-body.js';
import { type ListFaultKind, listFaultKinds } from '../../contract/sandbox.js';
import type { Core } from '../core/core.js';
import { isRecord, writeExactly } from '../core/exact-json.js';
import type { LedgerEntry } from '../core/ledger.js';
import { Refusal, type RefusalCode } from '../core/refusal.js';
import type { StoredFault } from '../core/rules.js';
import type { Content, Endless, Reply } from './handler.js';
import { messageOf } from './request.js';

/** The answer to send. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty without a body. */
  readonly bytes: Uint8Array | Endless;
}

/** The answer, and the fault that breaks its delivery, if any. */
export interface Delivery {
  readonly answer: Answer;
  readonly fault: StoredFault | undefined;
}

export function answerOf(reply: Reply, requestId: string): Answer {
  const content = contentOf(reply);
  return {
    status: reply.status,
    headers: {
      ...(content === undefined ? {} : { 'content-type': content.type }),
      'x-request-id': requestId,
      ...reply.headers,
    },
    bytes: content?.bytes ?? new Uint8Array(),
  };
}

function contentOf({ body, content }: Reply): Content | undefined {
  if (content !== undefined || body === undefined) return content;
  return { type: 'application/json; charset=utf-8', bytes: Buffer.from(writeExactly(body), 'utf8') };
}

/** Turns any error into the error body of §7. */
export function refusalReply(error: unknown, requestId: string): Reply {
  const refusal = error instanceof Refusal ? error : unexpected(error);
  const body: ApiError = {
    error: { code: refusal.code, message: refusal.message, details: refusal.details, requestId },
  };
  return { status: refusal.status, body, headers: refusal.headers };
}

function unexpected(error: unknown): Refusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('SQLITE_BUSY')) {
    return new Refusal('unavailable', 'Another process has locked the file of the sandbox.', {
      headers: { 'retry-after': '1' },
    });
  }
  return new Refusal('internal_error', `The sandbox failed: ${messageOf(error)}`);
}

/** The reply of a fault that applies before the operation; `undefined` if the operation runs. */
export function replyOver(fault: StoredFault | undefined, requestId: string): Reply | undefined {
  switch (fault?.kind) {
    case '404':
      return refuse('not_found', requestId, undefined);
    case '429':
      return refuse('rate_limited', requestId, fault.retryAfter ?? 1);
    case '503':
    case '503-late':
      return refuse('unavailable', requestId, fault.retryAfter);
    case '500':
    case '500-late':
      return refuse('internal_error', requestId, fault.retryAfter);
    case 'redirect':
      // 307 keeps method and body: the strictest test of what a client forwards.
      return { status: 307, headers: { location: fault.to ?? '/' } };
    case 'cut-before':
    case 'cut-late':
      // Never sent: the socket is destroyed.
      return { status: 500 };
    default:
      return undefined;
  }
}

/** The reply after the operation: an error despite its effect, a success without a body, or an unkind list. */
export function replyInstead(
  core: Core,
  fault: StoredFault | undefined,
  { reply, requestId }: { readonly reply: Reply; readonly requestId: string },
): Reply {
  const done = {
    ...(reply.effect === undefined ? {} : { effect: reply.effect }),
    ...(reply.billed === undefined ? {} : { billed: reply.billed }),
  };
  switch (fault?.kind) {
    case '500-after':
      return { ...refuse('internal_error', requestId, fault.retryAfter), ...done };
    case '503-after':
      return { ...refuse('unavailable', requestId, fault.retryAfter), ...done };
    case 'empty-body':
      return reply.status < 300 ? { status: reply.status, ...done } : reply;
    default:
      return isOfLists(fault)
        ? { ...reply, body: unkindList(fault, reply.body, (rows) => core.faults.keepRows(fault, rows)) }
        : reply;
  }
}

function isOfLists(fault: StoredFault | undefined): fault is StoredFault & { readonly kind: ListFaultKind } {
  return listFaultKinds.some((kind) => kind === fault?.kind);
}

/** True if the effect comes after the answer. */
export function isLate(fault: StoredFault | undefined): boolean {
  return fault?.kind === 'cut-late' || fault?.kind === '500-late' || fault?.kind === '503-late';
}

export function cutOf(fault: StoredFault | undefined): LedgerEntry['cut'] {
  switch (fault?.kind) {
    case 'cut-before':
    case 'cut-late':
      return 'before';
    case 'cut-after':
      return 'after';
    case 'cut-body':
    case 'stall':
      return 'body';
    default:
      return null;
  }
}

function refuse(code: RefusalCode, requestId: string, retryAfter: number | string | undefined): Reply {
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  return refusalReply(new Refusal(code, 'A simulated fault.', { headers }), requestId);
}

/** Sends the answer, or breaks it as the fault defines. */
export function deliver(outgoing: ServerResponse, { answer, fault }: Delivery): void {
  switch (fault?.kind) {
    case 'cut-before':
    case 'cut-late':
    case 'cut-after':
      return void outgoing.destroy();
    case 'cut-body':
      return sendHalf(outgoing, answer, () => outgoing.destroy());
    case 'stall':
      return sendHalf(outgoing, answer, () => endStall(outgoing, fault));
    case 'broken-json':
      return send(outgoing, { ...answer, status: bodyStatus(answer), bytes: half(answer) });
    case 'slow':
      return later(fault.delayMs ?? 1_000, () => send(outgoing, answer));
    default:
      return send(outgoing, answer);
  }
}

function send(outgoing: ServerResponse, answer: Answer): void {
  if (outgoing.destroyed) return;
  const { bytes } = answer;
  if (!(bytes instanceof Uint8Array)) return sendEndless(outgoing, answer, bytes);
  outgoing.writeHead(answer.status, withLength(answer, bytes.byteLength));
  outgoing.end(bytes);
}

/** Without Content-Length: the client learns the size only by counting. */
function sendEndless(outgoing: ServerResponse, answer: Answer, endless: Endless): void {
  outgoing.writeHead(answer.status, { ...answer.headers });
  // The client disconnects at some point; there is no one to report to.
  pipeline(Readable.from(pieces(endless)), outgoing, () => undefined);
}

function* pieces({ piece, total }: Endless): Generator<Uint8Array> {
  for (let sent = 0; sent < total; sent += piece.byteLength) yield piece;
}

/** Announces the whole body and sends half of it. */
function sendHalf(outgoing: ServerResponse, answer: Answer, afterwards: () => void): void {
  const bytes = half(answer);
  outgoing.writeHead(bodyStatus(answer), withLength(answer, bytes.byteLength * 2));
  outgoing.write(bytes, afterwards);
}

/** Without a delay the connection stays open until the client closes it. */
function endStall(outgoing: ServerResponse, fault: StoredFault): void {
  if (fault.delayMs !== undefined) later(fault.delayMs, () => outgoing.destroy());
}

function half({ bytes }: Answer): Uint8Array {
  if (!(bytes instanceof Uint8Array)) return bytes.piece;
  return bytes.byteLength === 0 ? Buffer.from('{"') : bytes.subarray(0, Math.ceil(bytes.byteLength / 2));
}

/** Body faults need a body: a 204 becomes a 200. */
function bodyStatus(answer: Answer): number {
  return answer.status === 204 ? 200 : answer.status;
}

/** RFC 9110 §8.6: no Content-Length with 204. */
function withLength(answer: Answer, length: number): Record<string, string | number> {
  if (answer.status === 204 && length === 0) return { ...answer.headers };
  return { ...answer.headers, 'content-length': length };
}

function later(delayMs: number, action: () => void): void {
  setTimeout(action, delayMs).unref();
}

type Body = Readonly<Record<string, unknown>>;

const rowFields = [
  ...['value', 'documents', 'companies', 'items', 'notifications', 'stateTaxes', 'municipalTaxes'],
  ...['serviceInvoices', 'productInvoices', 'consumerInvoices', 'events'],
];
const moreFields = ['@odata.nextLink', 'hasMore', 'totalPages'];
const totalFields = ['@odata.count', 'totalResults', 'totalCount'];

/** A list as a fault gives it. `keep` remembers the rows of the page before. A body without a list does not change. */
export function unkindList(
  fault: StoredFault & { readonly kind: ListFaultKind },
  body: unknown,
  keep: (rows: readonly unknown[]) => void,
): unknown {
  if (typeof body !== 'object' || body === null) return body;
  if (Array.isArray(body)) {
    const changed = unkindList(fault, { value: body }, keep);
    return isRecord(changed) ? changed['value'] : body;
  }
  const list = { ...body } as Body;
  const field = rowFields.find((name) => Array.isArray(list[name]));
  const rows = field === undefined ? undefined : list[field];
  if (field === undefined || !Array.isArray(rows)) return body;
  const withRows = (given: readonly unknown[] | null): Body => ({ ...list, [field]: given });
  switch (fault.kind) {
    case 'cut-list':
      return without(withRows(rows.slice(0, Math.floor(rows.length / 2))), moreFields);
    case 'list-row-twice':
      return rows.length < 2 ? body : withRows([rows[0], rows[0], ...rows.slice(2)]);
    case 'list-row-missing':
      return withRows(rows.slice(1));
    case 'list-page-again':
      if (fault.rows !== undefined) return withRows(fault.rows);
      keep(rows);
      return body;
    case 'list-total-of-page':
      return withTotals(list, () => rows.length);
    case 'list-total-wrong':
      return withTotals(list, (total) => total + 1);
    case 'list-rows-move':
      return withTotals(withRows(rows.slice(1)), (total) => total - 1);
    case 'list-no-total':
      return without(list, [...totalFields, 'totalPages']);
    case 'list-null':
      return withRows(null);
  }
}

function without(list: Body, names: readonly string[]): Body {
  return Object.fromEntries(Object.entries(list).filter(([name]) => !names.includes(name)));
}

/** Only the totals that the list has. */
function withTotals(list: Body, change: (total: number) => number): Body {
  const changed = Object.entries(list).map(([name, value]) =>
    totalFields.includes(name) && typeof value === 'number' ? [name, Math.max(0, change(value))] : [name, value],
  );
  return Object.fromEntries(changed);
}
