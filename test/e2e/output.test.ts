import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  errorOf,
  fiscal,
  inProcess,
  ledger,
  newWorld,
  product,
  products,
  put,
  records,
  type ReadyLine,
  withSandbox,
  type World,
  worldAt,
} from './program.js';

let ready: ReadyLine;
let stop: () => void;
let world: World;
let id: string;

beforeAll(async () => {
  ({ ready, stop } = await withSandbox(newWorld()));
  world = worldAt(ready);
  put(world, 'p.json', product('OUT-0'));
  put(world, 'p.ndjson', products(2, 'OUT'));
  const created = await inProcess(world, 'product', 'create', '--file', 'p.json', '--wait', '-o', 'id');
  id = created.stdout.trim();
  await inProcess(world, 'product', 'apply', '--create-only', 'p.ndjson', '--wait');
});
afterAll(() => stop());

async function stdout(...argv: string[]): Promise<string> {
  const ended = await inProcess(world, ...argv);
  expect([argv, ended.exitCode]).toEqual([argv, 0]);
  return ended.stdout;
}

describe('one object', () => {
  test('has every format, from the same data', async () => {
    const whole = { id, sku: 'OUT-0', description: 'Product OUT-0', origin: 'National', status: 'Active' };
    const of = (form: string): Promise<string> => stdout('product', 'get', id, '-o', form);
    expect(JSON.parse(await of('json'))).toEqual(whole);
    expect(JSON.parse(await of('ndjson'))).toEqual({ type: 'product', ...whole });
    expect(await of('id')).toBe(`${id}\n`);
    expect(await of('csv')).toBe(`id,sku,description,origin,status\r\n${id},OUT-0,Product OUT-0,National,Active\r\n`);
    expect(await of('yaml')).toBe(
      `id: ${id}\nsku: OUT-0\ndescription: Product OUT-0\norigin: National\nstatus: Active\n`,
    );
    expect(await of('table')).toBe(
      `id:          ${id}\nsku:         OUT-0\ndescription: Product OUT-0\norigin:      National\nstatus:      Active\n`,
    );
  });

  test('is reduced by --fields and transformed by --query', async () => {
    expect(await stdout('product', 'get', id, '-o', 'json', '--fields', 'status,sku')).toBe(
      '{\n  "status": "Active",\n  "sku": "OUT-0"\n}\n',
    );
    expect(await stdout('product', 'get', id, '-o', 'json', '--query', 'status')).toBe('"Active"\n');
  });
});

describe('a list', () => {
  test('is one document, one typed line per record, or one id per line', async () => {
    const ids = (await stdout('product', 'list', '-o', 'id')).trim().split('\n');
    const listed: unknown = JSON.parse(await stdout('product', 'list', '-o', 'json'));
    const lines = records(await inProcess(world, 'product', 'list'));
    expect([ids.length, listed]).toEqual([3, ids.map((each): unknown => expect.objectContaining({ id: each }))]);
    expect(lines.map(({ type, id: each }) => [type, each])).toEqual(ids.map((each) => ['product', each]));
    expect(JSON.parse(await stdout('product', 'list', '-o', 'json', '--query', 'length(@)'))).toBe(3);
    expect((await stdout('product', 'list', '-o', 'csv', '--fields', 'sku')).trim().split('\r\n').toSorted()).toEqual([
      'OUT-0',
      'OUT-1',
      'OUT-2',
      'sku',
    ]);
  });

  test.each([
    ['json', '[]\n'],
    ['ndjson', ''],
    ['yaml', '[]\n'],
    ['csv', ''],
    ['id', ''],
    ['table', 'nothing to show\n'],
  ])('that is empty exits 0, as %s', async (form, text) => {
    expect(await stdout('product', 'list', '--status', 'CustomTaxPending', '-o', form)).toBe(text);
  });
});

describe('a batch', () => {
  test('is exactly one document as json, and ends with its summary in every streaming format', async () => {
    const batch = ['product', 'apply', '--create-only', 'p.ndjson', '--wait'] as const;
    const whole: unknown = JSON.parse(await stdout(...batch, '-o', 'json'));
    const expected = [
      { type: 'item', line: 1, label: 'OUT-1', state: 'succeeded', status: 'Active' },
      { type: 'item', line: 2, label: 'OUT-2', state: 'succeeded', status: 'Active' },
      { type: 'summary', total: 2, succeeded: 2, exitCode: 0 },
    ];
    expect(whole).toMatchObject(expected);
    expect(records(await fiscal(world, ...batch))).toMatchObject(expected);
    expect(await stdout(...batch, '-o', 'table')).toMatch(/^job \S+: 2 items, [\d.]+ s\n {2}succeeded: 2\n$/);
  });
});

