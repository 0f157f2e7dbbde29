import { randomUUID } from 'node:crypto';
import { operations } from '../../contract/operations.js';
import type { CertificateUpload } from '../certificate/receive.js';
import type { ControlRequest, ControlRoute } from '../control/control.js';
import { runDueWork } from '../core/background.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import type { Reached } from '../webhook/call-target.js';
import type { Sender } from '../webhook/sender.js';
import { signedHeaders } from '../webhook/signing.js';
import { readWebhook } from '../webhook/webhooks.js';
import { authorize, identify } from './authenticate.js';
import { answerOf, refusalReply } from './reply.js';
import { type Arrival, readForm, readJson } from './request.js';
import { type Delivery, type Destination, serveOperation } from './serve-operation.js';

/** Serves a request. Asynchronous work happens before the transaction, which is synchronous. */
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

/** Calls the address of a new webhook (public). A request that will be rejected causes no call. */
async function pingTarget({ core, sender }: Service, arrival: Arrival): Promise<Reached | undefined> {
  try {
    const row = operations['webhook.create'];
    authorize(row, identify(core, arrival, row), {});
    const { uri, secret = null, headers, insecureSsl, filters } = readWebhook(readJson(arrival), 'Active');
    const body = JSON.stringify({ action: 'ping', payload: { uri, filters } });
    const unsigned = { id: randomUUID(), webhookId: null, event: 'ping', attempt: 1, body };
    const signed = signedHeaders(core.signing.get(), unsigned, secret);
    return await sender.call({ uri, insecureSsl, headers: { ...headers, ...signed }, body });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Opens the certificate file of a form. Loads its library only here. */
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

/** The state of the service, and its outgoing calls. */
export interface Service {
  readonly core: Core;
  readonly sender: Sender;
}

/** Serves a control route. Control requests have no ledger entry, no faults and no rate limit. */
export async function serveControl(
  service: Service,
  byMethod: ControlRoute,
  arrival: Arrival,
): Promise<Delivery> {
  const requestId = randomUUID();
  try {
    const control = byMethod[arrival.method];
    if (control === undefined) {
      throw new Refusal('method_not_allowed', `This route takes ${Object.keys(byMethod).join(', ')}.`);
    }
    const answered = await perform(service, control, { query: arrival.query, body: readJson(arrival) });
    return { answer: answerOf({ status: 200, body: answered }, requestId), fault: undefined };
  } catch (error) {
    return { answer: answerOf(refusalReply(error, requestId), requestId), fault: undefined };
  }
}

async function perform(
  { core, sender }: Service,
  control: ControlRoute[string],
  request: ControlRequest,
): Promise<object> {
  const begin = <Begun>(step: (core: Core, request: ControlRequest) => Begun): Begun =>
    core.transaction(() => {
      runDueWork(core);
      return step(core, request);
    });
  if (typeof control === 'function') return begin(control);
  if ('prepare' in control) return await begin(control.prepare)();
  const begun = begin(control.begin);
  await sender.drain(control.waitMs, control.pace);
  return core.transaction(() => control.finish(core, begun));
}
