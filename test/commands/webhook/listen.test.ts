import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { schemes } from '../../../src/receiver/schemes.js';
import { type RunResult, runFiscal, testHost } from '../../support/host.js';

const secret = 'a-canary-of-a-secret-0123456789abcdef';

interface Listener {
  readonly url: string;
  /** The records that were printed so far. */
  records(): readonly Record<string, unknown>[];
  stderr(): string;
  end(): Promise<RunResult>;
}

/** `fiscal webhook listen` in this process, until its test ends. */
async function listen(...words: string[]): Promise<Listener> {
  const interruption = new AbortController();
  const host = testHost({ interruption: interruption.signal });
  const file = join(host.root, 'secret');
  writeFileSync(file, `${secret}\n`);
  const run = runFiscal(['webhook', 'listen', '--secret-file', file, '-o', 'ndjson', ...words], host);
  const end = async (): Promise<RunResult> => {
    interruption.abort(new Error('the test is over'));
    return await run;
  };
  onTestFinished(async () => void (await end()));
  const records = () =>
    host
      .written()
      .stdout.split('\n')
      .filter((line) => line !== '')
      .map((line): Record<string, unknown> => JSON.parse(line));
  const early = run.then(({ stderr }) => Promise.reject(new Error(`it ended: ${stderr}`)));
  await Promise.race([until(() => records().length > 0), early]);
  early.catch(() => undefined);
  return { url: String(records()[0]?.['url']), records, stderr: () => host.written().stderr, end };
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function send(url: string, id: string, payload: object): Promise<number> {
  const action = id === 'd-9' ? 'invoice.issued' : 'product.active';
  const body = Buffer.from(JSON.stringify({ action, payload }));
  const headers = schemes['hub-sha1'].sign({ id, body, now: 0 }, secret);
  const type = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers: { ...type, ...headers }, body })).status;
}

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A program of the user; `answer` is told the number of the call. */
async function program(answer: (response: ServerResponse, call: number) => void) {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      answer(response, got.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { got, url: `http://127.0.0.1:${port}/hook` };
}

const taken = (response: ServerResponse): void => void response.writeHead(204).end();

describe('webhook listen', () => {
  test('prints its address, then a record of each event; acknowledges and drops copies; exits 0 on a signal', async () => {
    const { url, records, end } = await listen();
    expect(records()).toEqual([{ type: 'ready', url, scheme: 'hub-sha1', events: [] }]);
    expect(await send(url, 'd-1', { id: 'p-1' })).toBe(200);
    expect(await send(url, 'd-1', { id: 'p-1' })).toBe(200);
    // The id is no part of what hub-sha1 signs.
    expect(await send(url, 'd-2', { id: 'p-1' })).toBe(200);
    expect(await send(url, 'd-3', { id: 'p-2' })).toBe(200);
    await until(() => records().length === 3);
    const event = (hookId: string, id: string) => ({
      ...{ type: 'event', event: 'product.active', resource: id, scheme: 'hub-sha1', hookId, payload: { id } },
      id: expect.any(String),
      receivedAt: expect.stringMatching(/Z$/),
      sha256: createHash('sha256')
        .update(JSON.stringify({ action: 'product.active', payload: { id } }))
        .digest('hex'),
    });
    expect(records().slice(1)).toEqual([event('d-1', 'p-1'), event('d-3', 'p-2')]);
    const { exitCode, stderr } = await end();
    expect(exitCode).toBe(0);
    expect(stderr).toBe('stored 2, copies 2, refused 0; delivered 2, given up 0\n');
    expect(records().at(-1)).toEqual({
      ...{ type: 'summary', stored: 2, copies: 2, refused: 0, delivered: 2, givenUp: 0 },
    });
  });

  test('forwards the same bytes, signed again, without a key of the profile; only the selected events, and stores all', async () => {
    const { got, url: target } = await program(taken);
    const { url, end } = await listen('--forward', target, '--events', 'product.*');
    expect(await send(url, 'd-9', { id: 'i-1' })).toBe(200);
    expect(await send(url, 'd-2', { id: 'p-1' })).toBe(200);
    await until(() => got.length === 1);
    const [{ headers, body } = { headers: {}, body: '' }] = got;
    expect(body).toBe('{"action":"product.active","payload":{"id":"p-1"}}');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-hook-id': 'd-2',
      'x-hook-event': 'product.active',
      'x-hook-attempts': '1',
      'x-fiscal-event-id': expect.any(String),
    });
    expect(headers.authorization).toBeUndefined();
    const verdict = schemes['hub-sha1'].verify({ headers, body: Buffer.from(body), now: 0 }, [secret]);
    expect(verdict).toBe('genuine');
    const { stdout, stderr } = await end();
    expect(stderr).toBe('stored 2, copies 0, refused 0; delivered 1, given up 0\n');
    expect(stdout + stderr).not.toContain(secret);
  });

  test('sends the event again to a target that refuses, redirects or hangs, and to no one else', async () => {
    const other = await program(taken);
    const answers: readonly ((response: ServerResponse) => void)[] = [
      (response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end('x'.repeat(200_000)),
      (response) => void response.writeHead(307, { location: other.url }).end(),
      () => undefined,
    ];
    const { got, url: target } = await program((response, call) => (answers[call - 1] ?? taken)(response));
    const { url, end } = await listen('--forward', target, '--read-timeout', '300ms');
    expect(await send(url, 'd-1', { id: 'p-1' })).toBe(200);
    expect(await send(url, 'd-2', { id: 'p-1', status: 'other' })).toBe(200);
    await until(() => got.length === 5);
    const ids = got.map(({ headers }) => [headers['x-hook-id'], headers['x-hook-attempts']]);
    expect(ids).toEqual([...[1, 2, 3, 4].map((attempt) => ['d-1', String(attempt)]), ['d-2', '1']]);
    expect(other.got).toEqual([]);
    expect((await end()).exitCode).toBe(0);
  });

  test('gives up after the attempts, reports it and names the command that sends the event again', async () => {
    const { url: target } = await program((response) => void response.writeHead(500).end());
    const { url, stderr } = await listen('--forward', target, '--max-attempts', '1');
    expect(await send(url, 'd-1', { id: 'p-1' })).toBe(200);
    await until(() => stderr().includes('gave up'));
    const [refused, givenUp] = stderr().split('\n');
    expect(refused).toBe(
      `${target} does not accept events (HTTP 500); they stay in the store and are sent later; waiting: 0`,
    );
    expect(givenUp).toMatch(
      /^gave up on event (\S+) \(attempts: 1\): http:\S+: HTTP 500; to send it again: fiscal webhook resend \1$/,
    );
  });

  test('reports once that a target refuses and once that it accepts events again, without its query string', async () => {
    let isUp = false;
    const { got, url: target } = await program((response) => {
      response.writeHead(isUp ? 204 : 503).end();
    });
    const { url, end } = await listen('--forward', `${target}?token=canary`, '--lang', 'pt-BR');
    for (const id of ['d-1', 'd-2', 'd-3']) expect(await send(url, id, { id })).toBe(200);
    await until(() => new Set(got.map(({ headers }) => headers['x-hook-id'])).size === 3);
    isUp = true;
    const before = got.length;
    await until(() => got.length >= before + 3);
    const lines = (await end()).stderr.replaceAll(/em espera: \d/g, 'em espera: n').split('\n');
    expect(lines).toEqual([
      `${target}?… não aceita eventos (HTTP 503); eles ficam guardados e são enviados depois; em espera: n`,
      `${target}?… voltou a aceitar eventos; em espera: n`,
      'guardados 3, cópias 0, recusados 0; entregues 3, abandonados 0',
      '',
    ]);
  });

  test('reports a clock that is an hour off, requests the delivery again and counts it', async () => {
    const { url, stderr, records, end } = await listen('--scheme', 'standard-webhooks');
    const at = (now: number) => {
      const body = Buffer.from('{"action":"product.active","payload":{"id":"p-1"}}');
      const signed = schemes['standard-webhooks'].sign({ id: 'm-1', body, now }, secret);
      const headers = { 'content-type': 'application/json', ...signed };
      return fetch(url, { method: 'POST', headers, body });
    };
    expect((await at(Date.now() - 3_600_000)).status).toBe(503);
    await until(() => stderr().includes('\n'));
    expect(stderr()).toMatch(
      /^refused \(1 so far\): genuine, but signed at another time \(503\): 360[01] s before the time of this machine\. If its clock is wrong, set it/,
    );
    expect((await at(Date.now() + 90_000)).status).toBe(200);
    const { exitCode, stderr: all } = await end();
    expect([exitCode, records().at(-1)]).toMatchObject([0, { stored: 1, refused: 1, stale: 1 }]);
    expect(all).toContain('genuine deliveries refused because of the time of their signature: 1;');
  });

  test('forwards an event that is nested too deeply to be printed', async () => {
    const { got, url: target } = await program(taken);
    const { url, records } = await listen('--forward', target);
    const deep = `{"action":"x","payload":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const headers = schemes['hub-sha1'].sign({ id: 'd-1', body: Buffer.from(deep), now: 0 }, secret);
    const type = { 'content-type': 'application/json' };
    await fetch(url, { method: 'POST', headers: { ...type, ...headers }, body: deep });
    await until(() => got.length === 1);
    expect(got[0]?.body).toBe(deep);
    expect(records()[1]).toMatchObject({ type: 'event', payload: null });
  });

  test('serves TLS with a certificate of the user', async () => {
    const fixtures = join(import.meta.dirname, '../../client/fixtures');
    const [cert, key] = [join(fixtures, 'tls-test.crt'), join(fixtures, 'tls-test.key')];
    const { url } = await listen('--cert', cert, '--key', key, '--path', '/s3cret');
    expect(url).toMatch(/^https:.*\/s3cret$/);
    const ca = readFileSync(cert);
    const status = await new Promise((resolve, reject) => {
      const call = httpsRequest(url, { method: 'POST', ca }, (response) => resolve(response.resume().statusCode));
      call.on('error', reject);
      call.end();
    });
    expect(status).toBe(415);
  });

  const refused: readonly [string, readonly string[], string][] = [
    ['a target that is no address', ['--forward', 'ftp://x'], 'config.insecure_host'],
    ['a target with a password', ['--forward', 'https://a:b@x'], 'usage.invalid_value'],
    ['a port beyond the last', ['--port', '65536'], 'usage.invalid_value'],
    ['a path that is none', ['--path', 'hook'], 'usage.invalid_value'],
    ['a certificate without its key', ['--cert', 'x.pem'], 'usage.missing'],
    ['a certificate that is empty', ['--cert', 'empty.pem', '--key', 'empty.pem'], 'webhook.cannot_listen'],
    ['files that are not there', ['--cert', 'x.pem', '--key', 'x.pem'], 'input.not_found'],
    ['--dry-run', ['--dry-run'], 'usage.dry_run'],
  ];

  test.each(refused)('refuses %s with one sentence', async (_, words, code) => {
    const host = testHost({ env: { FISCAL_WEBHOOK_SECRET: secret } });
    writeFileSync(join(host.cwd, 'empty.pem'), '');
    const { exitCode, stderr, stdout } = await runFiscal(
      ['webhook', 'listen', '--error-format', 'json', ...words],
      host,
    );
    expect([exitCode, stdout, JSON.parse(stderr)]).toEqual([
      2,
      '',
      { type: 'error', error: expect.objectContaining({ code }) },
    ]);
  });
});
