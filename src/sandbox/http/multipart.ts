import { parseBody } from 'hono/utils/body';
import { Refusal } from '../core/refusal.js';
import { type Arrival, wholeBody } from './arrival.js';

/** The parts of a form by their names, each as its bytes. */
export type Form = ReadonlyMap<string, Buffer>;

const mostParts = 20;

/** Reads `multipart/form-data` (RFC 7578). Of two parts with one name the later stands. Throws 400 for anything else. */
export async function readForm(arrival: Arrival): Promise<Form> {
  const type = arrival.header('content-type') ?? '';
  if (!/^multipart\/form-data\s*;.*boundary=/i.test(type)) {
    throw new Refusal(
      'unsupported_content_type',
      'The Content-Type must be multipart/form-data with a boundary.',
    );
  }
  const parts = Object.entries(await parse(type, wholeBody(arrival)));
  if (parts.flatMap(([, values]) => values).length > mostParts) {
    throw malformed(`A form may have ${mostParts} parts.`);
  }
  const form = new Map<string, Buffer>();
  for (const [name, values] of parts) {
    const last = [values].flat().at(-1) ?? '';
    form.set(name, typeof last === 'string' ? Buffer.from(last) : Buffer.from(await last.arrayBuffer()));
  }
  return form;
}

async function parse(type: string, body: Uint8Array) {
  const headers = { 'content-type': type };
  const request = new Request('http://form', { method: 'POST', headers, body: new Uint8Array(body) });
  try {
    return await parseBody(request, { all: true });
  } catch {
    throw malformed('The body is not multipart/form-data as RFC 7578 writes it.');
  }
}

function malformed(message: string): Refusal {
  return new Refusal('malformed_request', message);
}
