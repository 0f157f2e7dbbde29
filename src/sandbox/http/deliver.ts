import type { ServerResponse } from 'node:http';
import type { StoredFault } from '../core/faults.js';
import type { Answer } from './answer.js';
import type { Delivery } from './serve-operation.js';

/** Puts the answer on the wire, or spoils its way as the fault says. */
export function deliver(outgoing: ServerResponse, { answer, fault }: Delivery): void {
  switch (fault?.kind) {
    case 'cut-before':
    case 'cut-after':
      return void outgoing.destroy();
    case 'cut-body':
      return sendHalf(outgoing, answer, () => outgoing.destroy());
    case 'stall':
      return sendHalf(outgoing, answer, () => endStall(outgoing, fault));
    case 'broken-json':
      return send(outgoing, { ...answer, status: bodyStatus(answer), text: half(answer) });
    case 'slow':
      return later(fault.delayMs ?? 1_000, () => send(outgoing, answer));
    default:
      return send(outgoing, answer);
  }
}

function send(outgoing: ServerResponse, answer: Answer): void {
  if (outgoing.destroyed) return;
  outgoing.writeHead(answer.status, withLength(answer, Buffer.byteLength(answer.text)));
  outgoing.end(answer.text);
}

/** Promises the whole body, sends half of it. */
function sendHalf(outgoing: ServerResponse, answer: Answer, afterwards: () => void): void {
  const text = half(answer);
  outgoing.writeHead(bodyStatus(answer), withLength(answer, Buffer.byteLength(text) * 2));
  outgoing.write(text, afterwards);
}

/** Without a delay the connection stays open until the client gives up. */
function endStall(outgoing: ServerResponse, fault: StoredFault): void {
  if (fault.delayMs !== undefined) later(fault.delayMs, () => outgoing.destroy());
}

function half(answer: Answer): string {
  return answer.text === '' ? '{"' : answer.text.slice(0, Math.ceil(answer.text.length / 2));
}

/** An answer without a body can only be spoiled as one with a body. */
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
