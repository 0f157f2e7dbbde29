import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtProgram } from '../support/built-program.js';
import {
  clearFaults,
  control,
  errorOf,
  fiscal,
  newWorld,
  records,
  type ReadyLine,
  start,
  ended,
  withEnv,
  withSandbox,
} from './program.js';

let ready: ReadyLine;
let stop: () => void;

beforeAll(async () => {
  ({ ready, stop } = await withSandbox(newWorld()));
});
afterAll(() => stop());

const node = process.execPath;

test('exec gives the command a complete environment and returns its exit code', async () => {
  const world = newWorld();
  const script = `process.stdout.write(Object.keys(process.env).filter((name) => name.startsWith('FISCAL_')).sort().join(' ')); process.exit(7)`;
  const result = await fiscal(world, 'sandbox', 'exec', '--', node, '-e', script);
  expect(result.exitCode).toBe(7);
  expect(result.stdout.split(' ')).toEqual(
    expect.arrayContaining([
      'FISCAL_COMPANY',
      'FISCAL_CONFIG_DIR',
      'FISCAL_DATA_KEY',
      'FISCAL_INVOICE_KEY',
      'FISCAL_PRODUCT_URL',
      'FISCAL_QUERY_URL',
      'FISCAL_SERVICE_URL',
      'FISCAL_STATE_DIR',
      'FISCAL_TENANT',
    ]),
  );
});

const foreignKeys = {
  ...{ FISCAL_WEBHOOK_SECRET: 'canary-of-a-child-1', FISCAL_JWT: 'canary-of-a-child-2' },
  ...{ FISCAL_INVOICE_KEY: 'canary-of-a-child-3', FISCAL_DATA_KEY_COMMAND: 'echo canary-of-a-child-4' },
};

test('exec gives the command no key but those of the sandbox, and what else the user has set', async () => {
  const world = withEnv(newWorld(), { ...foreignKeys, DATABASE_URL: 'db' });
  const script = `process.stdout.write(JSON.stringify(process.env))`;
  const { stdout } = await fiscal(world, 'sandbox', 'exec', '--', node, '-e', script);
  expect(JSON.parse(stdout)).toMatchObject({ DATABASE_URL: 'db', FISCAL_INVOICE_KEY: expect.any(String) });
  expect(stdout).not.toContain('canary-of-a-child');
});

test('start --detach gives the process no key', async () => {
  const world = withEnv(newWorld(), { ...foreignKeys, DATABASE_URL: 'canary-of-a-child-5' });
  const started = await fiscal(world, 'sandbox', 'start', '--detach', '--port', '0');
  const running = readdirSync(world.root, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('running.json'),
  );
  const { pid } = JSON.parse(readFileSync(join(world.root, running ?? ''), 'utf8')) as { pid: number };
  try {
    const environment = readFileSync(`/proc/${String(pid)}/environ`, 'latin1');
    expect([started.exitCode, environment.includes('PATH=')]).toEqual([0, true]);
    expect(environment).not.toContain('canary-of-a-child');
  } finally {
    process.kill(pid, 'SIGTERM');
  }
});

test('exec reports a killed command like a shell, and a missing one with exit 2', async () => {
  const world = newWorld();
  const killed = await fiscal(world, 'sandbox', 'exec', '--', 'sh', '-c', 'kill -9 $$');
  const absent = await fiscal(world, 'sandbox', 'exec', '--', 'no-such-command');
  const nothing = await fiscal(world, 'sandbox', 'exec');
  expect([killed.exitCode, absent.exitCode, nothing.exitCode]).toEqual([137, 2, 2]);
  expect(errorOf(absent)['code']).toBe('sandbox.command_not_started');
  expect(errorOf(nothing)['code']).toBe('usage.missing');
});

test('exec runs against a fresh service, separate from the state of the user', async () => {
  const world = newWorld();
  const create = ['product', 'create', '--sku', 'EXEC', '--description', 'd', '--origin', 'National', '--wait'];
  const result = await fiscal(world, 'sandbox', 'exec', '--', node, builtProgram, ...create);
  expect([result.exitCode, JSON.parse(result.stdout)]).toMatchObject([0, { status: 'Active' }]);
  expect(records(await fiscal(world, 'job', 'list', '-o', 'ndjson'))).toEqual([]);
});

test('start prints one ready line and nothing else on stdout', async () => {
  const child = start(newWorld(), ['sandbox', 'start', '-o', 'json', '--port', '0']);
  const end = ended(child);
  child.stdout?.once('data', () => child.kill('SIGTERM'));
  const { stdout } = await end;
  expect(stdout.split('\n').length).toBe(2);
  const line: unknown = JSON.parse(stdout);
  expect(line).toMatchObject({
    type: 'ready',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    invoiceKey: expect.stringMatching(/^sbx_/),
    dataKey: expect.stringMatching(/^sbx_/),
    tenantId: expect.any(String),
    companyId: expect.any(String),
  });
});

test('ledger, clock and faults are available over plain HTTP', async () => {
  const before = await control(ready, 'clock', { freeze: true });
  const after = await control(ready, 'clock', { advance: '10d' });
  expect(Date.parse(String(after['now'])) - Date.parse(String(before['now']))).toBe(864_000_000);
  await control(ready, 'faults', { kind: '503', count: 1 });
  const address = `${ready.url}/v2/companies`;
  const headers = { authorization: ready.invoiceKey };
  const first = await fetch(address, { headers });
  const second = await fetch(address, { headers });
  expect([first.status, second.status]).toEqual([503, 200]);
  const answer = await fetch(`${ready.url}/__sandbox/ledger?operation=company.list`);
  expect(await answer.json()).toMatchObject({
    entries: [
      { status: 503, fault: '503' },
      { status: 200, fault: null },
    ],
  });
  await clearFaults(ready);
});
