import { basename } from 'node:path';
import { afterAll, beforeAll, expect, type RunnerTestSuite } from 'vitest';
import type { Operation } from '../../src/contract/operation.js';
import { type OperationId, operations, pathsOf } from '../../src/contract/operations.js';
import type { RunningSandbox, SandboxOptions } from '../../src/contract/sandbox.js';
import { startSandbox } from '../../src/sandbox/start.js';
import { keyHeader } from '../facts/authentication.js';
import { compareWithDescription } from '../published/description.js';
import { literalLength, patternOf } from '../published/path-pattern.js';
import { conformanceCases } from './cases.js';

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
  readonly form?: FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer is a fault that no description has. */
  readonly isBroken?: true;
}

/** Requests with bare fetch: no client of ours in between. `key: null` sends none. */
export function sendTo(url: string) {
  return async (method: string, path: string, sending: Sending = {}): Promise<Answer> => {
    const answer = await fetch(url + path, requestOf(method, sending));
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, json: jsonOf(text) };
  };
}

function requestOf(method: string, { key, body, raw, form, headers }: Sending): RequestInit {
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
    ...(form === undefined ? {} : { body: form }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const templates = Object.entries<Operation>(operations).flatMap(([id, { method }]) =>
  pathsOf(id as OperationId).map((path) => ({ id, method, length: literalLength(path), pattern: patternOf(path) })),
);

/** The operations at this address: more than one only where their addresses are the same. */
export function operationsAt(method: string, path: string): readonly string[] {
  const [pathname = ''] = path.split('?');
  const found = templates.filter((each) => each.method === method && each.pattern.test(pathname));
  const longest = Math.max(...found.map(({ length }) => length));
  return found.filter(({ length }) => length === longest).map(({ id }) => id);
}

/** False where a filter left tests out, and within a file. */
function isWhole(suite: RunnerTestSuite): boolean {
  return suite.file === suite && !hasSkipped(suite);
}

function hasSkipped({ tasks }: RunnerTestSuite): boolean {
  return tasks.some((task) => task.mode !== 'run' || (task.type === 'suite' && hasSkipped(task)));
}

const served = new Map<string, Set<string>>();

/** What the services of a test file have answered with success. */
function servedIn(file: string): Set<string> {
  const found = served.get(file) ?? new Set<string>();
  served.set(file, found);
  return found;
}

function testFile(): string {
  return basename(expect.getState().testPath ?? '', '.test.ts');
}

/** Made once for all files of a worker: its validators are compiled when they are first needed. */
const compare = compareWithDescription();

/** A service in memory for the tests of one file, which in the end has served what `conformanceCases` lists for the file. */
export function testService(options: Partial<SandboxOptions> = {}) {
  let running: RunningSandbox | undefined;
  const service = (): RunningSandbox => {
    if (running === undefined) throw new Error('the service is not up yet');
    return running;
  };
  beforeAll(async () => {
    running = await startSandbox({ path: ':memory:', validationDelayMs: 60_000, ...options });
  });
  afterAll(async ({}, suite) => {
    await running?.close();
    const listed = conformanceCases[testFile()] ?? [];
    if (isWhole(suite)) expect(listed.filter((operation) => !servedIn(testFile()).has(operation))).toEqual([]);
  });
  return {
    ready: () => service().ready,
    /** With the invoice key unless another is given. Fails where the answer contradicts `schema --openapi`. */
    send: async (method: string, path: string, sending: Sending = {}) => {
      const key = service().ready.invoiceKey;
      const answer = await sendTo(service().url)(method, path, { key, ...sending });
      const { status, text } = answer;
      const received = { method, path, status, headers: Object.fromEntries(answer.headers), text };
      const contradictions = sending.isBroken === true ? [] : compare(received);
      expect({ method, path, status, contradictions }).toMatchObject({ contradictions: [] });
      if (answer.status < 400) for (const operation of operationsAt(method, path)) servedIn(testFile()).add(operation);
      return answer;
    },
    control: async (method: string, path: string, body?: unknown) =>
      (await sendTo(service().url)(method, `/__sandbox/${path}`, body === undefined ? {} : { body })).json,
  };
}
