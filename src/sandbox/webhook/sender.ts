import { randomBytes } from 'node:crypto';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import type { Core } from '../core/core.js';
import type { StoredWebhook } from '../core/records.js';
import { updateWebhookStatus } from './announce.js';
import type { DeliveryState, StoredDelivery } from './deliveries.js';
import { signedHeaders } from './signing.js';

/**
 * Sends due deliveries: claims a row, sends it outside any transaction, and stores the result. If a process dies in
 * between, another one sends it again after the claim expires. At least once (§6).
 */
export interface Sender extends Pick<TargetCaller, 'call'> {
  /** Starts to send due deliveries, as many at once as allowed. */
  pump(): void;
  /** Sends until nothing is due, for at most `limitMs` of real time. */
  drain(limitMs: number, pace?: Pace): Promise<void>;
  /** Aborts calls without waiting for their answers. */
  close(): void;
}

const usualPace: Pace = 'from-now';
const mostInFlight = 16;
/** More than are sent at once, because some wait for another delivery of their resource. */
const lookedAt = 64;
/** The timeout from the first byte to the answer. */
const callTimeoutMs = 5_000;
const claimMs = 3 * callTimeoutMs;

export function openSender(core: Core): Sender {
  const caller = openTargetCaller();
  const inFlight = new Map<string, InFlight>();
  const state = { isClosed: false, pace: usualPace };

  async function send(delivery: StoredDelivery): Promise<void> {
    const call = core.transaction(() => prepareCall(core, delivery));
    const reached: Reached =
      call === undefined ? { status: null, error: 'The webhook is deleted.' } : await caller.call(call);
    if (!state.isClosed) core.transaction(() => endAttempt(core, { delivery, reached, pace: state.pace }));
  }

  function begin(delivery: StoredDelivery): void {
    const key = keyOf(delivery);
    const ended = send(delivery)
      .catch(ignoreBusy)
      .finally(() => inFlight.delete(key))
      .then(pump);
    inFlight.set(key, { position: delivery.position, ended });
  }

  function pump(): void {
    const free = mostInFlight - inFlight.size;
    if (state.isClosed || free <= 0) return;
    try {
      for (const delivery of claimDue(core, (key) => inFlight.has(key), free)) begin(delivery);
    } catch (error) {
      ignoreBusy(error);
    }
  }

  const close = () => {
    state.isClosed = true;
    caller.close();
    release(core, [...inFlight.values()]);
  };
  return { pump, drain: openDrain({ inFlight, pump, state }), call: caller.call, close };
}

interface DrainDependencies {
  readonly inFlight: ReadonlyMap<string, InFlight>;
  readonly state: { pace: Pace };
  pump(): void;
}

function openDrain({ inFlight, state, pump }: DrainDependencies): Sender['drain'] {
  return async (limitMs, pace = usualPace) => {
    const end = Date.now() + limitMs;
    state.pace = pace;
    try {
      for (pump(); inFlight.size > 0 && Date.now() < end; pump()) {
        await firstOf([...inFlight.values()], end - Date.now());
      }
    } finally {
      state.pace = usualPace;
    }
  };
}

interface InFlight {
  readonly position: number;
  readonly ended: Promise<void>;
}

/** Releases the claims, so that the next process need not wait for their expiry. */
function release(core: Core, inFlight: readonly InFlight[]): void {
  try {
    core.transaction(() => {
      for (const { position } of inFlight) core.deliveries.claim(position, 0);
    });
  } catch (error) {
    ignoreBusy(error);
  }
}

/**
 * Claims due deliveries in order of time. Those of one resource and target are sent one at a time, to keep their
 * order.
 */
function claimDue(core: Core, isBusy: (key: string) => boolean, most: number): readonly StoredDelivery[] {
  const now = core.clock.now();
  if (!core.deliveries.isDue(now)) return [];
  return core.transaction(() => {
    const taken = new Map<string, StoredDelivery>();
    for (const delivery of core.deliveries.due(now, lookedAt)) {
      const key = keyOf(delivery);
      if (!isBusy(key) && !taken.has(key)) taken.set(key, delivery);
      if (taken.size === most) break;
    }
    for (const { position } of taken.values()) core.deliveries.claim(position, Date.now() + claimMs);
    return [...taken.values()];
  });
}

function keyOf({ resource, uri }: StoredDelivery): string {
  return `${resource} ${uri}`;
}

/** The next pump retries a busy file. */
function ignoreBusy(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY'))) throw error;
}

async function firstOf(inFlight: readonly InFlight[], limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([...inFlight.map(({ ended }) => ended), limit]);
  clearTimeout(timer);
}

/** The call of a delivery, by the current webhook; `undefined` if it is deleted. */
function prepareCall(core: Core, delivery: StoredDelivery): TargetCall | undefined {
  const { webhookId, tenantId, uri, body } = delivery;
  const webhook = webhookId === null ? undefined : core.webhooks.find(tenantId, webhookId);
  if (webhookId !== null && webhook === undefined) return undefined;
  const secret = webhook === undefined ? secretOfAccount(core, tenantId) : webhook.secret;
  const isForged = delivery.kind === 'forged';
  return {
    uri: webhook?.uri ?? uri,
    insecureSsl: webhook?.insecureSsl ?? false,
    headers: {
      ...webhook?.headers,
      ...signedHeaders(
        core.signing.get(),
        { ...delivery, attempt: delivery.attempts + 1 },
        isForged ? forgedSecret(core, delivery.id) : secret,
      ),
    },
    body,
  };
}

