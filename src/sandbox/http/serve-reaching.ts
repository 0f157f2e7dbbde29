import { randomUUID } from 'node:crypto';
import { operations } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import type { Reached, TargetCall } from '../webhook/call-target.js';
import { readWebhook } from '../webhook/read-webhook.js';
import { signedHeaders } from '../webhook/signing.js';
import { type Arrival, readJson } from './arrival.js';
import { authorize, identify } from './authenticate.js';
import { type Delivery, type Destination, serveOperation } from './serve-operation.js';
import type { Service } from './service.js';

/** Serves a request. That for a new webhook calls its address before, outside of the transaction (public). */
export async function serve(
  { core, sender }: Service,
  destination: Destination,
  arrival: Arrival,
): Promise<Delivery> {
  if (destination.operation !== 'webhook.create') return serveOperation(core, destination, arrival);
  const ping = pingOf(core, arrival);
  const reached: Reached | undefined = ping && (await sender.call(ping));
  return serveOperation(core, { ...destination, ...(reached === undefined ? {} : { reached }) }, arrival);
}

/** `undefined` for a request that will be refused: nobody is called for it. */
function pingOf(core: Core, arrival: Arrival): TargetCall | undefined {
  try {
    const row = operations['webhook.create'];
    authorize(row, identify(core, arrival, row), {});
    const { uri, secret = null, headers, insecureSsl, filters } = readWebhook(readJson(arrival));
    const body = JSON.stringify({ action: 'ping', payload: { uri, filters } });
    const unsigned = { id: randomUUID(), webhookId: null, event: 'ping', attempt: 1, body };
    const signed = signedHeaders(core.signing.get(), unsigned, secret);
    return { uri, insecureSsl, headers: { ...headers, ...signed }, body };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
