import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runFiscal, type TestHost } from '../../support/host.js';
import { Registry } from './registry.js';

let registry: Registry;
let host: TestHost;

beforeEach(async () => {
  registry = new Registry();
  host = await registry.open();
  await fiscal('product', 'create', '--sku', 'A-1', '--description', 'Tea', '--origin', 'National');
});

afterEach(async () => {
  await registry.stop();
});

async function fiscal(...argv: string[]) {
  return runFiscal(argv, host);
}

function file(content: unknown): string {
  writeFileSync(join(host.cwd, 'product.json'), JSON.stringify(content));
  return 'product.json';
}

test('get prints the product as the service returns it, and exits 0 whatever its state', async () => {
  const { exitCode, stdout } = await fiscal('product', 'get', 'p-1');
  expect({ exitCode, product: JSON.parse(stdout) }).toEqual({
    exitCode: 0,
    product: { id: 'p-1', sku: 'A-1', description: 'Tea', origin: 'National', status: 'CustomTaxPending' },
  });
});

test('get --exit-status reflects the state in the exit code', async () => {
  registry.readsUntilValid = 2;
  expect((await fiscal('product', 'get', 'p-1', '--exit-status')).exitCode).toBe(8);
  expect((await fiscal('product', 'get', 'p-1', '--exit-status')).exitCode).toBe(0);
});

const unknownId = '11111111-2222-4333-8444-555555555555';

test('an unknown product exits 9 with the request id', async () => {
  const { exitCode, stdout, stderr } = await fiscal('product', 'get', unknownId, '--error-format', 'json');
  expect({ exitCode, stdout }).toEqual({ exitCode: 9, stdout: '' });
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'service.not_found', requestId: 'r-404' } });
});

test.each([null, 'Active', [], { id: 'p-1' }, { status: 7 }])(
  'an answer that is not a product (%j) is refused',
  async (body) => {
    registry.fault = () => ({ status: 200, body });
    const { exitCode, stdout } = await fiscal('product', 'get', 'p-1');
    expect({ exitCode, stdout }).toEqual({ exitCode: 6, stdout: '' });
  },
);

test('a product without a status is shown as it came, and is not said to be active', async () => {
  registry.fault = () => ({ status: 200, body: { id: 'p-1', sku: 'A', note: 'x' } });
  const shown = await fiscal('product', 'get', 'p-1', '-o', 'json');
  expect([shown.exitCode, JSON.parse(shown.stdout)]).toEqual([0, { id: 'p-1', sku: 'A', note: 'x' }]);
  expect((await fiscal('product', 'get', 'p-1', '--exit-status')).exitCode).toBe(8);
});

test('wait follows the validation to its end', async () => {
  const { exitCode, stdout } = await fiscal('product', 'get', 'p-1', '--wait');
  expect({ exitCode, status: JSON.parse(stdout).status }).toEqual({ exitCode: 0, status: 'Active' });
});

test('wait gives up at --timeout with exit 8, also for an unknown status', async () => {
  registry.fault = () => ({ status: 200, body: { id: 'p-1', status: 'Dreaming' } });
  const { exitCode, stderr } = await fiscal('product', 'get', 'p-1', '--wait', '--timeout', '400ms');
  expect(exitCode).toBe(8);
  expect(stderr).toContain('product p-1 is still Dreaming after');
});

test.each(['Error', null])(
  'a product that is %s and whose service writes null for no reason ends in words',
  async (status) => {
    registry.fault = () => ({ status: 200, body: { id: 'p-1', sku: 'A', status, errorMessage: null } });
    const words = ['product', 'get', 'p-1', '--wait', '--timeout', '400ms', '--error-format', 'json'];
    const { exitCode, stdout, stderr } = await fiscal(...words);
    expect({ exitCode, stdout, message: JSON.parse(stderr).error.message }).toEqual(
      status === 'Error'
        ? { exitCode: 13, stdout: '', message: 'product p-1 ended as Error: no reason was given' }
        : { exitCode: 8, stdout: '', message: expect.stringMatching(/^product p-1 is still – after \d+ s$/) },
    );
  },
);

test('revalidate shows the state, and with --wait the final one', async () => {
  const first = await fiscal('product', 'revalidate', 'p-1');
  expect(JSON.parse(first.stdout)).toEqual({ id: 'p-1', status: 'Created' });
  const second = await fiscal('product', 'revalidate', 'p-1', '--wait');
  expect(JSON.parse(second.stdout)).toMatchObject({ id: 'p-1', status: 'Active' });
});

