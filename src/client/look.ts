import type { IncomingHttpHeaders } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { formatUtc } from '../domain/dates.js';
import type { Agents } from './agents.js';
import { attempt, type AttemptDependencies, type ReadyCall } from './attempt.js';
import type { Look, TlsFacts } from './client.js';
import { exchange, type Send, type TransportLimits } from './exchange.js';
import { errorOfFault } from './faults.js';
import { interruption } from './perform.js';
import { redactText } from './redact.js';
import { byteCarrier } from './transport.js';

/**
 * One attempt at a GET, without retry and without following a redirect, within the shared rate limit and recorded as
 * any other. Throws the error of a connection that failed.
 */
export async function lookOnce(dependencies: AttemptDependencies, agents: Agents, ready: ReadyCall): Promise<Look> {
  const { clock, pace, settings } = dependencies.options;
  const { host } = ready.wire.url;
  await pace.enter(host, ready.signal);
  const seen: { tls?: TlsFacts } = {};
  const send = lookSend(agents, settings, (tls) => (seen.tls = tls));
  const sentAt = clock.now();
  const result = await attempt({ ...dependencies, send, noteClock: undefined }, ready, { number: 1 });
  const receivedAt = clock.now();
  if ('fault' in result) {
    const asked = { host, operation: ready.call.name };
    if (result.fault.kind === 'aborted') throw interruption(ready.signal, asked);
    throw errorOfFault(result.fault, asked, settings);
  }
  const secrets = ready.secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  const { status, headers, bytes } = result.answer;
  return { status, headers: plain(headers, secrets), bytes: without(bytes, secrets), sentAt, receivedAt, ...seen };
}

/** Sends with `node:http`, as documents are, and reports the TLS of the connection. */
function lookSend(agents: Agents, limits: TransportLimits, report: (tls: TlsFacts) => void): Send {
  const carrier = byteCarrier(agents);
  return async (request, signal) =>
    await exchange({
      ...{ request, signal, limits },
      carry: (wire, events) =>
        carrier(wire, {
          ...events,
          requested(sent) {
            sent.once('response', ({ socket }) => {
              if ('encrypted' in socket) report(tlsFacts(socket as TLSSocket));
            });
            events.requested(sent);
          },
        }),
    });
}

function tlsFacts(socket: TLSSocket): TlsFacts {
  const validUntil = Date.parse(socket.getPeerCertificate().valid_to);
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    ...(Number.isNaN(validUntil) ? {} : { validUntil: formatUtc(validUntil) }),
  };
}

function plain(headers: IncomingHttpHeaders, secrets: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      redactText(name, secrets),
      redactText(Array.isArray(value) ? value.join(', ') : (value ?? ''), secrets),
    ]),
  );
}

function without(bytes: Uint8Array, secrets: readonly string[]): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!secrets.some((secret) => text.includes(secret))) return bytes;
  return Buffer.from(redactText(text.toString('utf8'), secrets));
}
