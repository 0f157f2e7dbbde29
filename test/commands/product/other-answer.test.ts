import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runFiscal, type TestHost } from '../../support/host.js';
import { Registry, type Fault } from './registry.js';

let registry: Registry;
let host: TestHost;

beforeEach(async () => {
  registry = new Registry();
  registry.readsUntilValid = 0;
  host = await registry.open();
});

afterEach(async () => {
  await registry.stop();
});

function file(name: string, content: unknown): string {
  writeFileSync(join(host.cwd, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

async function fiscal(...argv: string[]) {
  return await runFiscal([...argv, '--error-format', 'json'], host);
}

const follow = ['--wait', '--timeout', '1m', '--interval', '100ms'];
/** For what does not end by itself. */
const briefly = ['--wait', '--timeout', '1s', '--interval', '100ms'];
const tea = { sku: 'A', description: 'Tea', origin: 'National' };
const better = { ...tea, description: 'Better tea' };
/** A service that answers every read of a product with this. */
const reads =
  (body: object): Fault =>
  ({ method }) =>
    method === 'GET' ? { status: 200, body } : undefined;

const ways: readonly (readonly [string, () => readonly string[]])[] = [
  ['create', () => ['product', 'create', '--file', file('p.json', tea)]],
  ['apply --create-only', () => ['product', 'apply', '--create-only', file('p.ndjson', JSON.stringify(tea)), '--yes']],
  ['apply', () => ['product', 'apply', file('p.ndjson', JSON.stringify(tea)), '--yes']],
];

test.each(ways)('%s --wait rejects a product with another id', async (_name, words) => {
  registry.fault = reads({ ...tea, id: 'p-9', status: 'Active' });
  const other = await fiscal(...words(), ...follow);
  expect([other.exitCode, other.stdout]).toEqual([3, expect.not.stringContaining('"state":"succeeded"')]);
  expect(other.stderr + (await items())).toContain('p-9');
});

test.each(ways)('%s --wait rejects a product with another SKU', async (_name, words) => {
  registry.fault = reads({ ...tea, sku: 'B', id: 'p-1', status: 'Active' });
  const other = await fiscal(...words(), ...follow);
  expect(other.exitCode).toBe(3);
  expect(other.stderr + (await items())).toContain('another SKU');
});

/** The items of every job, as the store holds them. */
async function items(): Promise<string> {
  const { stdout } = await fiscal('job', 'list', '-o', 'json');
  const jobs = JSON.parse(stdout) as { id: string }[];
  const lists = jobs.map(async ({ id }) => (await fiscal('job', 'items', id, '-o', 'json')).stdout);
  return (await Promise.all(lists)).join('\n');
}

test('get of another product exits 10, and nothing of it is shown or stored', async () => {
  await fiscal('product', 'create', '--file', file('p.json', tea));
  registry.fault = reads({ ...tea, id: 'p-9', status: 'Active' });
  const { exitCode, stdout, stderr } = await fiscal('product', 'get', 'p-1');
  expect([exitCode, stdout]).toEqual([10, '']);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'service.other_subject', sent: 'yes' } });
});

test('Active with the content before an update does not end the update', async () => {
  await fiscal('product', 'create', '--file', file('p.json', tea));
  registry.fault = reads({ ...tea, id: 'p-1', status: 'Active' });
  const update = ['product', 'update', 'p-1', '--file', file('p.json', better), ...briefly];
  const { exitCode, stdout, stderr } = await fiscal(...update);
  expect([exitCode, stdout]).toEqual([8, '']);
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { error: { jobId: string } };
  expect(error).toMatchObject({
    code: 'outcome.still_pending',
    hint: expect.stringContaining('before the update'),
    resume: `fiscal job resume ${error.jobId} --wait`,
  });
  // The service catches up: the same job ends with the new content.
  registry.fault = () => undefined;
  expect((await fiscal('job', 'resume', error.jobId, ...follow)).exitCode).toBe(0);
});

test('Error with the content before an update does not end the update', async () => {
  await fiscal('product', 'create', '--file', file('p.json', tea));
  registry.fault = reads({ ...tea, id: 'p-1', status: 'Error', errorMessage: 'old' });
  const update = ['product', 'update', 'p-1', '--file', file('p.json', better), ...briefly];
  expect((await fiscal(...update)).exitCode).toBe(8);
});

test('a product without content in the answer ends once its validation has been seen in progress', async () => {
  await fiscal('product', 'create', '--file', file('p.json', tea));
  registry.fault = reads({ id: 'p-1', sku: 'A', status: 'Active' });
  const update = ['product', 'update', 'p-1', '--file', file('p.json', better), ...briefly];
  expect((await fiscal(...update)).exitCode).toBe(8);
  let count = 0;
  registry.fault = ({ method }) => {
    if (method !== 'GET') return undefined;
    count += 1;
    return { status: 200, body: { id: 'p-1', status: count <= 2 ? 'CustomTaxPending' : 'Active' } };
  };
  expect((await fiscal(...update)).exitCode).toBe(0);
});

test('Active without a field of the update does not end it', async () => {
  await fiscal('product', 'create', '--file', file('p.json', tea));
  registry.fault = reads({ ...tea, id: 'p-1', status: 'Active' });
  const update = ['product', 'update', 'p-1', '--file', file('p.json', { ...tea, ncm: '09021000' }), ...briefly];
  const { exitCode, stderr } = await fiscal(...update);
  expect(exitCode).toBe(8);
  expect(stderr).toContain('before the update');
});

test('fields added by the service are not different content', async () => {
  await fiscal('product', 'create', '--file', file('p.json', tea));
  const shown = { ...better, id: 'p-1', taxRegime: 'RealProfit', status: 'Active' };
  registry.fault = reads({ ...shown, modifiedOn: '2026-11-22T00:00:00Z' });
  const update = ['product', 'update', 'p-1', '--file', file('p.json', better), ...follow];
  expect((await fiscal(...update)).exitCode).toBe(0);
});

const conflict: Fault = ({ method }) =>
  method === 'POST' ? { status: 409, body: { error: { code: 'conflict', message: 'exists' } } } : undefined;

test.each(ways)('a 409 that names nothing prints the next command for %s', async (name, words) => {
  registry.fault = conflict;
  const { exitCode, stderr } = await fiscal(...words());
  expect(exitCode).toBe(name === 'create' ? 10 : 3);
  expect(stderr).toContain('most likely of the same SKU');
  expect(stderr).toContain('fiscal product list');
  expect(stderr).toContain('fiscal store adopt');
  expect(registry.creates).toHaveLength(1);
});
