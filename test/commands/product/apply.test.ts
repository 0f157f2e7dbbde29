import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runFiscal, type TestHost } from '../../support/host.js';
import { Registry } from './registry.js';
import { inputOrder } from '../../support/input-order.js';

let registry: Registry;
let host: TestHost;

beforeEach(async () => {
  registry = new Registry();
  registry.readsUntilValid = 1;
  host = await registry.open();
});

afterEach(async () => {
  await registry.stop();
});

type Row = Readonly<Record<string, unknown>>;

async function fiscal(...argv: string[]) {
  return runFiscal(argv, host);
}

async function records(...argv: string[]) {
  const result = await fiscal(...argv);
  const lines = result.stdout.split('\n').filter((line) => line !== '');
  const rows = inputOrder(lines.map((line) => JSON.parse(line) as Row));
  return { ...result, rows: rows.slice(0, -1), summary: rows.at(-1) ?? {} };
}

/** One after another, so that the ids follow the rows. */
async function applying(...argv: string[]) {
  return await records('product', 'apply', '--concurrency', '1', ...argv);
}

function file(products: readonly Row[], name = 'products.ndjson'): string {
  writeFileSync(join(host.cwd, name), products.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return name;
}

const plain = (sku: string, description = sku) => ({ sku, description, origin: 'National' });
const taxed = (sku: string, cfop = '5102') => ({ ...plain(sku), customTax: [{ intraState: { cfop } }] });

/** The calls that have an effect. */
function writes(): readonly string[] {
  return registry.seen.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);
}

const uncertainCreates = () =>
  (registry.fault = ({ method, body }) =>
    method === 'POST' && JSON.stringify(body).includes('"B"') ? 'cut' : undefined);

test('missing products are created, different ones updated, and the rest unchanged, with the difference shown first', async () => {
  await applying(file([plain('A'), taxed('B'), plain('C')]), '--wait', '--yes');
  expect(writes()).toHaveLength(3);
  registry.seen.length = 0;
  const path = file([plain('A'), taxed('B', '5405'), plain('D', 'New')]);
  const asked = await applying(path);
  expect({ exitCode: asked.exitCode, stdout: asked.stdout, writes: writes() }).toEqual({
    exitCode: 2,
    stdout: '',
    writes: [],
  });
  expect(asked.stderr).toContain('+ create 1 product: D');
  expect(asked.stderr).toContain('~ update B (p-2): customTax[0].intraState.cfop: 5102 → 5405');
  expect(asked.stderr).toContain('1 create, 1 update, 1 billed call (profile environment, tenant t1)');
  const done = await applying(path, '--yes', '--wait');
  expect(done.exitCode).toBe(0);
  expect(writes()).toEqual(['POST /t1/products', 'PUT /t1/products/p-2']);
  expect(done.rows).toMatchObject([
    { line: 1, label: 'A', action: 'unchanged', status: 'Active', productId: 'p-1' },
    { line: 2, label: 'B', action: 'update', state: 'succeeded', productId: 'p-2' },
    { line: 3, label: 'D', action: 'create', state: 'succeeded', productId: 'p-4' },
  ]);
  expect(done.rows[1]?.['changes']).toEqual([{ field: 'customTax[0].intraState.cfop', from: '5102', to: '5405' }]);
  expect(done.summary).toMatchObject({ create: 1, update: 1, unchanged: 1, billedCalls: 1, exitCode: 0 });
});

test('a completed file asks and sends nothing, whatever its spelling', async () => {
  await applying(file([taxed('A'), plain('B')]), '--wait', '--yes');
  registry.seen.length = 0;
  const spelled = { SKU: 'A', Description: 'A', ORIGIN: 'national', customtax: { intrastate: { CFOP: 5102 } } };
  const { exitCode, summary, stderr } = await applying(file([spelled, plain('B')]), '--wait');
  expect({ exitCode, writes: writes(), summary }).toMatchObject({
    exitCode: 0,
    writes: [],
    summary: { create: 0, update: 0, unchanged: 2, billedCalls: 0, jobIds: [] },
  });
  expect(stderr).toContain('all 2 products match the file; nothing was sent');
});

