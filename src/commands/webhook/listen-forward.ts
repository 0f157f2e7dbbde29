import { createHash } from 'node:crypto';
import type { Forwarder } from '../../client/forward.js';
import type { SignatureScheme } from '../../receiver/scheme.js';
import type { HeldDelivery } from '../../store/deliveries.js';
import type { Target, TargetFailure } from './target.js';

export interface ForwardParts {
  readonly forwarder: Forwarder;
  readonly scheme: SignatureScheme;
  /** The first of them signs; they may change. */
  readonly secrets: readonly string[];
  now(): number;
}

/**
 * Posts the body of an event, byte for byte, to an address of the user. It is signed anew in the scheme of the listener, so that
 * the target can check it as if it came from the service. 2xx: taken; anything else, redirects included: not.
 */
export function forwardTarget(url: URL, { forwarder, scheme, secrets, now }: ForwardParts): Target {
  return {
    name: targetName(url),
    async deliver(event, signal) {
      const unsigned = { id: hookIdOf(event), body: event.body, now: now() };
      const signature = scheme.sign(unsigned, secrets[0] ?? '');
      const headers = { ...headersOf(event), ...signature };
      return failureOf(await forwarder.post({ url, headers, body: event.body }, signal));
    },
  };
}

/** The address without what may be secret in it: a query is known by its digest. */
export function targetName(url: URL): string {
  const place = `${url.origin}${url.pathname}`;
  if (url.search === '') return place;
  return `${place}?${createHash('sha256').update(url.search).digest('hex').slice(0, 8)}`;
}

/** Whoever gave no id of the delivery gets one that stays the same for every try. */
function hookIdOf(event: HeldDelivery): string {
  return event.hookId === '' ? event.id : event.hookId;
}

/** Names of events are the sender's texts: only what a header can hold goes into one. */
function headersOf(event: HeldDelivery): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'x-hook-event': event.event.replaceAll(/[^\x20-\x7e]/g, '?'),
    'x-hook-attempts': String(event.attempts + 1),
    'x-fiscal-event-id': event.id,
  };
}

function failureOf(answer: Awaited<ReturnType<Forwarder['post']>>): TargetFailure | undefined {
  if ('fault' in answer) return { reason: answer.fault };
  if (answer.status >= 200 && answer.status < 300) return undefined;
  const reason = answer.status >= 300 && answer.status < 400 ? 'redirect, ' : '';
  const failure = { reason: `${reason}HTTP ${String(answer.status)}` };
  return answer.retryAfterMs === undefined ? failure : { ...failure, retryAfterMs: answer.retryAfterMs };
}
