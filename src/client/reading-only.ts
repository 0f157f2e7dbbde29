import { operations } from '../contract/operations.js';
import type { FiscalError } from '../errors/fiscal-error.js';
import type { Client } from './client.js';

/** A client for a run that cannot store anything: it reads, and refuses every call that changes or bills something. */
export function readingOnly(client: Client, refusal: FiscalError): Client {
  const refuse = () => Promise.reject(refusal);
  return {
    ...client,
    call: (id, input, options) => (operations[id].method === 'GET' ? client.call(id, input, options) : refuse()),
    raw: (request, options) => (request.method === 'GET' ? client.raw(request, options) : refuse()),
  };
}
