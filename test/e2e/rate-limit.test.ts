import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  clearFaults,
  control,
  createdSkus,
  errorOf,
  fiscal,
  inProcess,
  newWorld,
  product,
  put,
  type ReadyLine,
  withSandbox,
  worldAt,
} from './program.js';

let ready: ReadyLine;
let stop: () => void;

beforeAll(async () => {
  ({ ready, stop } = await withSandbox(newWorld()));
});
afterEach(() => clearFaults(ready));
afterAll(() => stop());

const busy = { operation: 'product.create', kind: '429', count: 1 };

test('a pause longer than --max-retry-wait exits 12 immediately with the time, and nothing is created', async () => {
  const world = worldAt(ready);
  const file = put(world, 'a.json', product('RATE-LONG'));
  await control(ready, 'faults', { ...busy, retryAfter: 600 });
  const ended = await inProcess(world, 'product', 'create', '--file', file, '--max-retry-wait', '2s');
  expect([ended.exitCode, ended.stdout]).toEqual([12, '']);
  expect(errorOf(ended)).toMatchObject({
    code: 'service.rate_limited',
    message: expect.stringMatching(
      /^requests to the service wait 600 s, longer than --max-retry-wait allows: try after (?:\d{4}-\d\d-\d\d )?\d\d:\d\d$/,
    ),
    httpStatus: 429,
    retryable: true,
    retryAfterSeconds: 600,
    exitCode: 12,
  });
  expect(await createdSkus(ready)).not.toContain('RATE-LONG');
});

test('another process on the same machine respects the pause, and sends nothing', async () => {
  const world = worldAt(ready);
  const first = put(world, 'a.json', product('RATE-FIRST'));
  const second = put(world, 'b.json', product('RATE-SECOND'));
  await control(ready, 'faults', { ...busy, retryAfter: 600 });
  await fiscal(world, 'product', 'create', '--file', first, '--max-retry-wait', '2s');
  const ended = await fiscal(world, 'product', 'create', '--file', second, '--max-retry-wait', '2s');
  const same = await fiscal(world, 'product', 'create', '--file', first, '--max-retry-wait', '2s');
  for (const { exitCode, stdout } of [ended, same]) expect([exitCode, stdout]).toEqual([12, '']);
  expect(errorOf(ended)).toMatchObject({ code: 'service.rate_limited', sent: 'no' });
  expect(errorOf(same)).toMatchObject({ code: 'service.rate_limited', sent: 'no' });
  expect(Number(errorOf(same)['retryAfterSeconds'])).toBeGreaterThan(500);
  expect(await createdSkus(ready)).not.toContain('RATE-SECOND');
});

test('job resume --end-waits makes the items due that the service sent away, and each is created once', async () => {
  const world = worldAt(ready);
  const file = put(world, 'a.json', product('RATE-RESET'));
  const create = ['product', 'create', '--file', file, '--max-retry-wait', '2s'];
  await control(ready, 'faults', { ...busy, retryAfter: 600 });
  expect((await inProcess(world, ...create)).exitCode).toBe(12);
  expect((await inProcess(world, 'job', 'resume', '--end-waits')).exitCode).toBe(0);
  expect((await inProcess(world, ...create)).exitCode).toBe(0);
  expect((await createdSkus(ready)).filter((sku) => sku === 'RATE-RESET')).toEqual(['RATE-RESET']);
});

test('a process that sleeps for the service notices that another one ends the waits', async () => {
  const world = worldAt(ready);
  const file = put(world, 'a.json', product('RATE-ASLEEP'));
  await control(ready, 'faults', { ...busy, retryAfter: 600 });
  const sleeper = fiscal(world, 'product', 'create', '--file', file, '--max-retry-wait', '20m');
  const waits = async () => {
    const { stdout } = await inProcess(world, 'store', 'status');
    return (JSON.parse(stdout) as { readonly waits: readonly unknown[] }).waits.length;
  };
  while ((await waits()) === 0) await pause(100);
  expect((await inProcess(world, 'job', 'resume', '--end-waits')).exitCode).toBe(0);
  expect((await sleeper).exitCode).toBe(0);
  expect((await createdSkus(ready)).filter((sku) => sku === 'RATE-ASLEEP')).toEqual(['RATE-ASLEEP']);
});

test('a pause within --max-retry-wait is waited out, and the product is created once', async () => {
  const world = worldAt(ready);
  const file = put(world, 'a.json', product('RATE-SHORT'));
  await control(ready, 'faults', { ...busy, retryAfter: 1 });
  const ended = await inProcess(world, 'product', 'create', '--file', file, '--max-retry-wait', '30s');
  expect([ended.exitCode, JSON.parse(ended.stdout)]).toMatchObject([0, { type: 'product', status: 'Created' }]);
  expect((await createdSkus(ready)).filter((sku) => sku === 'RATE-SHORT')).toEqual(['RATE-SHORT']);
});