describe('an error', () => {
  test('is one line of JSON on stderr with the fields in their published order, and stdout stays empty', async () => {
    const ended = await fiscal(world, 'product', 'get', '00000000-0000-4000-8000-00000000abcd', '-o', 'json');
    expect([ended.exitCode, ended.stdout, ended.stderr.split('\n').length]).toEqual([9, '', 2]);
    const order = [
      'code',
      'message',
      'httpStatus',
      'requestId',
      'operation',
      'attempts',
      'retryable',
      'sent',
      'exitCode',
    ];
    expect(Object.keys(errorOf(ended))).toEqual(order);
  });

  test('is a sentence with --error-format text, in the chosen language', async () => {
    const words = ['product', 'get', '00000000-0000-4000-8000-00000000abcd', '--error-format', 'text'];
    expect((await fiscal(world, ...words)).stderr).toMatch(/^fiscal: not found \(HTTP 404\): /);
    expect((await fiscal(world, ...words, '--lang', 'pt-BR')).stderr).toMatch(/^fiscal: não encontrado \(HTTP 404\): /);
  });
});

describe('--dry-run', () => {
  test('shows the request of a create with its key masked and its cost, and sends nothing', async () => {
    const before = (await ledger(ready)).length;
    put(world, 'billed.json', product('DRY', 'billed'));
    const shown: unknown = JSON.parse(await stdout('product', 'create', '--file', 'billed.json', '--dry-run'));
    expect(shown).toMatchObject({
      type: 'dry-run',
      operation: 'product.create',
      request: {
        method: 'POST',
        url: `${ready.url}/${ready.tenantId}/products`,
        headers: { authorization: '***', 'content-type': 'application/json' },
        body: { sku: 'DRY' },
      },
      billedCalls: 1,
    });
    put(world, 'dry.ndjson', products(3, 'DRY', 'billed'));
    const many: unknown = JSON.parse(await stdout('product', 'apply', '--create-only', 'dry.ndjson', '--dry-run'));
    expect(many).toMatchObject({
      type: 'dry-run',
      records: 3,
      valid: 3,
      invalid: 0,
      billedCalls: 3,
      request: { body: { sku: 'DRY-1' } },
    });
    expect((await ledger(ready)).length).toBe(before);
  });

  test('of job resume, with --failed too, and cancel counts the requests, and changes nothing', async () => {
    const away = worldAt(ready);
    put(away, 'three.ndjson', products(3, 'LATER', 'billed'));
    const stopped = await inProcess(
      away,
      'product',
      'apply',
      '--create-only',
      'three.ndjson',
      '--yes',
      '--max-billable',
      '1',
      '--concurrency',
      '1',
    );
    expect(stopped.exitCode).toBe(14);
    const jobId = (await inProcess(away, 'job', 'list', '-o', 'id')).stdout.trim();
    const before = (await ledger(ready)).length;
    for (const verb of ['resume', 'cancel']) {
      const ended = await inProcess(away, 'job', verb, jobId, '--dry-run', '-o', 'json');
      expect([ended.exitCode, JSON.parse(ended.stdout)]).toMatchObject([
        0,
        {
          type: 'dry-run',
          jobId,
          operation: 'product.create',
          sends: 2,
          billedCalls: 2,
          labels: ['LATER-2', 'LATER-3'],
        },
      ]);
    }
    await inProcess(away, 'job', 'cancel', jobId, '--yes');
    const retry = await inProcess(away, 'job', 'resume', '--failed', jobId, '--dry-run', '-o', 'json');
    expect([retry.exitCode, JSON.parse(retry.stdout)]).toMatchObject([
      0,
      { type: 'dry-run', sends: 2, billedCalls: 2 },
    ]);
    expect((await ledger(ready)).length).toBe(before);
    expect((await inProcess(away, 'job', 'items', jobId, '--state', 'prepared', '-o', 'json')).stdout).toBe('[]\n');
  });
});
