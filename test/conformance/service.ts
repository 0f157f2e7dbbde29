import { afterAll, beforeAll } from 'vitest';
import type { RunningSandbox, SandboxOptions } from '../../src/contract/sandbox.js';
import { startSandbox } from '../../src/sandbox/start.js';
import { keyHeader } from '../facts/authentication.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- parsed JSON of a foreign service, compared as a whole
  readonly json: any;
}

export interface Sending {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests with bare fetch: no client of ours in between. `key: null` sends none. */
export function sendTo(url: string) {
  return async (method: string, path: string, sending: Sending = {}): Promise<Answer> => {
    const answer = await fetch(url + path, requestOf(method, sending));
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, json: jsonOf(text) };
  };
}

function requestOf(method: string, { key, body, raw, headers }: Sending): RequestInit {
  const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    method,
    redirect: 'manual',
    headers: {
      ...(key === undefined || key === null ? {} : { [keyHeader]: key }),
      ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A service in memory for the tests of one file. */
export function testService(options: Partial<SandboxOptions> = {}) {
  let running: RunningSandbox | undefined;
  const service = (): RunningSandbox => {
    if (running === undefined) throw new Error('the service is not up yet');
    return running;
  };
  beforeAll(async () => {
    running = await startSandbox({ path: ':memory:', validationDelayMs: 60_000, ...options });
  });
  afterAll(async () => {
    await running?.close();
  });
  return {
    ready: () => service().ready,
    /** With the invoice key unless another is given. */
    send: (method: string, path: string, sending: Sending = {}) =>
      sendTo(service().url)(method, path, { key: service().ready.invoiceKey, ...sending }),
    control: async (method: string, path: string, body?: unknown) =>
      (await sendTo(service().url)(method, `/__sandbox/${path}`, body === undefined ? {} : { body })).json,
  };
}
