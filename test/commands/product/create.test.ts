import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runFiscal, type TestHost } from '../../support/host.js';
import { Registry } from './registry.js';

let registry: Registry;
let host: TestHost;

beforeEach(async () => {
  registry = new Registry();
  host = await registry.open();
});

afterEach(async () => {
  await registry.stop();
});

const coffee = { sku: 'CAFE-1', description: 'Café', origin: 'National' };
const rules = [{ operationCode: 1, intraState: { cfop: '5102', icms: { cst: '00', pICMS: '18.00' } } }];

function file(content: unknown, name = 'product.json'): string {
  writeFileSync(join(host.cwd, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

async function fiscal(...argv: string[]) {
  return runFiscal(argv, host);
}

/** The JSON error on stderr. */
function errorOf(stderr: string): Record<string, unknown> {
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  return (JSON.parse(line) as { error: Record<string, unknown> }).error;
}

const machine = ['--error-format', 'json'];

test('a product from flags and a file is sent in canonical form, with flags taking precedence', async () => {
  const name = file(
    '{"SKU":"old","DESCRIPTION":"Café","Tax":{"CEST":"1234567"},"customtax":[{"intrastate":{"icms":{"picms":18.10}}}]}',
  );
  const { exitCode, stdout, stderr } = await fiscal(
    'product',
    'create',
    '--file',
    name,
    '--sku',
    'CAFE-1',
    '--origin',
    'national',
    '--ncm',
    '09012100',
  );
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringContaining('the tax engine bills this call'),
  });
  expect(JSON.parse(stdout)).toEqual({ type: 'product', id: 'p-1', status: 'Created', jobId: expect.any(String) });
  expect(registry.creates).toEqual([
    { ...coffee, tax: { cest: '1234567', ncm: '09012100' }, customTax: [{ intraState: { icms: { pICMS: '18.10' } } }] },
  ]);
});

test('with --wait the validation is followed to Active', async () => {
  const { exitCode, stdout } = await fiscal(
    'product',
    'create',
    '--file',
    file({ ...coffee, customTax: rules }),
    '--wait',
  );
  expect({ exitCode, status: JSON.parse(stdout).status }).toEqual({ exitCode: 0, status: 'Active' });
});

test('an invalid scenario exits 13 with the reason and the next command, and stdout stays empty', async () => {
  const name = file({ ...coffee, customTax: [{ intraState: { cfop: '9999' } }] });
  const { exitCode, stdout, stderr } = await fiscal('product', 'create', '--file', name, '--wait', ...machine);
  expect({ exitCode, stdout }).toEqual({ exitCode: 13, stdout: '' });
  expect(errorOf(stderr)).toMatchObject({
    code: 'outcome.ended_badly',
    message: 'product p-1 ended as Error: CFOP 9999 does not exist',
    hint: 'correct the tax rules and send them: fiscal product update p-1 --file <file> --tenant t1',
  });
});

test('a wait that times out before anything is accepted exits 8, and the job can continue', async () => {
  registry.fault = () => ({ status: 429, body: { error: { code: 'limit', message: 'slow' } } });
  const name = file(coffee);
  const words = ['product', 'create', '--file', name, '--wait', '--timeout', '1s', ...machine];
  const { exitCode, stderr } = await fiscal(...words);
  const error = errorOf(stderr);
  expect([exitCode, error['code'], error['sent']]).toEqual([8, 'outcome.still_pending', 'no']);
  registry.fault = () => undefined;
  expect((await fiscal(...String(error['resume']).split(' ').slice(1))).exitCode).toBe(0);
});

test('every local problem is reported at once and nothing is sent', async () => {
  const name = file({ sku: 'A', origin: 'Brazil', customTax: [{ intraState: { icms: { pICMS: '181' } } }] });
  const { exitCode, stderr } = await fiscal('product', 'create', '--file', name, ...machine);
  expect(exitCode).toBe(2);
  const { message, details } = errorOf(stderr) as { message: string; details: { field: string }[] };
  expect(message).toBe('product.json is not valid; nothing was sent');
  expect(details.map((detail) => detail.field)).toEqual([
    'origin',
    'customTax[0].intraState.icms.pICMS',
    'description',
  ]);
  expect(registry.seen).toEqual([]);
});

test('a wrong NCM alone points to the NCM table, not to the tax codes', async () => {
  const hintFor = async (content: object): Promise<unknown> => {
    const { stderr } = await fiscal('product', 'create', '--file', file({ ...coffee, ...content }), ...machine);
    return errorOf(stderr)['hint'];
  };
  const badRules = [{ intraState: { icms: { pICMS: '181' } } }];
  expect(await hintFor({ tax: { ncm: '0901' } })).toBe(
    'an NCM has the 8 digits of its row in the NCM table of the Receita Federal, such as 09012100',
  );
  expect(await hintFor({ tax: { ncm: '0901' }, customTax: badRules })).toContain('fiscal tax codes');
  expect(await hintFor({ customTax: badRules })).toContain('fiscal tax codes');
});

test('--unchecked sends the product as written', async () => {
  const { exitCode } = await fiscal(
    'product',
    'create',
    '--file',
    file('{"Sku":"A","origin":"Brazil","n":1.50}'),
    '--unchecked',
  );
  expect({ exitCode, creates: registry.creates }).toEqual({
    exitCode: 0,
    creates: [{ Sku: 'A', origin: 'Brazil', n: 1.5 }],
  });
});

test('the same product again sends nothing and prints the same result', async () => {
  const first = await fiscal('product', 'create', '--file', file(coffee));
  const second = await fiscal(
    'product',
    'create',
    '--file',
    file({ Origin: 'NATIONAL', description: 'Café', SKU: 'CAFE-1' }),
  );
  expect({ exitCode: second.exitCode, stdout: second.stdout }).toEqual({ exitCode: 0, stdout: first.stdout });
  expect(second.stderr).toMatch(/already created on .* as p-1; nothing was sent \(--again creates another\)/);
  expect(registry.count).toBe(1);
});

test('the same SKU with different content is a conflict that names the update', async () => {
  await fiscal('product', 'create', '--file', file(coffee));
  const { exitCode, stderr } = await fiscal(
    'product',
    'create',
    '--file',
    file({ ...coffee, gtin: '789' }),
    ...machine,
  );
  expect({ exitCode, count: registry.count }).toEqual({ exitCode: 10, count: 1 });
  expect(errorOf(stderr)).toMatchObject({
    code: 'product.already_created',
    message: 'this machine has already created CAFE-1 as product p-1, with other content',
    hint: expect.stringContaining('fiscal product update p-1 --file'),
  });
});

test('a product in Error is not created again from a corrected file', async () => {
  await fiscal(
    'product',
    'create',
    '--file',
    file({ ...coffee, customTax: [{ intraState: { cfop: '9999' } }] }),
    '--wait',
  );
  const { exitCode } = await fiscal('product', 'create', '--file', file({ ...coffee, customTax: rules }));
  expect({ exitCode, count: registry.count }).toEqual({ exitCode: 10, count: 1 });
});

test('--again creates another one', async () => {
  await fiscal('product', 'create', '--file', file(coffee));
  const { exitCode, stdout } = await fiscal('product', 'create', '--file', file(coffee), '--again');
  expect({ exitCode, id: JSON.parse(stdout).id, count: registry.count }).toEqual({ exitCode: 0, id: 'p-2', count: 2 });
});

test('a missing answer makes the outcome uncertain, and the same command sends nothing more', async () => {
  registry.fault = ({ method }) => (method === 'POST' ? 'cut' : undefined);
  const name = file({ ...coffee, customTax: rules });
  for (const time of ['first', 'second']) {
    const { exitCode, stdout, stderr } = await fiscal('product', 'create', '--file', name, ...machine);
    expect({ time, exitCode, stdout, count: registry.count }).toEqual({ time, exitCode: 3, stdout: '', count: 1 });
    expect(errorOf(stderr)).toMatchObject({
      code: 'outcome.unknown',
      sent: 'unknown',
      jobId: expect.any(String),
      resume: expect.stringMatching(/^fiscal job resolve /),
    });
  }
});

test('a refusal of the service is shown with its details, and the same command tries again', async () => {
  const details = [{ field: 'gtin', message: 'unknown' }];
  registry.fault = () => ({
    status: 400,
    body: { error: { code: 'validation_error', message: 'bad product', details, requestId: 'r-1' } },
  });
  const refused = await fiscal('product', 'create', '--file', file(coffee), ...machine);
  expect(refused.exitCode).toBe(6);
  expect(errorOf(refused.stderr)).toMatchObject({
    code: 'service.refused',
    details,
    httpStatus: 400,
    requestId: 'r-1',
  });
  registry.fault = () => undefined;
  const second = await fiscal('product', 'create', '--file', file(coffee));
  expect({ exitCode: second.exitCode, count: registry.count }).toEqual({ exitCode: 0, count: 1 });
});

test('a product that stays in validation exits 8 and prints how to continue', async () => {
  registry.readsUntilValid = 1000;
  const { exitCode, stdout, stderr } = await fiscal(
    'product',
    'create',
    '--file',
    file(coffee),
    '--wait',
    '--timeout',
    '500ms',
    ...machine,
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' });
  expect(errorOf(stderr)).toMatchObject({
    code: 'outcome.still_pending',
    resume: 'fiscal product get p-1 --wait --tenant t1',
  });
});

test('--dry-run shows the request and its cost, and sends nothing', async () => {
  const { exitCode, stdout } = await fiscal(
    'product',
    'create',
    '--file',
    file({ ...coffee, customTax: rules }),
    '--dry-run',
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    type: 'dry-run',
    operation: 'product.create',
    request: { method: 'POST', url: expect.stringMatching(/\/t1\/products$/), body: { ...coffee, customTax: rules } },
    billedCalls: 1,
  });
  expect(stdout).not.toContain('invoice-key');
  expect(registry.seen).toEqual([]);
});

test('without a tenant the command explains how to set one', async () => {
  const { FISCAL_TENANT: _, ...env } = host.env;
  const { exitCode, stderr } = await runFiscal(['product', 'create', '--sku', 'A'], { env });
  expect({ exitCode, sent: registry.seen }).toEqual({ exitCode: 2, sent: [] });
  expect(errorOf(stderr)).toMatchObject({
    code: 'usage.missing',
    message: 'missing: --tenant',
    hint: expect.stringContaining('FISCAL_TENANT'),
  });
});

test('without a field and a file both ways are named', async () => {
  const { exitCode, stderr } = await fiscal('product', 'create');
  expect([exitCode, errorOf(stderr)?.['message'], registry.seen]).toEqual([2, 'missing: --sku | --file', []]);
});

test('if the service is unavailable, the request is kept, and the error prints how to continue', async () => {
  registry.fault = () => ({ status: 429, headers: { 'retry-after': '3600' } });
  const first = await fiscal('product', 'create', '--file', file(coffee), ...machine);
  expect(first.exitCode).toBe(12);
  const error = errorOf(first.stderr);
  expect(error).toMatchObject({
    resume: `fiscal job resume ${String(error['jobId'])}`,
    hint: 'the request is saved: the same command continues it and sends it once',
  });
});

test('a query that does not fit the result says that the product was sent', async () => {
  const argv = ['product', 'create', '--sku', 'CAFE-1', '--description', 'Café', '--origin', 'National'];
  const { exitCode, stdout, stderr } = await fiscal(...argv, '--query', 'abs(@)', ...machine);
  expect(errorOf(stderr)).toMatchObject({
    code: 'output.query',
    sent: 'yes',
    hint: expect.stringContaining('fiscal '),
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 6, stdout: '' });
});

test('on a terminal the result begins with a sentence; no machine output has it', async () => {
  Object.defineProperty(host.stdout, 'isTerminal', { value: true });
  const fields = ['--sku', 'CAFE-1', '--description', 'Café', '--origin', 'national'];
  const argv = ['product', 'create', ...fields, '--color', 'never'];
  const first = await fiscal(...argv);
  expect(first.stdout).toMatch(/^… CAFE-1 created, not validated yet\nid: /);
  const again = await fiscal(...argv, '--wait', '--lang', 'pt-BR');
  expect(again.stdout).toMatch(/^✓ CAFE-1 já existe e está ativo; nada foi enviado\nid: /);
  expect(JSON.parse((await fiscal(...argv, '-o', 'json')).stdout)).not.toHaveProperty('sentence');
  expect((await fiscal(...argv, '--fields', 'id')).stdout).not.toContain('CAFE-1');
});