test('--dry-run shows the same plan with the exact requests, and changes nothing', async () => {
  await applying(file([plain('A')]), '--wait', '--yes');
  registry.seen.length = 0;
  const path = file([plain('A', 'Tea'), taxed('B')]);
  const plan = await applying(path, '--dry-run');
  expect({ exitCode: plan.exitCode, writes: writes() }).toEqual({ exitCode: 0, writes: [] });
  expect(plan.summary).toMatchObject({ dryRun: true, create: 1, update: 1, billedCalls: 1 });
  const done = await applying(path, '--yes');
  const planned = plan.rows.map(({ line, action, changes }) => ({ line, action, changes }));
  expect(done.rows.map(({ line, action, changes }) => ({ line, action, changes }))).toEqual(planned);
  const bodies = registry.seen.filter(({ method }) => method !== 'GET').map(({ body }) => body);
  const shown = plan.rows.map((row) => (row['request'] as { body: unknown }).body);
  expect(new Set(bodies.map((body) => JSON.stringify(body)))).toEqual(
    new Set(shown.map((body) => JSON.stringify(body))),
  );
});

test('a machine without known products reports it before it creates', async () => {
  const { stderr } = await applying(file([plain('A')]));
  expect(stderr).toContain('this machine knows no product of tenant t1, so every SKU of the file counts as new');
  await applying(file([plain('A')]), '--yes');
  const { stderr: later } = await applying(file([plain('A'), plain('B')]));
  expect(later).toContain('1 SKUs are new to this machine and are created');
});

test('a product created elsewhere is known after a read by its id, and is not created again', async () => {
  const id = '11111111-2222-4333-8444-555555555555';
  const elsewhere = { ...plain('A'), id, status: 'Active' };
  registry.fault = ({ path }) => (path === `/t1/products/${id}` ? { status: 200, body: elsewhere } : undefined);
  expect((await fiscal('product', 'get', id)).exitCode).toBe(0);
  const { exitCode, rows } = await applying(file([plain('A')]));
  expect({ exitCode, row: rows[0], count: registry.count }).toMatchObject({
    exitCode: 0,
    row: { action: 'unchanged', productId: id },
    count: 0,
  });
});

describe('a product in Error', () => {
  test('exits 3 with the reason until its row is corrected, and the corrected row is an update', async () => {
    const first = await applying(file([taxed('A', '9999'), plain('B')]), '--wait', '--yes');
    expect({ exitCode: first.exitCode, row: first.rows[0] }).toMatchObject({
      exitCode: 3,
      row: { state: 'rejected', status: 'Error', error: 'CFOP 9999 does not exist' },
    });
    registry.seen.length = 0;
    const again = await applying(file([taxed('A', '9999'), plain('B')]));
    expect({ exitCode: again.exitCode, writes: writes() }).toEqual({ exitCode: 3, writes: [] });
    expect(again.rows[0]).toMatchObject({ action: 'blocked', state: 'rejected', productId: 'p-1' });
    expect(again.rows[0]?.['error']).toContain('CFOP 9999 does not exist');
    expect((await applying(file([taxed('A', '9999'), plain('B')]), '--dry-run')).exitCode).toBe(3);
    const mended = await applying(file([taxed('A'), plain('B')]), '--wait', '--yes');
    expect({ exitCode: mended.exitCode, writes: writes() }).toEqual({ exitCode: 0, writes: ['PUT /t1/products/p-1'] });
    expect((await applying(file([taxed('A'), plain('B')]))).exitCode).toBe(0);
    expect(registry.count).toBe(2);
  });

  test('of --create-only is handled by job resume --failed, which reads it and creates nothing', async () => {
    const bad = file([taxed('A', '9999'), plain('B')]);
    const imported = await records('product', 'apply', '--create-only', bad, '--wait', '--yes');
    const job = String(imported.summary['jobId']);
    expect(imported.exitCode).toBe(3);
    expect((await fiscal('job', 'resume', '--failed', job)).exitCode).toBe(3);
    await fiscal('product', 'update', 'A', '--file', file([taxed('A')], 'a.json'), '--wait');
    registry.seen.length = 0;
    const retried = await records('job', 'resume', '--failed', job);
    expect({ exitCode: retried.exitCode, writes: writes() }).toEqual({ exitCode: 0, writes: [] });
    expect(retried.rows[0]).toMatchObject({ label: 'A', state: 'succeeded', status: 'Active' });
    expect(await records('product', 'apply', '--create-only', bad)).toMatchObject({ exitCode: 0 });
  });
});