test('update replaces the product, is followed with --wait and may be repeated', async () => {
  const name = file({ SKU: 'A-1', customTax: [{ interState: { cfop: 6102 } }] });
  for (const time of [1, 2]) {
    const { exitCode, stdout, stderr } = await fiscal('product', 'update', 'p-1', '--file', name, '--wait');
    expect({ exitCode, data: JSON.parse(stdout) }).toEqual({
      exitCode: 0,
      data: { type: 'product', id: 'p-1', status: 'Active', jobId: expect.any(String) },
    });
    expect(stderr).toContain('the tax engine bills this call');
    const puts = registry.seen.filter((seen) => seen.method === 'PUT').map((seen) => seen.body);
    expect(puts).toEqual(Array(time).fill({ sku: 'A-1', customTax: [{ interState: { cfop: '6102' } }] }));
  }
});

test('an update without an answer whose content arrived is not sent again', async () => {
  registry.fault = ({ method }) => (method === 'PUT' ? 'cut' : undefined);
  const name = file({ sku: 'A-1', customTax: [{ interState: { cfop: '6102' } }] });
  expect((await fiscal('product', 'update', 'p-1', '--file', name, '--wait')).exitCode).toBe(0);
  expect(registry.seen.filter((seen) => seen.method === 'PUT')).toHaveLength(1);
});

test('an update of a product that another hand changes meanwhile is not sent', async () => {
  let reads = 0;
  registry.fault = ({ method }) => {
    reads += method === 'GET' ? 1 : 0;
    if (reads === 2) registry.edit('p-1', { sku: 'A-1', description: 'Theirs' });
    return undefined;
  };
  const words = ['product', 'update', 'p-1', '--file', file({ sku: 'A-1', description: 'Ours' })];
  const refused = await fiscal(...words, '--error-format', 'json');
  const { error } = JSON.parse(refused.stderr.trimEnd().split('\n').at(-1) ?? '') as { error: object };
  expect([refused.exitCode, error]).toMatchObject([10, { code: 'resource.changed', sent: 'no' }]);
  expect(registry.seen.filter((seen) => seen.method === 'PUT')).toEqual([]);
  expect((await fiscal(...words)).exitCode).toBe(0);
});

test('an update without an answer whose product shows a third content is left to a person', async () => {
  registry.fault = ({ method }) => {
    if (method !== 'PUT') return undefined;
    registry.edit('p-1', { sku: 'A-1', description: 'Theirs' });
    return { status: 502 };
  };
  const name = file({ sku: 'A-1', description: 'Ours' });
  const { exitCode, stderr } = await fiscal('product', 'update', 'p-1', '--file', name);
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining('neither what was sent nor what was there before')]);
  expect(registry.seen.filter((seen) => seen.method === 'PUT')).toHaveLength(1);
});

test('a billed update that did not arrive is not repeated automatically', async () => {
  registry.fault = ({ method }) => (method === 'PUT' ? { status: 502 } : undefined);
  const name = file({ sku: 'A-1', customTax: [{ interState: { cfop: '6102' } }] });
  expect((await fiscal('product', 'update', 'p-1', '--file', name)).exitCode).toBe(3);
  expect((await fiscal('product', 'update', 'p-1', '--file', name)).exitCode).toBe(3);
  expect(registry.seen.filter((seen) => seen.method === 'PUT')).toHaveLength(1);
});

test('an update whose first send may have arrived is not reported as unsent after a 429', async () => {
  let puts = 0;
  registry.fault = ({ method }) => {
    if (method !== 'PUT') return undefined;
    puts += 1;
    return { status: puts === 1 ? 502 : 429 };
  };
  const words = ['product', 'update', 'p-1', '--file', file({ sku: 'A-1', description: 'Mate' })];
  const { exitCode, stderr } = await fiscal(...words, '--wait', '--timeout', '2s', '--error-format', 'json');
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as { error: object };
  expect({ exitCode, isSentAgain: puts > 1 }).toEqual({ exitCode: 8, isSentAgain: true });
  expect(error).toMatchObject({
    code: 'outcome.still_pending',
    message: expect.stringContaining('the outcome of A-1'),
    sent: 'unknown',
  });
});

test('an update that renames a SKU may be repeated', async () => {
  const renamed = ['product', 'update', 'A-1', '--sku', 'Z-9', '--description', 'Tea'];
  registry.fault = ({ method }) => (method === 'PUT' ? 'cut' : undefined);
  await fiscal(...renamed);
  expect((await fiscal(...renamed)).exitCode).toBe(0);
});

test('an update without tax rules is sent again until it arrives', async () => {
  let cuts = 0;
  registry.fault = ({ method }) => {
    cuts += method === 'PUT' ? 1 : 0;
    return method === 'PUT' && cuts === 1 ? { status: 502 } : undefined;
  };
  const { exitCode } = await fiscal('product', 'update', 'p-1', '--file', file({ sku: 'A-1' }));
  expect({ exitCode, cuts }).toEqual({ exitCode: 0, cuts: 2 });
});

