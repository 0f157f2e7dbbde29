import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wellKnownKeys } from '../../../src/config/sandbox-keys.js';
import { sandboxProfile } from '../../../src/config/sandbox-profile.js';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import { attachSandbox } from '../../../src/commands/sandbox/attach.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type RunResult, runFiscal, type TestHost, testHost } from '../../support/host.js';

const json = (result: RunResult): unknown => JSON.parse(result.stdout);

/** A host whose next line on stdout can be waited for. */
function watchedHost(
  interruption: AbortSignal,
  env: Record<string, string> = {},
): { host: TestHost; firstLine: Promise<string> } {
  const host = testHost({ interruption, env });
  const heard = new EventEmitter();
  const stdout = {
    ...host.stdout,
    write: async (text: string) => {
      await host.stdout.write(text);
      heard.emit('line', text);
    },
  };
  return { host: { ...host, stdout }, firstLine: once(heard, 'line').then(String) };
}

function runs(script: string): string[] {
  return ['sandbox', 'exec', '--', process.execPath, '-e', script];
}

describe('fiscal sandbox start', () => {
  it('prints one ready line, serves until a signal, and leaves no running file', async () => {
    const interruption = new AbortController();
    const { host, firstLine } = watchedHost(interruption.signal);
    const result = runFiscal(['sandbox', 'start', '-o', 'json'], host);
    const ready = JSON.parse(await firstLine);
    const running = join(host.root, 'data', 'sandbox', 'running.json');
    const keys = JSON.parse(readFileSync(join(host.root, 'data', 'sandbox', 'keys.json'), 'utf8'));
    const account = { ...sandboxProfile.account, ...keys };
    expect(ready).toEqual({ type: 'ready', url: ready.url, jwt: ready.jwt, ...account });
    expect(ready.invoiceKey).not.toBe(wellKnownKeys.invoiceKey);
    expect(JSON.parse(readFileSync(running, 'utf8'))).toEqual({ url: ready.url, pid: host.pid });

    const status = await runFiscal(['sandbox', 'status', '-o', 'json'], host);
    expect(json(status)).toMatchObject({ running: true, url: ready.url, tenantId: ready.tenantId });
    const second = await runFiscal(['sandbox', 'start', '--error-format', 'json'], host);
    expect([second.exitCode, JSON.parse(second.stderr).error.code]).toEqual([10, 'sandbox.already_running']);

    interruption.abort(new FiscalError('job.interrupted'));
    const before = (await result).stdout.split('\n').filter((line) => line.includes('"ready"'));
    expect([(await result).exitCode, before.length, existsSync(running)]).toEqual([0, 1, false]);
    await expect(fetch(`${ready.url}/__sandbox/status`)).rejects.toThrow('fetch failed');
  });

  it('lets one of several serve that start at once', async () => {
    const env = { FISCAL_DATA_DIR: temporaryFolder() };
    const interruption = new AbortController();
    let ended = 0;
    const starts = Array.from({ length: 3 }, async () => {
      const { host } = watchedHost(interruption.signal, env);
      const result = await runFiscal(['sandbox', 'start', '--fresh', '--error-format', 'json'], host);
      ended += 1;
      // The one that serves ends only after the two others have been refused.
      if (ended === 2) interruption.abort(new FiscalError('job.interrupted'));
      return result.exitCode;
    });
    expect((await Promise.all(starts)).toSorted((one, other) => one - other)).toEqual([0, 10, 10]);
  });

  it('removes no state that a command of another process still uses', async () => {
    const data = temporaryFolder();
    const embedded = await attachSandbox({ directories: { data } });
    const host = testHost({ env: { FISCAL_DATA_DIR: data } });
    const fresh = ['sandbox', 'start', '--fresh', '--error-format', 'json'];
    const refused = await runFiscal(fresh, host);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('a command that is still running uses its state');
    const state = () => readFileSync(join(data, 'sandbox', 'sandbox.db')).length > 0;
    expect(state()).toBe(true);
    await embedded.close();
    const interruption = new AbortController();
    const { host: next, firstLine } = watchedHost(interruption.signal, { FISCAL_DATA_DIR: data });
    const served = runFiscal(fresh, next);
    await firstLine;
    interruption.abort(new FiscalError('job.interrupted'));
    expect((await served).exitCode).toBe(0);
  });

  it('takes the documented keys with --well-known-keys only, and the profile follows', async () => {
    const env = { FISCAL_DATA_DIR: temporaryFolder() };
    const ready = async (...flags: readonly string[]) => {
      const interruption = new AbortController();
      const { host, firstLine } = watchedHost(interruption.signal, env);
      const result = runFiscal(['sandbox', 'start', '-o', 'json', ...flags], host);
      const line = JSON.parse(await firstLine);
      const list = await runFiscal(['company', 'list', '--profile', 'sandbox', '-o', 'id'], testHost({ env }));
      expect(list).toMatchObject({ exitCode: 0, stdout: `${sandboxProfile.account.companyId}\n` });
      const answer = await fetch(`${line.url}/v2/companies`, { headers: { authorization: wellKnownKeys.invoiceKey } });
      interruption.abort(new FiscalError('job.interrupted'));
      await result;
      return { key: line.invoiceKey as string, wellKnown: answer.status };
    };
    const first = await ready();
    expect(first).toEqual({ key: expect.stringMatching(/^sbx_invoice_[0-9a-f]{32}$/), wellKnown: 401 });
    expect(await ready()).toEqual(first);
    expect(await ready('--well-known-keys')).toEqual({ key: wellKnownKeys.invoiceKey, wellKnown: 200 });
    const again = await ready();
    expect(again).toMatchObject({ wellKnown: 401 });
    expect(again.key).not.toBe(first.key);
    expect((await ready('--fresh')).key).not.toBe(again.key);
  });

  it('shows its address on a terminal without showing a key', async () => {
    const interruption = new AbortController();
    const { host, firstLine } = watchedHost(interruption.signal);
    const result = runFiscal(['sandbox', 'start', '-o', 'table'], host);
    const text = await firstLine;
    interruption.abort(new FiscalError('job.interrupted'));
    await result;
    expect(text).toContain('The sandbox is running at http://127.0.0.1:');
    expect(text).not.toContain('sbx_');
  });
});

