import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunningSandbox, SandboxOptions } from '../../src/contract/sandbox.js';
import { startSandbox } from '../../src/sandbox/start.js';
import { sendTo } from '../conformance/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const account = { tenantId: 't-1', companyId: 'c-1', invoiceKey: 'sbx_i', dataKey: 'sbx_d' };

async function using<Result>(
  options: SandboxOptions,
  use: (sandbox: RunningSandbox) => Promise<Result>,
): Promise<Result> {
  const sandbox = await startSandbox(options);
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

async function create({ ready }: RunningSandbox, sku: string): Promise<string> {
  const path = `/${ready.tenantId}/products`;
  const body = { sku, customTax: [{ operationCode: 1, intraState: { cfop: '5102' } }] };
  return (await sendTo(ready.url)('POST', path, { key: ready.invoiceKey, body })).json.id;
}

async function statusOf({ ready }: RunningSandbox, id: string): Promise<string> {
  return (await sendTo(ready.url)('GET', `/${ready.tenantId}/products/${id}`, { key: ready.invoiceKey })).json.status;
}

describe('startSandbox', () => {
  it('serves the given account', async () => {
    const ready = await using({ path: ':memory:', account }, async (sandbox) => sandbox.ready);
    expect(ready).toEqual({ type: 'ready', url: ready.url, jwt: ready.jwt, ...account });
  });

  it('keeps idle connections open for 65 seconds, so that a busy client can reuse them', async () => {
    const { headers } = await using({ path: ':memory:', account }, async ({ url }) => sendTo(url)('GET', '/'));
    expect(headers.get('keep-alive')).toBe('timeout=65');
  });

  it('creates an account with sandbox keys if none is given, and keeps it', async () => {
    const path = join(temporaryFolder(), 'sandbox.db');
    const first = await using({ path }, async (sandbox) => sandbox.ready);
    const second = await using({ path }, async (sandbox) => sandbox.ready);
    expect([first.invoiceKey, first.dataKey].map((key) => key.slice(0, 4))).toEqual(['sbx_', 'sbx_']);
    expect({ ...second, url: '', jwt: '' }).toEqual({ ...first, url: '', jwt: '' });
  });

  it('keeps everything across a restart, and does the work that fell due meanwhile', async () => {
    const path = join(temporaryFolder(), 'sandbox.db');
    const options = { path, account, validationDelayMs: 60_000 };
    const id = await using(options, async (sandbox) => {
      await sendTo(sandbox.url)('POST', '/__sandbox/faults', { body: { kind: '503', operation: 'company.list' } });
      await sendTo(sandbox.url)('POST', '/__sandbox/clock', { body: { advance: '30d' } });
      return await create(sandbox, 'A');
    });
    await using(options, async (sandbox) => {
      const status = await sendTo(sandbox.url)('GET', '/__sandbox/status');
      expect(status.json).toMatchObject({ products: { Created: 1 }, requests: 1, billed: 1, faults: 1 });
      expect(status.json.clock.offsetMs).toBeGreaterThan(29 * 86_400_000);
      await sendTo(sandbox.url)('POST', '/__sandbox/clock', { body: { advance: '1m' } });
      expect(await statusOf(sandbox, id)).toBe('Active');
    });
  });

  it('validates in real time, without the clock route', async () => {
    await using({ path: ':memory:', validationDelayMs: 20 }, async (sandbox) => {
      const id = await create(sandbox, 'A');
      const seen = new Set<string>();
      for (let status = ''; status !== 'Active'; seen.add(status)) status = await statusOf(sandbox, id);
      expect(seen.has('Active')).toBe(true);
    });
  });

  it('serves one file from two servers at once', async () => {
    const path = join(temporaryFolder(), 'sandbox.db');
    await using({ path, account }, (one) =>
      using({ path, account }, async (two) => {
        const servers = [one, two];
        const made = Array.from({ length: 60 }, (_, index) => create(servers[index % 2] ?? one, `S-${index}`));
        const ids = await Promise.all(made);
        expect(new Set(ids).size).toBe(60);
        const { json } = await sendTo(one.url)('GET', '/__sandbox/ledger?effects=true&limit=5');
        expect([json.total, json.entries.map((entry: { sequence: number }) => entry.sequence)]).toEqual([
          60,
          [1, 2, 3, 4, 5],
        ]);
      }),
    );
  });

  it('generates the same ids for the same seed', async () => {
    const ids = (seed: number) => using({ path: ':memory:', seed }, (sandbox) => create(sandbox, 'A'));
    expect(await ids(3)).toBe(await ids(3));
    expect(await ids(3)).not.toBe(await ids(4));
  });

  it('returns to its first day on reset and keeps its keys', async () => {
    await using({ path: ':memory:', account }, async (sandbox) => {
      const fresh = await sendTo(sandbox.url)('GET', '/__sandbox/status');
      await create(sandbox, 'A');
      await sendTo(sandbox.url)('POST', '/__sandbox/seed', { body: { companies: 3, products: 2 } });
      const { json } = await sendTo(sandbox.url)('POST', '/__sandbox/keys', { body: { kind: 'data', roles: [] } });
      await sendTo(sandbox.url)('POST', '/__sandbox/reset');
      const after = await sendTo(sandbox.url)('GET', '/__sandbox/status');
      expect({ ...after.json, clock: null }).toEqual({ ...fresh.json, clock: null });
      expect((await sendTo(sandbox.url)('GET', '/v1/cnpj/12345678000195', { key: json.key })).status).toBe(401);
      expect((await sendTo(sandbox.url)('GET', '/v2/companies', { key: account.invoiceKey })).status).toBe(200);
    });
  });

  it('makes its file readable by its owner only', async () => {
    const path = join(temporaryFolder(), 'deep', 'sandbox.db');
    await using({ path }, async () => {
      const modes = [path, `${path}-wal`].map((file) => statSync(file).mode & 0o777);
      expect([...modes, statSync(join(path, '..')).mode & 0o777]).toEqual([0o600, 0o600, 0o700]);
    });
  });

  it('reports a file that is not a sandbox file', async () => {
    const path = join(temporaryFolder(), 'sandbox.db');
    writeFileSync(path, 'not a database at all, but long enough to be read as one'.repeat(100));
    await expect(startSandbox({ path })).rejects.toThrow('file is not a database');
  });

  it('survives a client that disconnects in the middle of its body', async () => {
    await using({ path: ':memory:' }, async ({ url, ready }) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      await once(socket, 'connect');
      const head = `POST /${ready.tenantId}/products HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"sku"`;
      await new Promise((written) => socket.write(head, written));
      socket.destroy();
      const { json } = await sendTo(url)('GET', '/__sandbox/ledger');
      expect(json).toEqual({ entries: [], total: 0 });
    });
  });

  it('reports that the port is in use', async () => {
    await using({ path: ':memory:' }, async ({ url }) => {
      const port = Number(new URL(url).port);
      await expect(startSandbox({ path: ':memory:', port })).rejects.toThrow('EADDRINUSE');
    });
  });
});
