import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  clearFaults,
  control,
  createdSkus,
  ended,
  type Ended,
  fiscal,
  inProcess,
  newWorld,
  product,
  products,
  put,
  type ReadyLine,
  start,
  withEnv,
  withSandbox,
  type World,
  worldAt,
} from './program.js';

let ready: ReadyLine;
let stop: () => void;
/** Keys that are right at this sandbox and stand nowhere else: whoever finds one has found a leak. */
let canary: string;
let token: string;
let echo: Server;
let echoUrl: string;

const cpf = '52998224725';

beforeAll(async () => {
  ({ ready, stop } = await withSandbox(newWorld()));
  const roles = ['Management'];
  canary = String((await control(ready, 'keys', { kind: 'invoice', roles }))['key']);
  token = String((await control(ready, 'keys', { roles, as: 'jwt' }))['key']);
  echo = createServer((request, response) => {
    const key = `${request.headers.authorization ?? ''} ${request.url ?? ''}`;
    response.writeHead(400, { 'content-type': 'application/json', 'x-request-id': key.slice(0, 60) });
    response.end(JSON.stringify({ error: { code: 'bad', message: `you sent ${key}` } }));
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  const { port } = echo.address() as AddressInfo;
  echoUrl = `http://127.0.0.1:${port}`;
});

afterAll(() => {
  stop();
  echo.closeAllConnections();
  echo.close();
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The files of the world that hold the words, whatever they are: databases, logs, reports. */
function filesWith(world: World, words: string): readonly string[] {
  return filesBelow(world.root).filter((path) => readFileSync(path).includes(words));
}

/** The words that processes show to every user of the machine. */
function processList(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      } catch {
        return ''; // it has ended meanwhile
      }
    })
    .join('\n');
}

/** A world whose environment has no invoice key: the test puts one where it wants it. */
function keyless(): World {
  const world = worldAt(ready);
  const { FISCAL_INVOICE_KEY: _key, ...env } = world.env;
  return { ...world, env };
}

/** What a working day types, with everything that could write a key down; `run`: whether in processes of their own. */
async function workingDay(world: World, run = inProcess): Promise<readonly Ended[]> {
  put(world, 'p.json', product(`DAY-${Math.floor(Number(process.hrtime.bigint() % 1_000_000_000n))}`));
  put(world, 'many.ndjson', products(3, 'CANARY', 'billed'));
  const words = [
    ['auth', 'status'],
    ['product', 'create', '--file', 'p.json', '--wait', '-v', '--debug-http'],
    ['product', 'create', '--file', 'p.json', '--dry-run'],
    [
      'product',
      'apply',
      '--create-only',
      'many.ndjson',
      '--yes',
      '--report',
      'report.csv',
      '--metrics-file',
      'm.prom',
      '--debug-http',
    ],
    ['api', 'GET', '/v2/companies?limit=1', '-v', '--debug-http'],
    ['config', 'list', '--show-origin'],
    ['doctor', '--probe', '--debug-http'],
    ['history', '-o', 'json'],
    ['usage', '-o', 'csv'],
    ['job', 'list', '-o', 'yaml'],
  ];
  const results: Ended[] = [];
  for (const argv of words) results.push(await run(world, ...argv));
  const id = await run(world, 'job', 'list', '-o', 'id');
  results.push(await run(world, 'job', 'items', '--full', id.stdout.split('\n')[0] ?? '', '-o', 'ndjson'));
  return results;
}

function textOf(results: readonly Ended[]): string {
  return results.map(({ stdout, stderr }) => stdout + stderr).join('\n');
}

describe('a key', () => {
  test.each([
    ['FISCAL_INVOICE_KEY', fiscal],
    ['FISCAL_INVOICE_KEY_FILE', inProcess],
    ['FISCAL_INVOICE_KEY_COMMAND', inProcess],
  ] as const)('from %s is used, and is stored nowhere else', async (variable, run) => {
    const world = keyless();
    const held = put(world, 'held.txt', `${canary}\n`);
    const values = {
      FISCAL_INVOICE_KEY: canary,
      FISCAL_INVOICE_KEY_FILE: held,
      FISCAL_INVOICE_KEY_COMMAND: `cat ${held}`,
    };
    const results = await workingDay(withEnv(world, { [variable]: values[variable] }), run);
    expect(results.map(({ exitCode }) => exitCode)).toEqual(results.map(() => 0));
    expect(textOf(results)).toContain('***');
    expect(textOf(results)).not.toContain(canary);
    expect(filesWith(world, canary)).toEqual([held]);
  });

  test('used as a token is shown nowhere, not even in part', async () => {
    const world = keyless();
    const results = await workingDay(withEnv(world, { FISCAL_JWT: token }));
    expect(results.map(({ exitCode }) => exitCode)).toEqual(results.map(() => 0));
    const [, payload = '', signature = ''] = token.split('.');
    for (const part of [payload, signature]) {
      expect(textOf(results)).not.toContain(part);
      expect(filesWith(world, part)).toEqual([]);
    }
  });

  test('stored by a login is in one file of the owner, and logout removes it', async () => {
    const world = keyless();
    const child = start(world, ['auth', 'login', '--stdin', '--product-url', ready.url], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const end = ended(child);
    child.stdin?.end(`${canary}\n`);
    const login = await end;
    const config = join(world.root, 'config', 'config.json');
    expect([login.exitCode, filesWith(world, canary), statSync(config).mode & 0o777]).toEqual([0, [config], 0o600]);
    const results = await workingDay(world);
    expect(results.map(({ exitCode }) => exitCode)).toEqual(results.map(() => 0));
    expect(textOf([login, ...results])).not.toContain(canary);
    expect(filesWith(world, canary)).toEqual([config]);
    await fiscal(world, 'auth', 'logout');
    expect(filesWith(world, canary)).toEqual([]);
  });

  test('in the query string is masked in the URL', async () => {
    const world = withEnv(keyless(), { FISCAL_INVOICE_KEY: canary, FISCAL_KEY_IN: 'query' });
    const results = await workingDay(world);
    expect(results.map(({ exitCode }) => exitCode)).toEqual(results.map(() => 0));
    expect(textOf(results)).toContain('apikey=***');
    expect(textOf(results)).not.toContain(canary);
    expect(filesWith(world, canary)).toEqual([]);
  });

  test('that is refused, or cannot be sent, is named by its source only', async () => {
    const wrong = `${canary}-wrong`;
    const world = withEnv(keyless(), { FISCAL_INVOICE_KEY: wrong });
    put(world, 'p.json', product('REFUSED'));
    const refused = await fiscal(world, 'product', 'create', '--file', 'p.json', '--debug-http', '-v');
    await control(ready, 'faults', { kind: 'cut-before', count: 20 });
    const cut = await fiscal(
      world,
      'product',
      'get',
      '00000000-0000-4000-8000-00000000abcd',
      '--debug-http',
      '-v',
      '--max-retry-wait',
      '1s',
    );
    await clearFaults(ready);
    expect([refused.exitCode, cut.exitCode]).toEqual([4, 5]);
    expect(textOf([refused, cut])).not.toContain(canary);
    expect(filesWith(world, canary)).toEqual([]);
  });

  test.each(['header', 'query'])(
    'that the service echoes (sent in the %s) is masked in errors, rows and exports',
    async (keyIn) => {
      const world = withEnv(keyless(), {
        FISCAL_INVOICE_KEY: canary,
        FISCAL_KEY_IN: keyIn,
        FISCAL_PRODUCT_URL: echoUrl,
      });
      put(world, 'p.json', product('ECHO', 'billed'));
      const results = [
        await fiscal(world, 'product', 'create', '--file', 'p.json', '--debug-http'),
        await fiscal(world, 'api', 'GET', `/${ready.tenantId}/products/x`, '--debug-http'),
        await fiscal(world, 'history', '-o', 'json'),
      ];
      const id = (await fiscal(world, 'job', 'list', '-o', 'id')).stdout.trim();
      results.push(await fiscal(world, 'job', 'items', id), await fiscal(world, 'job', 'items', '--full', id));
      expect(results.map(({ exitCode }) => exitCode)).toEqual([6, 6, 0, 0, 0]);
      expect(textOf(results)).toContain('you sent');
      expect(textOf(results)).not.toContain(canary);
      expect(filesWith(world, canary)).toEqual([]);
    },
  );

  test('is in no process list, and in no file after a SIGKILL during an import', async () => {
    const world = keyless();
    const held = put(world, 'held.txt', canary);
    put(world, 'many.ndjson', products(20, 'KILLED'));
    await control(ready, 'faults', { operation: 'product.create', kind: 'slow', delayMs: 100 });
    const argv = ['product', 'apply', '--create-only', 'many.ndjson', '--concurrency', '1', '-o', 'ndjson'];
    const child = start(withEnv(world, { FISCAL_INVOICE_KEY_COMMAND: `cat ${held}` }), argv);
    const end = ended(child);
    while (!(await createdSkus(ready)).includes('KILLED-1')) await new Promise((resolve) => setImmediate(resolve));
    const shown = processList();
    child.kill('SIGKILL');
    const { signal } = await end;
    await clearFaults(ready);
    expect([signal, shown.includes('many.ndjson'), shown.includes(canary)]).toEqual(['SIGKILL', true, false]);
    expect(filesWith(world, canary)).toEqual([held]);
  });
});

test('the keys of the environment are removed from that of the process once they are read', async () => {
  const world = keyless();
  const preload = put(
    world,
    'preload.cjs',
    "process.on('exit', () => require('node:fs').writeFileSync('left.json', JSON.stringify(process.env)));",
  );
  const env = { FISCAL_INVOICE_KEY: canary, FISCAL_WEBHOOK_SECRET: canary, NODE_OPTIONS: `--require ${preload}` };
  const status = await fiscal(withEnv(world, env), 'auth', 'status');
  expect([status.exitCode, status.stdout.includes('FISCAL_INVOICE_KEY')]).toEqual([0, true]);
  const [left = ''] = filesBelow(world.root).filter((path) => path.endsWith('left.json'));
  expect(readFileSync(left, 'utf8')).toContain('NODE_OPTIONS');
  expect(filesWith(world, canary)).toEqual([]);
});

test('a full CPF is written to no file, and is masked in requests that are shown', async () => {
  const world = worldAt(ready);
  const results = [
    await fiscal(world, 'api', 'GET', `/v1/naturalperson/status/${cpf}/1990-01-01`, '--debug-http', '-v'),
    await fiscal(world, 'api', 'POST', `/${ready.tenantId}/products?owner=${cpf}`, '--debug-http', '--yes'),
    await fiscal(world, 'history', '-o', 'json'),
  ];
  expect(textOf(results)).toContain('***');
  expect(textOf(results)).not.toContain(cpf);
  expect(filesWith(world, cpf)).toEqual([]);
});