describe('fiscal sandbox exec', () => {
  it('gives the command an environment of its own and returns its exit code', async () => {
    const host = testHost({
      env: { FISCAL_JWT: 'live', FISCAL_INVOICE_KEY_FILE: '/live', FISCAL_ADDRESS_URL: 'https://live.example' },
    });
    const out = join(host.root, 'env.json');
    const script = `
      const { FISCAL_PRODUCT_URL: url, FISCAL_INVOICE_KEY: key, FISCAL_TENANT: tenant } = process.env;
      const headers = { Authorization: key, 'Content-Type': 'application/json' };
      fetch(url + '/' + tenant + '/products', { method: 'POST', headers, body: '{"sku":"A"}' }).then((answer) => {
        const names = Object.keys(process.env).filter((name) => name.startsWith('FISCAL_')).sort();
        const text = JSON.stringify({ status: answer.status, names, state: process.env.FISCAL_STATE_DIR });
        require('node:fs').writeFileSync(${JSON.stringify(out)}, text);
        process.exit(42);
      });`;
    const result = await runFiscal(runs(script), host);
    const seen = JSON.parse(readFileSync(out, 'utf8'));
    expect([result.exitCode, result.stdout]).toEqual([42, '']);
    expect(seen).toEqual({
      status: 201,
      state: seen.state,
      names: [
        'FISCAL_CACHE_DIR',
        'FISCAL_COMPANY',
        'FISCAL_CONFIG_DIR',
        'FISCAL_DATA_DIR',
        'FISCAL_DATA_KEY',
        'FISCAL_INVOICE_KEY',
        'FISCAL_PRODUCT_URL',
        'FISCAL_QUERY_URL',
        'FISCAL_SANDBOX_URL',
        'FISCAL_SERVICE_URL',
        'FISCAL_STATE_DIR',
        'FISCAL_TENANT',
      ],
    });
    expect(existsSync(join(seen.state, '..'))).toBe(false);
  });

  it('passes a signal on and exits as the command does', async () => {
    const interruption = new AbortController();
    const host = testHost({ interruption: interruption.signal });
    const mark = join(host.root, 'mark');
    const script = `
      process.on('SIGTERM', () => process.exit(7));
      setInterval(() => {}, 1000);
      require('node:fs').writeFileSync(${JSON.stringify(mark)}, '');`;
    const { watch } = await import('node:fs/promises');
    const changes = watch(host.root);
    const result = runFiscal(runs(script), host);
    for await (const { filename } of changes) if (filename === 'mark') break;
    interruption.abort(new FiscalError('job.interrupted', {}, { cause: 'SIGTERM' }));
    expect((await result).exitCode).toBe(7);
  });

  it('reports an unknown command', async () => {
    const result = await runFiscal(['sandbox', 'exec', '--', 'no-such-command-here']);
    expect([result.exitCode, result.stderr.includes('no-such-command-here')]).toEqual([2, true]);
  });

  it('needs a command', async () => {
    expect((await runFiscal(['sandbox', 'exec'])).exitCode).toBe(2);
  });
});

