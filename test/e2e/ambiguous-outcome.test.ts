import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  clearFaults,
  control,
  errorOf,
  inProcess as fiscal,
  ledger,
  newWorld,
  product,
  put,
  records,
  type ReadyLine,
  withSandbox,
  type World,
  worldAt,
} from './program.js';

let ready: ReadyLine;
let stop: () => void;

beforeAll(async () => {
  ({ ready, stop } = await withSandbox(newWorld()));
});
afterEach(() => clearFaults(ready));
afterAll(() => stop());

/** A billed create whose answer never came: the words to say what became of it, as they were printed. */
async function lostAnswer(world: World, sku: string): Promise<readonly string[]> {
  await control(ready, 'faults', { operation: 'product.create', kind: 'cut-after', count: 1 });
  const ended = await fiscal(world, 'product', 'create', '--file', put(world, 'p.json', product(sku, 'billed')));
  expect([ended.exitCode, ended.stdout]).toEqual([3, '']);
  const error = errorOf(ended);
  expect(error).toMatchObject({ code: 'outcome.unknown', sent: 'unknown', retryable: false, exitCode: 3 });
  const [program, ...words] = String(error['resume']).split(' ');
  expect([program, ...words.slice(0, 2)]).toEqual(['fiscal', 'job', 'resolve']);
  return words;
}

async function billedCreates(sku: string): Promise<number> {
  const entries = await ledger(ready);
  return entries.filter(({ effect, billed }) => effect?.sku === sku && billed === 'engine').length;
}

test('a billed create without an answer is uncertain, is not sent again, and usage counts it as unknown', async () => {
  const world = worldAt(ready);
  await lostAnswer(world, 'LOST-1');
  const again = await fiscal(world, 'product', 'create', '--file', 'p.json');
  expect([again.exitCode, errorOf(again)['code']]).toEqual([3, 'outcome.unknown']);
  expect(await billedCreates('LOST-1')).toBe(1);
  const [job] = records(await fiscal(world, 'job', 'list', '-o', 'ndjson'));
  expect(job).toMatchObject({ uncertain: 1, state: 'open' });
  const usage = await fiscal(world, 'usage', '-o', 'ndjson');
  expect(records(usage)).toMatchObject([{ operation: 'product.create', billed: 0, unknown: 1 }]);
  expect(usage.stderr).toContain('the service may have billed them');
});

test('the printed command requires a verdict and names all three', async () => {
  const world = worldAt(ready);
  const words = await lostAnswer(world, 'LOST-2');
  const ended = await fiscal(world, ...words);
  expect(ended.exitCode).toBe(2);
  expect(JSON.stringify(errorOf(ended))).toMatch(/--as succeeded.*--as failed.*--as not-sent/);
});

test('found at the service: the same create returns the existing product', async () => {
  const world = worldAt(ready);
  const words = await lostAnswer(world, 'LOST-3');
  const id = (await ledger(ready)).find(({ effect }) => effect?.sku === 'LOST-3')?.effect?.id ?? '';
  const said = await fiscal(world, ...words, '--as', 'succeeded', '--resource', id);
  expect([said.exitCode, JSON.parse(said.stdout)]).toMatchObject([0, { state: 'succeeded', resourceId: id }]);
  const again = await fiscal(world, 'product', 'create', '--file', 'p.json');
  expect([again.exitCode, JSON.parse(again.stdout)]).toMatchObject([0, { id }]);
  expect(await billedCreates('LOST-3')).toBe(1);
});

test('given up: the item fails and the job ends', async () => {
  const world = worldAt(ready);
  const words = await lostAnswer(world, 'LOST-4');
  const said = await fiscal(world, ...words, '--as', 'failed');
  expect([said.exitCode, JSON.parse(said.stdout)]).toMatchObject([0, { state: 'failed' }]);
  expect(await billedCreates('LOST-4')).toBe(1);
});

test('never arrived: it is sent again only with consent, by the printed command', async () => {
  const world = worldAt(ready);
  const words = await lostAnswer(world, 'LOST-5');
  const asked = await fiscal(world, ...words, '--as', 'not-sent');
  expect([asked.exitCode, errorOf(asked)['code']]).toEqual([2, 'usage.confirmation_required']);
  const said = await fiscal(world, ...words, '--as', 'not-sent', '--yes');
  expect([said.exitCode, JSON.parse(said.stdout)]).toMatchObject([0, { state: 'prepared' }]);
  const resume = /fiscal (job resume \S+)/.exec(said.stderr)?.[1]?.split(' ') ?? [];
  const resumed = await fiscal(world, ...resume, '--wait', '-o', 'ndjson');
  expect([resumed.exitCode, records(resumed).at(-1)]).toMatchObject([0, { type: 'summary', succeeded: 1 }]);
  expect(await billedCreates('LOST-5')).toBe(2);
});

test('--retry-billable sends it again immediately, is billed twice and says so', async () => {
  const world = worldAt(ready);
  await control(ready, 'faults', { operation: 'product.create', kind: 'cut-after', count: 1 });
  const file = put(world, 'p.json', product('LOST-6', 'billed'));
  const ended = await fiscal(world, 'product', 'create', '--file', file, '--retry-billable', '--wait');
  expect([ended.exitCode, JSON.parse(ended.stdout)]).toMatchObject([0, { status: 'Active' }]);
  expect(ended.stderr).toContain('1 call was sent with unknown outcome: it may have been billed');
  expect(await billedCreates('LOST-6')).toBe(2);
  const usage = await fiscal(world, 'usage', '-o', 'ndjson');
  expect(records(usage)).toMatchObject([{ operation: 'product.create', billed: 1, unknown: 1 }]);
});