describe('a create without an answer', () => {
  test('is reported, exit 3, and never repeated', async () => {
    uncertainCreates();
    const path = file([plain('A'), plain('B')]);
    expect((await applying(path, '--yes')).exitCode).toBe(3);
    for (const flags of [['--yes'], ['--yes', '--wait'], ['--dry-run']]) {
      const { exitCode, rows, stderr } = await applying(path, ...flags);
      expect({ exitCode, count: registry.count }).toEqual({ exitCode: 3, count: 2 });
      expect(rows[1]).toMatchObject({
        label: 'B',
        action: 'blocked',
        state: 'uncertain',
        errorCode: 'outcome.unknown',
        next: expect.stringMatching(/^fiscal job resolve /),
      });
      if (!flags.includes('--dry-run')) expect(stderr).toContain('may have arrived, and is not sent again');
    }
    const changed = await applying(file([plain('A'), plain('B', 'Other')]), '--yes');
    expect({ exitCode: changed.exitCode, count: registry.count }).toEqual({ exitCode: 3, count: 2 });
  });

  test.each([
    { as: ['--as', 'succeeded', '--resource', 'p-2'], count: 2 },
    { as: ['--as', 'not-sent', '--yes'], count: 3 },
    { as: ['--as', 'failed'], count: 3 },
  ])('continues after job resolve --as $as', async ({ as, count }) => {
    uncertainCreates();
    const path = file([plain('A'), plain('B')]);
    const { rows } = await applying(path, '--yes', '--concurrency', '1');
    registry.fault = () => undefined;
    const id = String(rows[1]?.['next']).split(' ').at(-1) ?? '';
    expect((await fiscal('job', 'resolve', id, ...as)).exitCode).toBe(0);
    expect(await applying(path, '--yes', '--wait')).toMatchObject({ exitCode: 0 });
    expect(await applying(path, '--wait')).toMatchObject({ exitCode: 0, summary: { unchanged: 2 } });
    expect(registry.count).toBe(count);
  });
});

test('an update without an answer is verified by reading the product', async () => {
  await applying(file([taxed('A')]), '--yes', '--wait');
  registry.fault = ({ method }) => (method === 'PUT' ? 'cut' : undefined);
  const { exitCode, rows } = await applying(file([taxed('A', '5405')]), '--yes', '--wait');
  expect({ exitCode, state: rows[0]?.['state'] }).toEqual({ exitCode: 0, state: 'succeeded' });
  expect(writes().filter((write) => write.startsWith('PUT'))).toHaveLength(1);
});

describe('a product that another hand changes after the question', () => {
  beforeEach(async () => {
    await applying(file([plain('A'), plain('B')]), '--yes', '--wait');
    registry.seen.length = 0;
  });

  test('is not replaced: its row says what changed, and the other rows are sent', async () => {
    // Creates are sent before updates.
    registry.fault = ({ method }) => {
      if (method === 'POST') registry.edit('p-1', { ...plain('A'), description: 'Theirs', taxRegime: 'RealProfit' });
      return undefined;
    };
    const path = file([plain('A', 'Ours'), plain('B', 'Green'), plain('C')]);
    const { exitCode, rows, summary } = await applying(path, '--yes', '--wait');
    expect(writes()).toEqual(['POST /t1/products', 'PUT /t1/products/p-2']);
    expect(rows).toMatchObject([
      {
        ...{ line: 1, action: 'update', state: 'failed', errorCode: 'resource.changed' },
        error: 'somebody changed product A (description, taxRegime) since it was read; nothing was sent',
      },
      { line: 2, action: 'update', state: 'succeeded' },
      { line: 3, action: 'create', state: 'succeeded' },
    ]);
    expect([exitCode, summary['failed']]).toEqual([3, 1]);
    const shown = await applying(path, '--dry-run');
    expect(shown.rows[0]?.['changes']).toEqual([
      { field: 'description', from: 'Theirs', to: 'Ours' },
      { field: 'taxRegime', from: 'RealProfit' },
    ]);
    registry.fault = () => undefined;
    expect(await applying(path, '--yes', '--wait')).toMatchObject({ exitCode: 0 });
  });

  test('into what the file says is no loss, and is sent', async () => {
    registry.fault = ({ method }) => {
      if (method === 'POST') registry.edit('p-1', plain('A', 'Ours'));
      return undefined;
    };
    const done = await applying(file([plain('A', 'Ours'), plain('C')]), '--yes', '--wait');
    expect([done.exitCode, done.rows[0]?.['state']]).toEqual([0, 'succeeded']);
  });

  test('costs one reading for each update', async () => {
    await applying(file([plain('A', 'Ours'), plain('B', 'Green')]), '--yes');
    const requests = registry.seen.map(({ method, path }) => `${method} ${path}`);
    expect(requests).toEqual([
      ...['GET /t1/products/p-1', 'GET /t1/products/p-2'],
      ...['GET /t1/products/p-1', 'PUT /t1/products/p-1', 'GET /t1/products/p-2', 'PUT /t1/products/p-2'],
    ]);
  });
});

