import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { schemes } from '../../src/receiver/schemes.js';
import { runFiscal, testHost, type RunResult, type TestHost } from '../support/host.js';
import { fuzz } from './fuzz.js';
import { hostileBody, hostileText } from './hostile.js';
import { brokenRules } from './rules.js';

/** Bytes that somebody sends to `webhook listen`, as a request that is more or less one. */
interface DeliveryCase {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly isSigned: boolean;
  /** What `Content-Length` says more than there is. */
  readonly missing: number;
}

const cases: fc.Arbitrary<DeliveryCase> = fc.record({
  method: fc.oneof(
    { weight: 6, arbitrary: fc.constant('POST') },
    { weight: 1, arbitrary: fc.constantFrom('GET', 'PUT', 'CONNECT', 'TRACE', 'POST /', '') },
    { weight: 1, arbitrary: hostileText },
  ),
  path: fc.oneof({ weight: 4, arbitrary: fc.constant('/') }, { weight: 1, arbitrary: hostileText }),
  headers: fc.array(
    fc.tuple(
      fc.constantFrom('content-type', 'content-encoding', 'transfer-encoding', 'expect', 'upgrade', 'x-a', 'host'),
      hostileText,
    ),
    { maxLength: 3 },
  ),
  body: fc.oneof(
    hostileBody,
    fc
      .tuple(hostileText, hostileBody)
      .map(([action, payload]) => `{"action":${JSON.stringify(action)},"payload":${payload}}`),
  ),
  isSigned: fc.boolean(),
  missing: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(9) }),
});

const SECRET = 'a-canary-of-a-secret-0123456789abcdef';
const interruption = new AbortController();
let host: TestHost;
let listening: Promise<RunResult>;
let ended: RunResult | undefined;
let port = 0;
let count = 0;

beforeAll(async () => {
  host = testHost({ interruption: interruption.signal });
  const file = join(host.root, 'secret');
  writeFileSync(file, `${SECRET}\n`);
  listening = runFiscal(['webhook', 'listen', '--secret-file', file, '-o', 'ndjson'], host);
  void listening.then((result) => (ended = result));
  while (host.written().stdout === '') await new Promise((resolve) => setTimeout(resolve, 5));
  const { url } = JSON.parse(host.written().stdout.split('\n')[0] ?? '{}') as { readonly url?: string };
  port = Number(new URL(url ?? '').port);
});

afterAll(async () => {
  interruption.abort(new Error('the test is over'));
  await listening;
});

fuzz({
  kind: 'webhook',
  cases,
  corpus: [
    { method: 'POST', path: '/', headers: [], body: '{"action":"a","payload":null}', isSigned: true, missing: 0 },
    { method: 'POST', path: '/', headers: [], body: '[null]', isSigned: true, missing: 0 },
    { method: 'CONNECT', path: 'a:1', headers: [], body: '', isSigned: false, missing: 0 },
    { method: 'POST', path: '/', headers: [['upgrade', 'websocket']], body: '{}', isSigned: true, missing: 0 },
  ],
  async violations(one) {
    const before = host.written();
    const answer = await exchange(requestOf(one), one.missing > 0);
    const after = host.written();
    const stdout = after.stdout.slice(before.stdout.length);
    const stderr = after.stderr.slice(before.stderr.length);
    const run = { host, format: 'ndjson', exitCode: 0, cpuMs: 0, stdout, stderr } as const;
    const broken = [...brokenRules(run)];
    if (ended !== undefined) broken.push(`it ended: ${ended.exitCode} ${ended.stderr.slice(0, 400)}`);
    if (answer !== '' && !/^HTTP\/1\.1 (?:[245]\d\d|100) /.test(answer))
      broken.push(`it answers ${answer.slice(0, 80)}`);
    if (stdout.includes(SECRET) || stderr.includes(SECRET)) broken.push('the secret is in the output');
    const isHeard = await exchange(requestOf(genuine(count)), false, 60_000);
    if (!/^HTTP\/1\.1 2/.test(isHeard)) broken.push(`it refuses a genuine delivery: ${isHeard.slice(0, 80)}`);
    return broken;
  },
});

function genuine(number: number): DeliveryCase {
  const body = `{"action":"product.active","payload":{"n":${number}}}`;
  return { method: 'POST', path: '/', headers: [], body, isSigned: true, missing: 0 };
}

function requestOf({ method, path, headers, body, isSigned, missing }: DeliveryCase): Buffer {
  const bytes = Buffer.from(body);
  count += 1;
  const signed = isSigned ? schemes['hub-sha1'].sign({ id: `d-${count}`, body: bytes, now: 0 }, SECRET) : {};
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'connection: close',
    ...(headers.some(([name]) => name === 'content-type') ? [] : ['content-type: application/json']),
    `content-length: ${bytes.length + missing}`,
    ...[...Object.entries(signed), ...headers].map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
}

/** The first bytes of the answer; `''` where the connection was closed without one. Who sends too little hangs up. */
async function exchange(request: Buffer, hangsUp: boolean, patienceMs = 2_000): Promise<string> {
  return await new Promise((resolve) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(request);
      if (hangsUp) socket.end();
    });
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    // A request that is none may keep the listener waiting until its deadline: whoever sent it leaves.
    socket.setTimeout(patienceMs, () => socket.destroy());
  });
}
