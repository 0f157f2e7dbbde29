import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';
import type { SandboxReady } from '../../src/contract/sandbox.js';
import { sendTo } from '../conformance/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A program that does nothing but serve, made from the sources. */
function buildServer(folder: string): string {
  mkdirSync(folder, { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  const entry = join(folder, 'entry.ts');
  writeFileSync(
    entry,
    `import { startSandbox } from ${JSON.stringify(resolve('src/sandbox/start.js'))};
     const sandbox = await startSandbox({ path: process.argv[2], validationDelayMs: 200 });
     console.log(JSON.stringify(sandbox.ready));`,
  );
  const outfile = join(folder, 'server.mjs');
  buildSync({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external' });
  return outfile;
}

async function start(server: string, path: string): Promise<{ child: ChildProcess; ready: SandboxReady }> {
  const child = spawn(process.execPath, [server, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('no stdout');
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  return { child, ready: JSON.parse(line) };
}

it('two processes serve one file, and one takes over the work of the other after a kill', async () => {
  const folder = temporaryFolder();
  const server = buildServer(join(folder, 'server'));
  const path = join(folder, 'sandbox.db');
  const [one, two] = await Promise.all([start(server, path), start(server, path)]);
  try {
    expect({ ...two.ready, url: '', jwt: '' }).toEqual({ ...one.ready, url: '', jwt: '' });
    const products = `/${one.ready.tenantId}/products`;
    const rules = [{ operationCode: 1, intraState: { cfop: '5102' } }];
    const create = async (url: string, sku: string) =>
      (await sendTo(url)('POST', products, { key: one.ready.invoiceKey, body: { sku, customTax: rules } })).json.id;
    const urls = [one.ready.url, two.ready.url];
    const ids = await Promise.all(
      Array.from({ length: 100 }, (_, index) => create(urls[index % 2] ?? '', `S-${index}`)),
    );
    expect(new Set(ids).size).toBe(100);
    one.child.kill('SIGKILL');
    await once(one.child, 'exit');
    await sendTo(two.ready.url)('POST', '/__sandbox/clock', { body: { advance: '1s' } });
    const status = await sendTo(two.ready.url)('GET', '/__sandbox/status');
    expect(status.json).toMatchObject({ products: { Active: 100 }, dueWork: 0, requests: 100, billed: 100 });
  } finally {
    one.child.kill('SIGKILL');
    two.child.kill('SIGKILL');
  }
});
