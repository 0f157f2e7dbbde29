import type { IncomingHttpHeaders } from 'node:http';
import { got } from 'got';
import type { Agents } from './agents.js';
import { byteCarrier } from './byte-carrier.js';
import { exchange, type Carrier, type Send, type TransportLimits, type WireRequest } from './exchange.js';

/** Calls go by got; the bytes of documents, which are many and have no body to send, go by `node:http` itself. */
export function createTransport(agents: Agents, limits: TransportLimits): Send {
  const carriers = { call: gotCarrier(agents), bytes: byteCarrier(agents) };
  return async (request, signal) =>
    await exchange({
      ...{ request, signal, limits },
      carry: request.receive === undefined ? carriers.call : carriers.bytes,
    });
}

function gotCarrier(agents: Agents): Carrier {
  return (request, events) => {
    const stream = got.stream(request.url, {
      method: request.method,
      headers: { ...request.headers },
      // Without a body of its own, a POST of the stream interface would wait for one to be piped in.
      ...(request.method === 'GET' ? {} : { body: bodyOf(request) }),
      agent: agents.for(request.url),
      retry: { limit: 0 },
      followRedirect: false,
      throwHttpErrors: false,
    });
    stream.on('error', events.failed);
    stream.on('request', events.requested);
    stream.on('response', ({ statusCode, headers }: { statusCode: number; headers: IncomingHttpHeaders }) =>
      events.answered({ status: statusCode, headers }, stream),
    );
    return stream;
  };
}

function bodyOf({ body = '' }: WireRequest): string | Buffer {
  return typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
