import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { request as httpsRequest } from 'node:https';
import { checkServerIdentity } from 'node:tls';
import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { got } from 'got';
import type { Agents } from './agents.js';
import { type Carrier, exchange, type Send, type TransportLimits, type WireRequest } from './exchange.js';

/** Sends calls with got. Document downloads, which are many and have no request body, use `node:http` directly. */
export function createTransport(agents: Agents, limits: TransportLimits): Send {
  const carriers = { call: gotCarrier(agents), bytes: byteCarrier(agents) };
  return async (request, signal) =>
    await exchange({
      ...{ request, signal, limits },
      carry: request.receive === undefined ? carriers.call : carriers.bytes,
    });
}

/** The same for every Node: newer ones would offer zstd too. */
const ENCODINGS = 'gzip, deflate, br';

function gotCarrier(agents: Agents): Carrier {
  return (request, events) => {
    const stream = got.stream(request.url, {
      method: request.method,
      headers: { ...request.headers, 'accept-encoding': ENCODINGS },
      // Without a body, a POST in got's stream interface would wait for one to be piped in.
      ...(request.method === 'GET' ? {} : { body: bodyOf(request) }),
      agent: agents.for(request.url),
      // Node's own check. got reads it for every address, and would load Node's TLS code for http too.
      https: { checkServerIdentity: (host, certificate) => checkServerIdentity(host, certificate) },
      // Retries, redirects and timeouts follow our own rules: docs/decisions/0021.
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

/**
 * Downloads bytes with `node:http` over the same keep-alive connections. A sync reads a hundred thousand documents; the
 * options, hooks and copies of a library would cost more than the rest of each read.
 */
export function byteCarrier(agents: Agents): Carrier {
  return (wire, events) => {
    const agent = agents.for(wire.url);
    const headers = { ...wire.headers, 'accept-encoding': ENCODINGS };
    const options: RequestOptions = { method: wire.method, headers };
    const request =
      'https' in agent
        ? httpsRequest(wire.url, { ...options, agent: agent.https })
        : httpRequest(wire.url, { ...options, agent: agent.http });
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

/** The decompressed body. */
function decoded(response: IncomingMessage): Readable {
  const decoder = decoderFor(response.headers['content-encoding']?.trim().toLowerCase());
  if (decoder === undefined) return response;
  // An error on either side ends the decoder's stream, where it is reported.
  return pipeline(response, decoder, () => undefined);
}

/** `undefined`: the bytes are used unchanged, even in an encoding that was not requested. */
function decoderFor(encoding: string | undefined): Transform | undefined {
  if (encoding === 'br') return createBrotliDecompress();
  return encoding === 'gzip' || encoding === 'x-gzip' || encoding === 'deflate' ? createUnzip() : undefined;
}
