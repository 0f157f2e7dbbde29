import { parseForeignJson } from '../../domain/json-numbers.js';
import { request } from 'node:http';
import { isRecord } from '../../domain/record.js';
import type { HttpMethod } from '../../contract/operation.js';
import { FiscalError, type ErrorDetail } from '../../errors/fiscal-error.js';

export interface ControlRequest {
  readonly url: string;
  readonly method: HttpMethod;
  /** Under `/__sandbox/`, with the query. */
  readonly path: string;
  readonly body?: object | undefined;
  readonly timeoutMs?: number;
}

/** The JSON object that a control route returns. */
export type ControlAnswer = Readonly<Record<string, unknown>>;

const defaultTimeoutMs = 30_000;

/**
 * Calls a control route of the sandbox. Uses node:http: got is loaded only for the service, and an attached sandbox
 * is queried before every command.
 * Throws `sandbox.unavailable`, and `service.refused` with the error of the sandbox.
 */
export async function askSandbox(controlRequest: ControlRequest): Promise<ControlAnswer> {
  const { status, text } = await exchange(controlRequest);
  const fields = parse(text);
  if (status === 200) return fields;
  throw refused(status, fields);
}

function exchange(controlRequest: ControlRequest): Promise<{ status: number; text: string }> {
  const { url, method, path, body, timeoutMs = defaultTimeoutMs } = controlRequest;
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

function parse(text: string): ControlAnswer {
  try {
    const value: unknown = parseForeignJson(text);
    return isRecord(value) ? value : {};
  } catch (error) {
    throw new FiscalError('sandbox.unavailable', { reason: 'its answer is not JSON' }, { cause: error });
  }
}

function refused(status: number, fields: ControlAnswer): FiscalError {
  const error = isRecord(fields['error']) ? fields['error'] : {};
  const details = (Array.isArray(error['details']) ? error['details'] : []).filter(isRecord).map(toDetail);
  const message = typeof error['message'] === 'string' ? error['message'] : `HTTP ${status}`;
  return new FiscalError('service.refused', { status, message }, { details, httpStatus: status });
}

function toDetail(fields: ControlAnswer): ErrorDetail {
  return { field: String(fields['field'] ?? ''), message: String(fields['message'] ?? '') };
}
