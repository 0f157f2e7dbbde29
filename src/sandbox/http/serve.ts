import { randomUUID } from 'node:crypto';
import { operations } from '../../contract/operations.js';
import type { CertificateUpload } from '../certificate/receive.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import type { Reached } from '../webhook/call-target.js';
import { readWebhook } from '../webhook/read-webhook.js';
import { signedHeaders } from '../webhook/signing.js';
import { type Arrival, readJson } from './arrival.js';
import { authorize, identify } from './authenticate.js';
import { readForm } from './multipart.js';
import { type Delivery, type Destination, serveOperation } from './serve-operation.js';
import type { Service } from './service.js';

/** Serves a request. What cannot be done inside of its transaction, which is synchronous, is done before. */
export async function serve(service: Service, destination: Destination, arrival: Arrival): Promise<Delivery> {
  const { core } = service;
  switch (destination.operation) {
    case 'webhook.create': {
      const reached = await pingTarget(service, arrival);
      return serveOperation(core, destination, arrival, reached === undefined ? {} : { reached });
    }
    case 'certificate.upload': {
      const upload = await readUpload(core, destination.path, arrival);
      return serveOperation(core, destination, arrival, { upload });
    }
    default:
      return serveOperation(core, destination, arrival);
  }
}

/** Calls the address of a new webhook (public). Nobody is called for a request that will be refused. */
async function pingTarget({ core, sender }: Service, arrival: Arrival): Promise<Reached | undefined> {
  try {
    const row = operations['webhook.create'];
    authorize(row, identify(core, arrival, row), {});
    const { uri, secret = null, headers, insecureSsl, filters } = readWebhook(readJson(arrival));
    const body = JSON.stringify({ action: 'ping', payload: { uri, filters } });
    const unsigned = { id: randomUUID(), webhookId: null, event: 'ping', attempt: 1, body };
    const signed = signedHeaders(core.signing.get(), unsigned, secret);
    return await sender.call({ uri, insecureSsl, headers: { ...headers, ...signed }, body });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Opens the file of a form. The library for it loads here: nothing else needs it. */
async function readUpload(
  core: Core,
  path: Readonly<Record<string, string>>,
  arrival: Arrival,
): Promise<CertificateUpload | Refusal> {
  try {
    const row = operations['certificate.upload'];
    authorize(row, identify(core, arrival, row), path);
    const form = await readForm(arrival);
    const file = form.get('file');
    const password = form.get('password')?.toString('utf8');
    if (file === undefined || password === undefined) return { file, password, reading: undefined };
    const { readPfx } = await import('../certificate/pfx.js');
    return { file, password, reading: readPfx(file, password) };
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
