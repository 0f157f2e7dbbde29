import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The real program, built, in a world of its own. */
export interface World {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ReadyLine {
  readonly url: string;
  readonly invoiceKey: string;
  readonly dataKey: string;
  readonly tenantId: string;
  readonly companyId: string;
}

const program = join(import.meta.dirname, '../../bin/fiscal.js');

/** Temporary folders for configuration, state and data; nothing of the machine's own settings. */
export function newWorld(): World {
  const root = temporaryFolder();
  const folders = { FISCAL_CONFIG_DIR: 'config', FISCAL_STATE_DIR: 'state', FISCAL_DATA_DIR: 'data' };
  const env = Object.fromEntries(Object.entries(folders).map(([name, folder]) => [name, join(root, folder)]));
  mkdirSync(join(root, 'work'));
  return { root, env: { ...env, PATH: process.env['PATH'] ?? '', HOME: root, FISCAL_LANG: 'en' } };
}

export function start(world: World, argv: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return spawn(process.execPath, [program, ...argv], {
    cwd: join(world.root, 'work'),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: { ...world.env, ...options.env },
  });
}

export async function ended(child: ChildProcess): Promise<Ended> {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => resolve({ exitCode, signal, ...output }));
  });
}

export async function fiscal(world: World, ...argv: string[]): Promise<Ended> {
  return await ended(start(world, argv));
}

/** A sandbox in a process of its own, and a world whose environment points at it. */
export async function withSandbox(world: World): Promise<{ world: World; ready: ReadyLine; stop(): void }> {
  const child = start(world, ['sandbox', 'start', '--fresh', '-o', 'json']);
  const ready = await new Promise<ReadyLine>((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      // The ready line is this project's own interface; its fields are asserted by the sandbox's tests.
      if (text.includes('\n')) resolve(JSON.parse(text.slice(0, text.indexOf('\n'))) as ReadyLine);
    });
    child.on('close', () => reject(new Error(`the sandbox ended: ${text}`)));
  });
  const hosts = { FISCAL_PRODUCT_URL: ready.url, FISCAL_QUERY_URL: ready.url, FISCAL_SERVICE_URL: ready.url };
  const keys = { FISCAL_INVOICE_KEY: ready.invoiceKey, FISCAL_DATA_KEY: ready.dataKey };
  const scope = { FISCAL_TENANT: ready.tenantId, FISCAL_COMPANY: ready.companyId };
  return {
    ready,
    world: { ...world, env: { ...world.env, ...hosts, ...keys, ...scope } },
    stop: () => void child.kill('SIGTERM'),
  };
}