describe('the control commands without a running sandbox', () => {
  it('moves the clock and keeps it for the next command', async () => {
    const host = testHost();
    const set = ['sandbox', 'clock', 'set', '2030-01-01T00:00:00Z', '-o', 'json'];
    await runFiscal(['sandbox', 'clock', 'freeze', '-o', 'json'], host);
    expect(json(await runFiscal(set, host))).toMatchObject({ now: '2030-01-01T00:00:00.000Z', frozen: true });
    await runFiscal(['sandbox', 'clock', 'advance', '10d'], host);
    expect(json(await runFiscal(['sandbox', 'clock', '-o', 'json'], host))).toMatchObject({
      now: '2030-01-11T00:00:00.000Z',
    });
  });

  it.each([
    [['clock', 'advance']],
    [['clock', 'advance', 'soon']],
    [['clock', 'set', '2030-02-30']],
    [['clock', 'rewind', '1d']],
    [['fault', 'add']],
    [['fault', 'add', '--kind', 'earthquake']],
    [['fault', 'add', '--kind', '503', '--rate', '2']],
    [['fault', 'remove']],
  ])('exits 2 on %j', async (words) => {
    const result = await runFiscal(['sandbox', ...words]);
    expect([result.exitCode, result.stdout]).toEqual([2, '']);
  });

  it('changes the modes, and resets them with --usual', async () => {
    const host = testHost();
    const mode = (...words: string[]) => runFiscal(['sandbox', 'mode', ...words, '-o', 'json'], host);
    const usual = json(await mode());
    const changed = json(await mode('--lag', '3s', '--external-ids', 'unique', '--lists', 'bare', '--lenient'));
    expect(changed).toMatchObject({ lagMs: 3000, externalIds: 'unique', lists: 'bare', lenient: true });
    expect([json(await mode()), json(await mode('--usual'))]).toEqual([changed, usual]);
  });

  it.each([
    ['--lag', '3s'],
    ['--idempotency-keys', 'honoured'],
    ['--external-ids', 'unique'],
    ['--lists', 'bare'],
    ['--lenient'],
  ])('refuses --usual with %s', async (option, ...value) => {
    const host = testHost();
    const { exitCode, stderr } = await runFiscal(['sandbox', 'mode', '--usual', option, ...value], host);
    const message = `${option} has no effect with --usual`;
    expect([exitCode, JSON.parse(stderr).error.message]).toEqual([2, message]);
    expect(existsSync(join(host.root, 'data', 'sandbox'))).toBe(false);
  });

  it('adds, lists and clears faults', async () => {
    const host = testHost();
    const add = ['--kind', '429', '--operation', 'product.create', '--count', '2', '--retry-after', '5'];
    const added = await runFiscal(['sandbox', 'fault', 'add', ...add, '-o', 'json'], host);
    const rule = { kind: '429', operation: 'product.create', rate: 1, skip: 0, count: 2, retryAfter: 5 };
    const stored = { ...rule, id: 1, seen: 0, applied: 0 };
    expect(json(added)).toEqual(stored);
    expect(json(await runFiscal(['sandbox', 'fault', 'list', '-o', 'json'], host))).toEqual([stored]);
    expect(json(await runFiscal(['sandbox', 'fault', 'clear', '-o', 'json'], host))).toEqual({ cleared: 1 });
  });

  it('shows the error of the sandbox for a rule that it refuses', async () => {
    const result = await runFiscal(['sandbox', 'fault', 'add', '--kind', '503', '--operation', 'product.destroy']);
    expect([result.exitCode, result.stderr.includes('operation')]).toEqual([6, true]);
  });

  it('seeds, shows and empties', async () => {
    const host = testHost();
    await runFiscal(['sandbox', 'seed', '--companies', '3', '--products', '5'], host);
    const status = ['sandbox', 'status', '-o', 'json'];
    expect(json(await runFiscal(status, host))).toMatchObject({
      running: false,
      companies: 4,
      products: { Active: 5 },
    });
    expect((await runFiscal(['sandbox', 'reset'], host)).exitCode).toBe(0);
    expect(json(await runFiscal(status, host))).toMatchObject({ companies: 1, products: {} });
  });

  it('refuses a sandbox address on another machine', async () => {
    const env = { FISCAL_SANDBOX_URL: 'http://sandbox.example' };
    const result = await runFiscal(['sandbox', 'status'], { env });
    expect([result.exitCode, result.stderr.includes('sandbox.example')]).toEqual([2, true]);
  });

  it('exits 5 when the named sandbox does not answer', async () => {
    const result = await runFiscal(['sandbox', 'status'], { env: { FISCAL_SANDBOX_URL: 'http://127.0.0.1:9' } });
    expect(result.exitCode).toBe(5);
  });
});
