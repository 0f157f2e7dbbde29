import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox } from '../../src/sandbox/start.js';
import { runFiscal, testHost } from '../support/host.js';
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
  const folders = {
    FISCAL_CONFIG_DIR: 'config',
    FISCAL_STATE_DIR: 'state',
    FISCAL_DATA_DIR: 'data',
    FISCAL_CACHE_DIR: 'cache',
  };
  const env = Object.fromEntries(Object.entries(folders).map(([name, folder]) => [name, join(root, folder)]));
  mkdirSync(join(root, 'work'));
  // What the program was compiled to; each world by itself would compile it again.
  const compiled = { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache') };
  return { root, env: { ...env, ...compiled, PATH: process.env['PATH'] ?? '', HOME: root, FISCAL_LANG: 'en' } };
}

export function start(world: World, argv: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return spawn(process.execPath, ['--throw-deprecation', program, ...argv], {
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

/** The same run without a process of its own, which costs ten times as much: for what only the world and the output show. */
export async function inProcess(world: World, ...argv: string[]): Promise<Ended> {
  return await inProcessWith(world, '', argv);
}

/** The same with text on stdin. */
export async function inProcessWith(world: World, stdin: string, argv: readonly string[]): Promise<Ended> {
  const host = testHost({ env: world.env, cwd: join(world.root, 'work'), stdin });
  const { exitCode, stdout, stderr } = await runFiscal(argv, { ...host, homeDir: world.root });
  return { exitCode, signal: null, stdout, stderr };
}

/** A sandbox in this process, and a world whose environment points at it. */
export async function withSandbox(world: World): Promise<{ world: World; ready: ReadyLine; stop(): void }> {
  const { ready, close } = await startSandbox({ path: join(world.root, 'sandbox.db') });
  return { ready, world: pointedAt(ready, world), stop: () => void close() };
}

/** A fresh world that speaks to a sandbox which runs already. */
export function worldAt(ready: ReadyLine): World {
  return pointedAt(ready, newWorld());
}

function pointedAt(ready: ReadyLine, world: World): World {
  const hosts = { FISCAL_PRODUCT_URL: ready.url, FISCAL_QUERY_URL: ready.url, FISCAL_SERVICE_URL: ready.url };
  const keys = { FISCAL_INVOICE_KEY: ready.invoiceKey, FISCAL_DATA_KEY: ready.dataKey };
  const scope = { FISCAL_TENANT: ready.tenantId, FISCAL_COMPANY: ready.companyId };
  return withEnv(world, { ...hosts, ...keys, ...scope });
}

export function withEnv(world: World, env: Readonly<Record<string, string>>): World {
  return { ...world, env: { ...world.env, ...env } };
}

/** Puts a file into the working folder of the program. */
export function put(world: World, name: string, content: string | Uint8Array): string {
  const path = join(world.root, 'work', name);
  writeFileSync(path, content);
  return path;
}

/** A product that the sandbox finds valid; with tax rules its create is billed. */
export function product(sku: string, kind: 'plain' | 'billed' = 'plain'): string {
  const rule = {
    operationCode: 121,
    issuer: [{ taxRegime: 'RealProfit', taxProfile: 'wholesale' }],
    recipient: [{ taxProfile: 'retail' }],
    intraState: { cfop: '5102', icms: { cst: '00', pICMS: '18.00' } },
  };
  const rules = kind === 'billed' ? { customTax: [rule] } : {};
  return JSON.stringify({ sku, description: `Product ${sku}`, origin: 'National', ...rules });
}

export function products(count: number, prefix: string, kind: 'plain' | 'billed' = 'plain'): string {
  return Array.from({ length: count }, (_, index) => `${product(`${prefix}-${index + 1}`, kind)}\n`).join('');
}

/** NFS-e of the same content, each with an id of its own. */
export function serviceNotes(count: number): string {
  const note = {
    cityServiceCode: '2690',
    description: 'Consultoria',
    servicesAmount: '1500.00',
    borrower: { name: 'Comércio Exemplo Ltda', federalTaxNumber: '11222333000181', email: 'a@example.com' },
  };
  const nths = Array.from({ length: count }, (_, index) => index + 1);
  return nths.map((nth) => `${JSON.stringify({ ...note, externalId: `ORDER-${nth}` })}\n`).join('');
}

/** After the documents of a history, which stay hidden. */
export function yesterday(): string {
  return new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
}

/** Seeds so many companies with a hidden history, and gives the ids of all. */
export async function companiesWithHistory(ready: ReadyLine, world: World, count: number): Promise<readonly string[]> {
  await control(ready, 'seed', { scenario: 'history', companies: count, documents: 10 * count });
  const hidden = await fiscal(world, 'backfill', 'show', '--all-companies', '-o', 'ndjson');
  return records(hidden).map(({ companyId }) => String(companyId));
}

export interface LedgerEntry {
  readonly operation: string;
  readonly status: number | null;
  readonly billed: string | null;
  readonly effect: { readonly created?: string; readonly sku?: string; readonly id?: string } | null;
}

/** What arrived at the sandbox, in its order. */
export async function ledger({ url }: ReadyLine, operation = 'product.create'): Promise<readonly LedgerEntry[]> {
  const answer = await fetch(`${url}/__sandbox/ledger?operation=${operation}&limit=5000`);
  // The ledger's shape is asserted by the sandbox's own tests.
  const { entries } = (await answer.json()) as { entries: LedgerEntry[] };
  return entries;
}

export async function createdSkus(ready: ReadyLine): Promise<readonly string[]> {
  const entries = await ledger(ready);
  return entries.flatMap(({ effect }) => (effect?.created === 'product' ? [effect.sku ?? ''] : []));
}

/** One call of the sandbox's control API, for programs in any language. */
export async function control(ready: ReadyLine, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await fetch(`${ready.url}/__sandbox/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  // Any JSON object; each test looks at the fields that it needs.
  return (await answer.json()) as Record<string, unknown>;
}

/**
 * From now on requests to the operation get no answer while their sender lives, once `skip` others have passed; with `slowMs`
 * every other one is answered late by that much. The service does what they ask for.
 */
export async function holdAnswers(
  ready: ReadyLine,
  operation: string,
  { skip = 0, slowMs = 0 }: { readonly skip?: number; readonly slowMs?: number } = {},
): Promise<void> {
  await clearFaults(ready);
  await control(ready, 'faults', { kind: 'slow', operation, delayMs: 600_000, skip });
  if (slowMs > 0) await control(ready, 'faults', { kind: 'slow', operation, delayMs: slowMs });
}

/** Kills with SIGKILL when so many of its requests are held, however slow the machine is: they are in flight then. */
export async function killWhenHeld(ready: ReadyLine, child: ChildProcess, requests = 1): Promise<Ended> {
  const end = ended(child);
  while (child.exitCode === null && (await heldRequests(ready)) < requests) await pause(20);
  child.kill('SIGKILL');
  return await end;
}

async function heldRequests({ url }: ReadyLine): Promise<number> {
  // The shape is asserted by the sandbox's own tests.
  const { faults } = (await (await fetch(`${url}/__sandbox/faults`)).json()) as { faults: { applied: number }[] };
  return faults[0]?.applied ?? 0;
}

export async function clearFaults(ready: ReadyLine): Promise<void> {
  await fetch(`${ready.url}/__sandbox/faults`, { method: 'DELETE' });
}

export function records({ stdout }: Ended): readonly Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line));
}

/** The error of the last line of stderr, as a program reads it. */
export function errorOf({ stderr }: Ended): Record<string, unknown> {
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  // The shape is what `output.test.ts` asserts.
  return (JSON.parse(line) as { error: Record<string, unknown> }).error;
}