/** The address of a company has no secret: its deliveries use that of the first webhook with one (assumed). */
function secretOfAccount(core: Core, tenantId: string): string | null {
  const isGood = ({ status, secret }: StoredWebhook) => status === 'Active' && secret !== null;
  return core.webhooks.of(tenantId).find(isGood)?.secret ?? null;
}

/** A wrong secret, or none. */
function forgedSecret(core: Core, id: string): string | null {
  return core.chance.unit(`forged:${id}`) < 0.5 ? null : randomBytes(24).toString('hex');
}

/** The pauses before each retry (assumed); the last failure is final. */
const pausesMs: readonly number[] = [5_000, 30_000, 120_000, 600_000, 3_600_000];

/** The base of the retry time: the attempt, or its due time after the clock was moved. */
export type Pace = 'from-now' | 'from-due';

interface Attempt {
  readonly delivery: StoredDelivery;
  readonly reached: Reached;
  readonly pace: Pace;
}

/** Stores the result of an attempt and updates the document. Requires a transaction. */
function endAttempt(core: Core, { delivery, reached, pace }: Attempt): void {
  const at = pace === 'from-due' ? delivery.dueAt : core.clock.now();
  const { status } = reached;
  const isTaken = status !== null && status >= 200 && status < 300;
  // Copies and forgeries are sent once.
  const pauseMs = delivery.kind === 'genuine' ? pausesMs[delivery.attempts] : undefined;
  const isOver = isTaken || pauseMs === undefined;
  core.deliveries.end({
    position: delivery.position,
    id: delivery.id,
    state: stateOf(isTaken, isOver),
    attempts: delivery.attempts + 1,
    dueAt: isOver ? delivery.dueAt : at + pauseMs,
    status,
    error: status === null ? reached.error : null,
    endedOn: isOver ? at : null,
  });
  if (delivery.documentId !== null) updateWebhookStatus(core, delivery.documentId);
}

function stateOf(isAccepted: boolean, isOver: boolean): DeliveryState {
  if (isAccepted) return 'delivered';
  return isOver ? 'failed' : 'waiting';
}

/** One call of an address. */
export interface TargetCall {
  readonly uri: string;
  readonly insecureSsl: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The status of the answer, or why there is none. */
export type Reached = { readonly status: number } | { readonly status: null; readonly error: string };

export interface TargetCaller {
  /** Never throws. A redirect is an ordinary answer and is not followed. */
  call(call: TargetCall): Promise<Reached>;
  close(): void;
}

const answerLimit = 64 * 1024;
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** True for an HTTP address on this machine: tests send nothing elsewhere. */
function isLoopback(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return /^https?:$/.test(protocol) && loopback.test(hostname);
}

/** Keeps connections open between deliveries. */
export function openTargetCaller(): TargetCaller {
  const agents = {
    plain: new Agent({ keepAlive: true }),
    secure: new SecureAgent({ keepAlive: true }),
    unchecked: new SecureAgent({ keepAlive: true, rejectUnauthorized: false }),
  };
  const start = (call: TargetCall): ClientRequest => {
    const options = { method: 'POST', headers: headersOf(call) };
    if (new URL(call.uri).protocol === 'http:') return request(call.uri, { ...options, agent: agents.plain });
    const agent = call.insecureSsl ? agents.unchecked : agents.secure;
    return secureRequest(call.uri, { ...options, agent });
  };
  return {
    async call(call) {
      if (!isLoopback(call.uri)) {
        return { status: null, error: 'The sandbox calls only addresses on this machine.' };
      }
      const first = await exchange(start(call), call.body);
      // The receiver may close a kept connection just as it is used again.
      return first === 'stale' ? withoutStale(await exchange(start(call), call.body)) : first;
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

function headersOf({ headers, body }: TargetCall): Record<string, string> {
  return {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'User-Agent': 'fiscal-sandbox',
  };
}

function withoutStale(reached: Reached | 'stale'): Reached {
  return reached === 'stale' ? { status: null, error: 'The connection was closed.' } : reached;
}

function exchange(outgoing: ClientRequest, body: string): Promise<Reached | 'stale'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => outgoing.destroy(new Error(`No answer within ${callTimeoutMs} ms.`)), callTimeoutMs);
    const end = (reached: Reached | 'stale') => {
      clearTimeout(timer);
      resolve(reached);
    };
    let hasAnswer = false;
    outgoing.on('response', (incoming) => {
      hasAnswer = true;
      readAway(incoming, () => end({ status: incoming.statusCode ?? 0 }));
    });
    outgoing.on('error', (error) => {
      const isStale = outgoing.reusedSocket && !hasAnswer && 'code' in error && error.code === 'ECONNRESET';
      end(isStale ? 'stale' : { status: null, error: error.message });
    });
    outgoing.end(body);
  });
}

/** Discards the body of the answer; ends an endless one. */
function readAway(incoming: IncomingMessage, afterwards: () => void): void {
  let size = 0;
  incoming.on('data', (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > answerLimit) incoming.destroy();
  });
  incoming.on('close', afterwards);
  incoming.on('error', afterwards);
}
