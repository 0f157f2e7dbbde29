import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { request as httpsRequest } from 'node:https';
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { got } from 'got';
import type { Agents } from './agents.js';
import { type Carrier, exchange, type Send, type TransportLimits, type WireRequest } from './exchange.js';

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
      // Retries, redirects and times have rules of ours: docs/decisions/0021.
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

const ENCODINGS = 'gzip, deflate, br';

/**
 * Reads bytes by `node:http`, over the same kept connections as every call. A sync reads a hundred thousand documents: the
 * options, hooks and copies of a library would cost more than all the rest of a read.
 */
export function byteCarrier(agents: Agents): Carrier {
  return (wire, events) => {
    const { http, https } = agents.for(wire.url);
    const headers = { ...wire.headers, 'accept-encoding': ENCODINGS };
    const options: RequestOptions = { method: wire.method, headers };
    const request =
      wire.url.protocol === 'https:'
        ? httpsRequest(wire.url, { ...options, agent: https })
        : httpRequest(wire.url, { ...options, agent: http });
    request.on('error', events.failed);
    request.on('response', (response) => {
      const body = decoded(response);
      response.on('error', events.failed);
      body.on('error', events.failed);
      events.answered({ status: response.statusCode ?? 0, headers: response.headers }, body);
    });
    events.requested(request);
    request.end();
    return request;
  };
}

/** The body as it was before it was compressed for the way. */
function decoded(response: IncomingMessage): Readable {
  const decoder = decoderFor(response.headers['content-encoding']?.trim().toLowerCase());
  if (decoder === undefined) return response;
  // What breaks on either side ends the reading of the decoder, which is where it is told.
  return pipeline(response, decoder, () => undefined);
}

/** `undefined`: the bytes are as they are, also in an encoding that nobody asked for. */
function decoderFor(encoding: string | undefined): Transform | undefined {
  if (encoding === 'br') return createBrotliDecompress();
  return encoding === 'gzip' || encoding === 'x-gzip' || encoding === 'deflate' ? createUnzip() : undefined;
}
