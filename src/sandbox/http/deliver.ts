import type { StoredFault } from '../core/rules.js';
import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { Endless } from '../routes/handler.js';
import type { Answer } from './reply.js';
import type { Delivery } from './serve-operation.js';

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
