import { userAgent } from '../domain/version.js';
import type { IncomingHttpHeaders } from 'node:http';
import { got } from 'got';
import type { Environment } from '../domain/world.js';
import { checkedAddress } from './address.js';
import { createAgents, type AgentSettings, type Agents } from './agents.js';
import { sortFault } from './faults.js';

/** Forwards webhook events to the user's programs, never with a key of the profile. */
export interface Forwarder {
  /**
   * Sends one POST and returns the status of the answer, or why there was none. Redirects are not followed: the event
   * goes only to the address that the user typed.
   */
  post(request: ForwardRequest, signal: AbortSignal): Promise<ForwardAnswer>;
  close(): void;
}

export interface ForwardRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export type ForwardAnswer =
  | { readonly status: number; readonly retryAfterMs: number | undefined }
  /** A code such as `ECONNREFUSED` or `ETIMEDOUT`, never text from the target. */
  | { readonly fault: string };

/** Bytes read of an answer before the connection is closed: only its status counts. */
const maxAnswerBytes = 64 * 1024;

/** Parses a target address. Throws like `checkedAddress`. */
export function forwardAddress(text: string): URL {
  return checkedAddress(text);
}

/** `timeoutMs`: from the start of a request to the end of its answer. */
export async function createForwarder(
  settings: AgentSettings & { readonly timeoutMs: number },
  env: Environment,
): Promise<Forwarder> {
  const agents = await createAgents(settings, env);
  return {
    post: (request, signal) => post(request, { agents, timeoutMs: settings.timeoutMs, signal }),
    close: () => agents.close(),
  };
}

interface ForwardContext {
  readonly agents: Agents;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

async function post(request: ForwardRequest, context: ForwardContext): Promise<ForwardAnswer> {
  const { timeoutMs, signal } = context;
  if (signal.aborted) return { fault: 'aborted' };
  const stream = open(request, context);
  return await new Promise<ForwardAnswer>((resolve) => {
    const finish = (answer: ForwardAnswer): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(answer);
    };
    const giveUp = (answer: ForwardAnswer): void => {
      finish(answer);
      stream.destroy();
    };
    const timer = setTimeout(() => giveUp({ fault: 'ETIMEDOUT' }), timeoutMs);
    const onAbort = (): void => giveUp({ fault: 'aborted' });
    signal.addEventListener('abort', onAbort, { once: true });
    stream.on('error', (error: unknown) => finish({ fault: sortFault(error, false).reason }));
    stream.on('response', ({ statusCode, headers }: { statusCode: number; headers: IncomingHttpHeaders }) => {
      const answer = { status: statusCode, retryAfterMs: secondsOf(headers['retry-after']) };
      let size = 0;
      stream.on('data', (chunk: Uint8Array) => {
        size += chunk.length;
        if (size > maxAnswerBytes) giveUp(answer);
      });
      stream.on('end', () => finish(answer));
      stream.on('close', () => finish(answer));
    });
  });
}

function open({ url, headers, body }: ForwardRequest, { agents }: ForwardContext) {
  return got.stream.post(url, {
    headers: { 'user-agent': userAgent, ...headers },
    body: Buffer.from(body),
    agent: agents.for(url),
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
  });
}

/** The header as a number of seconds. A date is ignored, since the target's clock may be wrong. */
function secondsOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}