test('a billed update that did not arrive is uncertain, and is sent after job resolve', async () => {
  await applying(file([taxed('A')]), '--yes', '--wait');
  registry.fault = ({ method }) => (method === 'PUT' ? { status: 502 } : undefined);
  const path = file([taxed('A', '5405')]);
  const first = await applying(path, '--yes');
  expect({ exitCode: first.exitCode, row: first.rows[0] }).toMatchObject({ exitCode: 3, row: { state: 'uncertain' } });
  registry.fault = () => undefined;
  const second = await applying(path, '--yes');
  expect({ exitCode: second.exitCode, row: second.rows[0] }).toMatchObject({
    exitCode: 3,
    row: { action: 'blocked', state: 'uncertain' },
  });
  const id = String(second.rows[0]?.['next']).split(' ').at(-1) ?? '';
  await fiscal('job', 'resolve', id, '--as', 'not-sent', '--yes');
  expect(await applying(path, '--yes', '--wait')).toMatchObject({ exitCode: 0 });
  expect(await applying(path)).toMatchObject({ exitCode: 0, summary: { unchanged: 1 } });
});

test('the next run sends once what an interrupted run did not send', async () => {
  registry.fault = ({ method }) => (method === 'POST' ? { status: 401, body: { error: {} } } : undefined);
  const path = file([plain('A'), plain('B'), plain('C')]);
  expect((await applying(path, '--yes')).exitCode).toBe(4);
  registry.fault = () => undefined;
  const again = await applying(path, '--yes', '--wait');
  expect({ exitCode: again.exitCode, count: registry.count }).toEqual({ exitCode: 0, count: 3 });
  expect(again.summary).toMatchObject({ create: 3, succeeded: 3 });
  const open = await records('job', 'list', '--state', 'open');
  expect([...open.rows, open.summary].filter((row) => 'id' in row)).toEqual([]);
});

test('without --wait a product is reported as accepted, and with it followed to its end', async () => {
  registry.readsUntilValid = 3;
  const path = file([plain('A')]);
  const sent = await applying(path, '--yes');
  expect({ exitCode: sent.exitCode, row: sent.rows[0] }).toMatchObject({ exitCode: 0, row: { state: 'pending' } });
  expect(sent.stderr).toContain('1 product is accepted, and its validation has not finished yet');
  const seen = await applying(path);
  expect(seen.rows[0]).toMatchObject({ action: 'unchanged', state: 'pending' });
  expect(seen.stderr).not.toContain('match the file');
  const followed = await applying(path, '--wait');
  expect(followed).toMatchObject({
    exitCode: 0,
    rows: [{ action: 'unchanged', state: 'succeeded', status: 'Active' }],
  });
});

test('a product without content in the answer is not compared and not updated', async () => {
  const path = file([plain('A'), plain('B')]);
  await applying(path, '--wait', '--yes');
  registry.seen.length = 0;
  registry.fault = ({ method, path: asked }) =>
    method === 'GET' && asked.endsWith('p-1')
      ? { status: 200, body: { id: 'p-1', sku: 'A', status: 'Active' } }
      : undefined;
  const { exitCode, rows, summary } = await applying(path, '--yes');
  expect({ exitCode, writes: writes() }).toEqual({ exitCode: 3, writes: [] });
  expect(rows).toMatchObject([
    { label: 'A', action: 'blocked', state: 'uncertain', errorCode: 'product.content_not_shown' },
    { label: 'B', action: 'unchanged' },
  ]);
  expect(summary).toMatchObject({ update: 0, blocked: 1, unchanged: 1 });
});

test('a product that stays in validation exits 8 at --timeout', async () => {
  registry.readsUntilValid = 1000;
  const path = file([plain('A')]);
  expect((await applying(path, '--yes', '--wait', '--timeout', '300ms')).exitCode).toBe(8);
  expect((await applying(path, '--wait', '--timeout', '300ms')).exitCode).toBe(8);
});

