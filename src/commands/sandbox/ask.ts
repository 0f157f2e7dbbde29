import { request } from 'node:http';
import { isRecord } from '../../domain/record.js';
import type { HttpMethod } from '../../contract/operation.js';
import { FiscalError, type ErrorDetail } from '../../errors/fiscal-error.js';

export interface Question {
  readonly url: string;
  readonly method: HttpMethod;
  /** Under `/__sandbox/`, with the query. */
  readonly path: string;
  readonly body?: object;
  readonly timeoutMs?: number;
}

export type Fields = Readonly<Record<string, unknown>>;

const defaultTimeoutMs = 30_000;

/**
 * Asks a control route and gives the fields of its answer. By node:http, because the client's own library is loaded
 * for the service only, and an attached sandbox is asked before every command.
 * Throws `sandbox.unavailable`, or `usage.invalid` with what the sandbox says about the request.
 */
export async function askSandbox(question: Question): Promise<Fields> {
  const { status, text } = await exchange(question);
  const fields = parse(text);
  if (status === 200) return fields;
  throw refused(status, fields);
}

function exchange(question: Question): Promise<{ status: number; text: string }> {
  const { url, method, path, body, timeoutMs = defaultTimeoutMs } = question;
  const payload = body === undefined ? '' : JSON.stringify(body);
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void =>
      reject(new FiscalError('sandbox.unavailable', { reason: error.message }, { cause: error }));
    const outgoing = request(`${url}/__sandbox/${path}`, { method, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', fail);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    outgoing.on('error', fail);
    outgoing.end(payload);
  });
}

function parse(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch (error) {
    throw new FiscalError('sandbox.unavailable', { reason: 'its answer is not JSON' }, { cause: error });
  }
}

function refused(status: number, fields: Fields): FiscalError {
  const error = isRecord(fields['error']) ? fields['error'] : {};
  const details = (Array.isArray(error['details']) ? error['details'] : []).filter(isRecord).map(toDetail);
  const message = typeof error['message'] === 'string' ? error['message'] : `HTTP ${status}`;
  return new FiscalError('service.refused', { status, message }, { details, httpStatus: status });
}

function toDetail(fields: Fields): ErrorDetail {
  return { field: String(fields['field'] ?? ''), message: String(fields['message'] ?? '') };
}
