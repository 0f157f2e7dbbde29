import type { IncomingHttpHeaders } from 'node:http';
import { got } from 'got';
import type { Environment } from '../domain/world.js';
import { checkedAddress } from './address.js';
import { createAgents, type AgentSettings, type Agents } from './agents.js';
import { sortFault } from './faults.js';

/** Hands events to programs of the user. No key of the profile is ever sent along. */
export interface Forwarder {
  /**
   * One POST; the status of its answer, or why there was none. A redirect is an answer like any other and is not followed:
   * the event goes to the address that was typed and to no other.
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
  /** A code such as `ECONNREFUSED` or `ETIMEDOUT`, never text of the far side. */
  | { readonly fault: string };

/** What is read of an answer before the connection is given up: its status alone counts. */
const maxAnswerBytes = 64 * 1024;

/** The address of a target. Throws as `checkedAddress`: https, or http on this machine; no user or password in it. */
export function forwardAddress(text: string): URL {
  return checkedAddress(text);
}

/** `timeoutMs`: from the beginning of a request to the end of its answer. */
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
    headers: { ...headers },
    body: Buffer.from(body),
    agent: agents.for(url),
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
  });
}

/** The header as a number of seconds; a date is not taken, since the clocks of targets are their own. */
function secondsOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}
