import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';

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

/** The timeout from the first byte to the answer. */
export const callTimeoutMs = 5_000;
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
    const timer = setTimeout(
      () => outgoing.destroy(new Error(`No answer within ${callTimeoutMs} ms.`)),
      callTimeoutMs,
    );
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