test('list shows what this machine has seen, and says that the service has no list', async () => {
  await fiscal('product', 'create', '--sku', 'B-2', '--description', 'Bread', '--origin', 'National');
  await fiscal('product', 'get', 'p-1', '--wait');
  const { stdout, stderr } = await fiscal('product', 'list');
  const rows = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(rows.map(({ id, sku, status }) => ({ id, sku, status }))).toEqual(
    expect.arrayContaining([
      { id: 'p-1', sku: 'A-1', status: 'Active' },
      { id: 'p-2', sku: 'B-2', status: 'Created' },
    ]),
  );
  expect(rows).toHaveLength(2);
  expect(stderr).toContain(
    'these are the products that this machine knows, each as it was at seenAt: the service has no list',
  );
  expect(rows.find((row) => row['sku'] === 'B-2')).toMatchObject({ name: 'Bread', seenAt: expect.any(String) });
  const active = await fiscal('product', 'list', '--status', 'Active', '-o', 'id');
  expect(active.stdout).toBe('p-1\n');
});

const byOneName: readonly (readonly string[])[] = [
  ['get'],
  ['revalidate'],
  ['get', '--wait'],
  ['update', '--description', 'Green tea'],
];

describe.each(byOneName)('product %s', (verb, ...flags) => {
  const run = (name: string, ...more: string[]) =>
    fiscal('product', String(verb), name, ...flags, ...more, '--error-format', 'json');
  const asked = () => registry.seen.slice(1).map(({ path }) => path);

  test('accepts a SKU that this machine knows', async () => {
    expect((await run('A-1')).exitCode).toBe(0);
    expect(asked().length).toBeGreaterThan(0);
    expect(asked().every((path) => path.startsWith('/t1/products/p-1'))).toBe(true);
  });

  test('exits 10 for a SKU that the service no longer shows for the product, and writes nothing', async () => {
    registry.fault = ({ method }) =>
      method === 'GET' ? { status: 200, body: { id: 'p-1', sku: 'Z-9', status: 'Active' } } : undefined;
    const { exitCode, stdout, stderr } = await run('A-1');
    const writes = registry.seen.slice(1).filter(({ method }) => method !== 'GET');
    expect({ exitCode, stdout, writes }).toEqual({ exitCode: 10, stdout: '', writes: [] });
    const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
    expect(error.code).toBe('product.other_sku');
    for (const word of ['A-1', 'p-1', 'Z-9']) expect(error.message).toContain(word);
    expect((await run('p-1')).exitCode).toBe(0);
  });

  test('prefers an id to a SKU of the same spelling', async () => {
    await fiscal('product', 'create', '--sku', 'p-1', '--description', 'Trap', '--origin', 'National');
    registry.seen.length = 1;
    expect((await run('p-1')).exitCode).toBe(0);
    expect(asked().every((path) => path.startsWith('/t1/products/p-1'))).toBe(true);
  });

  test('exits 9 for anything else, with a message, and sends nothing', async () => {
    const { exitCode, stdout, stderr } = await run('A-2');
    expect({ exitCode, stdout, asked: asked() }).toEqual({ exitCode: 9, stdout: '', asked: [] });
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'product.not_known', sent: 'no' });
    expect(stderr).toContain('A-2 is neither a SKU that this machine knows in tenant t1');
  });

  test('does not know a SKU of another tenant, which --tenant selects', async () => {
    expect((await run('A-1', '--tenant', 't2')).exitCode).toBe(9);
    expect(asked()).toEqual([]);
  });

  test('exits 2 for a SKU of two products, with both ids', async () => {
    const again = ['--sku', 'A-1', '--description', 'Tea', '--origin', 'National', '--again'];
    expect((await fiscal('product', 'create', ...again)).exitCode).toBe(0);
    registry.seen.length = 1;
    const { exitCode, stderr } = await run('A-1');
    expect({ exitCode, asked: asked() }).toEqual({ exitCode: 2, asked: [] });
    expect(stderr).toMatch(/2 products of tenant t1: p-2, p-1|p-1, p-2/);
  });
});

test.each(['1e999', '1e3'])('an update with the number %s in any field is refused by its field', async (number) => {
  writeFileSync(join(host.cwd, 'product.json'), `{"extra":{"weight":${number}}}`);
  const { exitCode, stdout, stderr } = await fiscal('product', 'update', 'p-1', '--file', 'product.json');
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain('extra.weight');
});