describe('a duplicate SKU in a file', () => {
  test.each([['apply'], ['apply', '--create-only'], ['apply', '--skip-invalid']])(
    'with different content exits 2 with both lines, and nothing is sent (%s)',
    async (verb, ...flags) => {
      const path = file([plain('A'), plain('B'), plain('A', 'Other')]);
      const { exitCode, stderr } = await fiscal('product', verb, path, ...flags, '--yes');
      expect({ exitCode, seen: registry.seen }).toEqual({ exitCode: 2, seen: [] });
      expect(stderr).toMatch(/line 3: sku.*A\\?" is on line 1 as well, with other content/s);
    },
  );

  test('is reported together with every other problem', async () => {
    const path = file([plain('A'), { ...plain('B'), origin: 'Brasil' }, plain('A', 'Other')]);
    const { exitCode, stderr } = await fiscal('product', 'apply', path, '--yes');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/line 2: origin.*line 3: sku/s);
  });

  test('with the same content is one product, and the repeated line is reported', async () => {
    const path = file([plain('A'), plain('B'), plain('A')]);
    const { exitCode, rows, summary } = await applying(path, '--yes', '--wait');
    expect({ exitCode, count: registry.count }).toEqual({ exitCode: 0, count: 2 });
    expect(rows.at(-1)).toEqual({ type: 'item', line: 3, action: 'repeated', state: 'skipped', duplicateOfLine: 1 });
    expect(summary).toMatchObject({ total: 2, repeated: 1 });
  });
});

test('a product that the service no longer knows is reported, not created', async () => {
  await applying(file([plain('A')]), '--yes', '--wait');
  registry.fault = ({ method }) => (method === 'GET' ? { status: 404, body: { error: {} } } : undefined);
  const { exitCode, rows } = await applying(file([plain('A')]), '--yes');
  expect({ exitCode, row: rows[0], count: registry.count }).toMatchObject({
    exitCode: 3,
    row: { action: 'blocked', errorCode: 'product.gone', productId: 'p-1' },
    count: 1,
  });
});

test('a SKU of two products is reported with both ids, not updated', async () => {
  await applying(file([plain('A')]), '--yes', '--wait');
  await fiscal('product', 'create', '--sku', 'A', '--description', 'A', '--origin', 'National', '--again');
  const { exitCode, rows } = await applying(file([plain('A', 'Tea')]), '--yes');
  expect({ exitCode, row: rows[0] }).toMatchObject({ exitCode: 3, row: { errorCode: 'product.several' } });
  expect(writes().filter((write) => write.startsWith('PUT'))).toEqual([]);
});

test('an answer that is not a product stops the command before anything is sent', async () => {
  await applying(file([plain('A')]), '--yes', '--wait');
  registry.seen.length = 0;
  registry.fault = ({ method }) => (method === 'GET' ? { status: 200, body: [] } : undefined);
  const { exitCode, stdout } = await applying(file([plain('A', 'Tea'), plain('B')]), '--yes');
  expect({ isOk: exitCode === 0, stdout, writes: writes() }).toEqual({ isOk: false, stdout: '', writes: [] });
});

test('--max-billable limits creates and updates together, and the same command continues', async () => {
  await applying(file([taxed('A')]), '--yes', '--wait');
  registry.seen.length = 0;
  const path = file([taxed('A', '5405'), taxed('B'), taxed('C')]);
  const limited = await applying(path, '--yes', '--max-billable', '2', '--concurrency', '1');
  expect({ exitCode: limited.exitCode, writes: writes().length }).toEqual({ exitCode: 14, writes: 2 });
  const rest = await applying(path, '--yes', '--wait');
  expect({ exitCode: rest.exitCode, writes: writes().length }).toEqual({ exitCode: 0, writes: 3 });
});

test('a row without a SKU exits 2, even with --unchecked', async () => {
  const path = file([plain('A'), { description: 'Nameless', origin: 'National' }]);
  const { exitCode, stderr } = await applying(path, '--yes', '--unchecked');
  expect({ exitCode, seen: registry.seen }).toEqual({ exitCode: 2, seen: [] });
  expect(stderr).toContain('line 2: sku');
});

test('what was created with --create-only is updated without it', async () => {
  await records('product', 'apply', '--create-only', file([plain('A'), plain('B')]), '--wait');
  const { exitCode, rows } = await applying(file([plain('A', 'Tea'), plain('B')]), '--yes');
  expect({ exitCode, actions: rows.map((row) => row['action']) }).toEqual({
    exitCode: 0,
    actions: ['update', 'unchanged'],
  });
});

test('the report contains every row', async () => {
  await applying(file([plain('A')]), '--yes', '--wait');
  await applying(file([plain('A'), plain('B')]), '--yes', '--wait', '--report', 'report.csv');
  expect(readFileSync(join(host.cwd, 'report.csv'), 'utf8').split('\n')).toEqual([
    'line,label,state,id,status,errorCode,error',
    '1,A,succeeded,p-1,Active,,',
    '2,B,succeeded,p-2,Active,,',
    '',
  ]);
});
