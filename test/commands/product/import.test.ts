import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { Registry } from './registry.js';
import { inputOrder } from '../../support/input-order.js';

let registry: Registry;
let host: TestHost;

beforeEach(async () => {
  registry = new Registry();
  const url = await registry.start();
  const keys = { FISCAL_PRODUCT_URL: url, FISCAL_INVOICE_KEY: 'invoice-key', FISCAL_TENANT: 't1' };
  host = testHost({ env: { ...testHost().env, ...keys } });
});

afterEach(async () => {
  await registry.stop();
});

async function fiscal(...argv: string[]) {
  return runFiscal(argv, host);
}

async function importing(...argv: string[]) {
  const result = await fiscal('product', 'apply', '--create-only', ...argv);
  const lines = result.stdout.split('\n').filter((line) => line !== '');
  return { ...result, records: inputOrder(lines.map((line) => JSON.parse(line) as Row)) };
}

type Row = Readonly<Record<string, unknown>>;

function file(name: string, content: string): string {
  writeFileSync(join(host.cwd, name), content);
  return name;
}

const three = 'sku,description,origin\nA,Tea,National\nB,Bread,National\nC,Coffee,National\n';

function lines(products: readonly Row[]): string {
  return products.map((product) => `${JSON.stringify(product)}\n`).join('');
}

const taxed = (sku: string, cfop = '5102') => ({
  sku,
  description: sku,
  origin: 'National',
  customTax: [{ intraState: { cfop } }],
});

test('every record becomes one product, with one record per item and a summary', async () => {
  const { exitCode, records } = await importing(file('p.csv', three), '--wait');
  expect(exitCode).toBe(0);
  expect(records.slice(0, 3)).toEqual(
    ['A', 'B', 'C'].map((label, index) => ({
      type: 'item',
      line: index + 2,
      label,
      state: 'succeeded',
      status: 'Active',
      productId: expect.stringMatching(/^p-[123]$/),
    })),
  );
  expect(records[3]).toMatchObject({ type: 'summary', total: 3, succeeded: 3, billedCalls: 0, exitCode: 0 });
  expect(registry.count).toBe(3);
});

test('without --wait the command that follows the products is named, once', async () => {
  const { exitCode, stderr } = await importing(file('p.csv', three));
  const following = stderr.split('\n').filter((line) => line.includes('fiscal job resume'));
  expect({ exitCode, following }).toEqual({
    exitCode: 0,
    following: [expect.stringMatching(/^3 products are accepted, and .*: fiscal job resume \S+ --wait$/)],
  });
});

test('a row with SEM GTIN in place of the code becomes a product without one, and the notice says so', async () => {
  const sheet = 'sku;descricao;origem;ncm;gtin\n001;PRODUTO A;0;09012100;SEM GTIN\n';
  const done = await importing(file('p.csv', sheet), '--wait');
  expect({ exitCode: done.exitCode, sent: registry.creates }).toEqual({
    exitCode: 0,
    sent: [{ sku: '001', description: 'PRODUTO A', origin: 'National', tax: { ncm: '09012100' } }],
  });
  expect(done.stderr).toContain('gtin is "SEM GTIN": the product has none, and the field is left out');
});

test('the same content again, in another format, sends nothing and shows the same items', async () => {
  const first = await importing(file('p.csv', three));
  const again = await importing(
    file(
      'p.ndjson',
      lines([...'ABC'].map((sku, i) => ({ origin: 'national', SKU: sku, description: ['Tea', 'Bread', 'Coffee'][i] }))),
    ),
  );
  expect(again.exitCode).toBe(0);
  expect(again.records.slice(0, 3)).toEqual(first.records.slice(0, 3));
  expect(again.stderr).toContain('has the same input and is continued');
  expect(registry.count).toBe(3);
});

test('a SKU that was used before is skipped, and different content is reported with exit 3', async () => {
  await fiscal('product', 'create', '--sku', 'A', '--description', 'Tea', '--origin', 'National');
  await fiscal('product', 'create', '--sku', 'B', '--description', 'Cake', '--origin', 'National');
  const { exitCode, records } = await importing(file('p.csv', three));
  expect({ exitCode, count: registry.count }).toEqual({ exitCode: 3, count: 3 });
  expect(records.slice(0, 3)).toMatchObject([
    { label: 'A', state: 'skipped', productId: 'p-1' },
    { label: 'B', state: 'skipped', productId: 'p-2', errorCode: 'product.already_created' },
    { label: 'C', state: 'pending', productId: 'p-3' },
  ]);
  expect(records[0]).not.toHaveProperty('errorCode');
});

test('a product that ended in Error is not created again from a corrected file', async () => {
  const bad = file('bad.ndjson', lines([taxed('A', '9999'), taxed('B')]));
  const first = await importing(bad, '--wait', '--yes');
  expect({ exitCode: first.exitCode, states: first.records.map((record) => record['state']) }).toEqual({
    exitCode: 3,
    states: ['rejected', 'succeeded', undefined],
  });
  expect(first.records[0]).toMatchObject({ error: 'CFOP 9999 does not exist', status: 'Error' });
  const second = await importing(file('good.ndjson', lines([taxed('A'), taxed('B')])));
  expect({ exitCode: second.exitCode, summary: second.records.at(-1) }).toMatchObject({
    exitCode: 3,
    summary: { exitCode: 3 },
  });
  expect(second.records.slice(0, 2)).toMatchObject([
    { state: 'skipped', productId: 'p-1', errorCode: 'product.already_created' },
    { state: 'skipped', productId: 'p-2' },
  ]);
  expect(registry.count).toBe(2);
});

test('a SKU of another file whose create is uncertain is reported, exit 3, and not created again', async () => {
  registry.fault = ({ body }) => (JSON.stringify(body ?? '').includes('"B"') ? 'cut' : undefined);
  expect((await importing(file('p.csv', three))).exitCode).toBe(3);
  registry.fault = () => undefined;
  const { exitCode, records } = await importing(file('q.csv', `${three}D,Milk,National\n`));
  expect({ exitCode, count: registry.count }).toEqual({ exitCode: 3, count: 4 });
  expect(records[1]).toMatchObject({ label: 'B', state: 'skipped', errorCode: 'outcome.unknown' });
  expect(records[1]?.['error']).toContain('fiscal job resolve ');
});

test('the question counts what will be sent, and a completed file asks none', async () => {
  const part = file('part.ndjson', lines([taxed('A'), taxed('B')]));
  expect((await importing(part, '--yes')).exitCode).toBe(0);
  const whole = file('whole.ndjson', lines([taxed('A'), taxed('B'), taxed('C'), taxed('C')]));
  const asked = await importing(whole);
  expect(asked.exitCode).toBe(2);
  expect(asked.stderr).toContain('creating 1 product with 1 billed call (profile environment, tenant t1)');
  const limited = await importing(whole, '--yes', '--max-billable', '0');
  expect(limited.exitCode).toBe(14);
  expect((await importing(whole)).stderr).toContain('creating 1 product with 1 billed call');
  expect((await importing(whole, '--yes')).exitCode).toBe(0);
  const seen = registry.seen.length;
  expect(await importing(whole)).toMatchObject({ exitCode: 0 });
  expect({ asked: registry.seen.length - seen, count: registry.count }).toEqual({ asked: 0, count: 3 });
});

test('created products stay known after their job is pruned', async () => {
  const path = file('p.csv', three);
  await importing(path, '--wait');
  expect((await fiscal('job', 'prune', '--older-than', '0s', '--yes')).exitCode).toBe(0);
  const { exitCode, records, stderr } = await importing(path);
  expect({ exitCode, last: records.at(-1), count: registry.count }).toMatchObject({
    exitCode: 0,
    last: { total: 0, leftOut: 3 },
    count: 3,
  });
  expect(stderr).toMatch(/line 2: A exists as p-\d and is skipped/);
});

describe('invalid records', () => {
  const broken = `${three.trimEnd()}\nD\n,Nothing,Mars\n`;

  test('are all named, and nothing is sent', async () => {
    const { exitCode, stdout, stderr } = await importing(file('p.csv', broken), '--error-format', 'json');
    expect({ exitCode, stdout, seen: registry.seen }).toEqual({ exitCode: 2, stdout: '', seen: [] });
    const { error } = JSON.parse(stderr.trimEnd()) as { error: { message: string; details: { field: string }[] } };
    expect(error.message).toBe('p.csv is not valid; nothing was sent');
    expect(error.details.map((detail) => detail.field)).toEqual(['line 5', 'line 6: origin', 'line 6: sku']);
  });

  test('are skipped with --skip-invalid, and the others are sent', async () => {
    const { exitCode, records, stderr } = await importing(file('p.csv', broken), '--skip-invalid');
    expect({ exitCode, count: registry.count }).toEqual({ exitCode: 0, count: 3 });
    expect(records.at(-1)).toMatchObject({ total: 3, invalid: 2 });
    expect(stderr).toContain('2 invalid records are left out');
  });

  test('are reported up to twenty, with the number of the others', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => `S${index},x,Mars`).join('\n');
    const path = file('p.csv', `sku,description,origin\n${rows}\n`);
    const { stderr } = await importing(path, '--error-format', 'json');
    const { error } = JSON.parse(stderr.trimEnd()) as { error: { details: { message: string }[] } };
    expect(error.details).toHaveLength(21);
    expect(error.details[20]?.message).toBe('and 10 more problems');
  });

  test('a file without records is refused', async () => {
    const { exitCode, stderr } = await importing(file('p.csv', 'sku,description,origin\n'));
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('p.csv has no records') });
  });
});

test('a batch of billed calls needs consent, and --max-billable stops with exit 14', async () => {
  const path = file('p.ndjson', lines([taxed('A'), taxed('B'), taxed('C')]));
  const asked = await importing(path);
  expect({ exitCode: asked.exitCode, seen: registry.seen }).toEqual({ exitCode: 2, seen: [] });
  expect(asked.stderr).toContain('creating 3 products with 3 billed calls');
  const limited = await importing(path, '--yes', '--max-billable', '2');
  expect({ exitCode: limited.exitCode, count: registry.count }).toEqual({ exitCode: 14, count: 2 });
  const rest = await importing(path, '--yes');
  expect({ exitCode: rest.exitCode, count: registry.count }).toEqual({ exitCode: 0, count: 3 });
});

test('a missing answer makes only its item uncertain', async () => {
  registry.fault = ({ body }) => (JSON.stringify(body ?? '').includes('"B"') ? 'cut' : undefined);
  const path = file('p.csv', three);
  for (const time of [1, 2]) {
    const { exitCode, records, stderr } = await importing(path);
    expect({ time, exitCode, count: registry.count }).toEqual({ time, exitCode: 3, count: 3 });
    expect(records.map((record) => record['state'])).toEqual(['pending', 'uncertain', 'pending', undefined]);
    expect(stderr).toContain('fiscal job resolve');
  }
});

test('a refused key stops the batch with exit 4 and keeps every item for the next run', async () => {
  registry.fault = () => ({ status: 401, body: { error: { code: 'unauthorized', message: 'no' } } });
  const path = file('p.csv', three);
  const { exitCode, records } = await importing(path);
  expect({ exitCode, last: records.at(-1) }).toMatchObject({ exitCode: 4, last: { prepared: 3, exitCode: 4 } });
  registry.fault = () => undefined;
  expect(await importing(path)).toMatchObject({ exitCode: 0 });
  expect(registry.count).toBe(3);
});

test('--dry-run counts, shows the first request and sends nothing', async () => {
  const path = file('p.ndjson', lines([taxed('A'), { ...taxed('B'), customTax: [] }]));
  const { exitCode, stdout } = await fiscal('product', 'apply', '--create-only', path, '--dry-run');
  expect({ exitCode, seen: registry.seen }).toEqual({ exitCode: 0, seen: [] });
  expect(JSON.parse(stdout)).toMatchObject({
    type: 'dry-run',
    operation: 'product.create',
    records: 2,
    valid: 2,
    invalid: 0,
    billedCalls: 1,
    request: { method: 'POST', body: taxed('A') },
  });
});

test('the report and the metrics are written completely, with formulas neutralised', async () => {
  registry.fault = ({ body }) =>
    JSON.stringify(body ?? '').includes('"B"')
      ? { status: 400, body: { error: { code: 'validation_error', message: 'no bread' } } }
      : undefined;
  const path = file('p.csv', three.replace('A,Tea', '=A,Tea'));
  const files = ['--report', 'report.csv', '--metrics-file', 'fiscal.prom'];
  const { exitCode } = await importing(path, ...files);
  expect({ exitCode, files: readdirSync(host.cwd).sort() }).toEqual({
    exitCode: 3,
    files: ['fiscal.prom', 'p.csv', 'p.errors.csv', 'report.csv'],
  });
  const [head, first, second] = readFileSync(join(host.cwd, 'report.csv'), 'utf8').split('\n');
  expect(head).toBe('line,label,state,id,status,errorCode,error');
  expect(first).toMatch(/^2,'=A,pending,p-\d,Created,,$/);
  expect(second).toMatch(/^3,B,failed,,,service\.refused,.*no bread/);
  const metrics = readFileSync(join(host.cwd, 'fiscal.prom'), 'utf8');
  expect(metrics).toMatch(/^fiscal_job_items\{job="[^"]+",state="pending"\} 2$/m);
  expect(metrics).toMatch(/^fiscal_job_items\{job="[^"]+",state="failed"\} 1$/m);
});

test.each(['--report', '--metrics-file'])(
  '%s with a path that cannot be written stops before anything is sent',
  async (flag) => {
    const { exitCode, stderr } = await importing(file('p.csv', three), flag, 'missing/folder/file');
    expect({ exitCode, seen: registry.seen }).toEqual({ exitCode: 2, seen: [] });
    expect(stderr).toContain('cannot write');
  },
);

test('on a terminal the failures and the counts are shown', async () => {
  registry.fault = ({ body }) =>
    JSON.stringify(body ?? '').includes('"B"')
      ? { status: 400, body: { error: { code: 'validation_error', message: 'no bread' } } }
      : undefined;
  const terminal = testHost({ env: { ...host.env, NO_COLOR: '1' }, isTerminal: true, columns: 100, cwd: host.cwd });
  const { stdout, exitCode } = await runFiscal(['product', 'apply', '--create-only', file('p.csv', three)], terminal);
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(/3\s+│ B\s+│ ✗ failed/);
  expect(stdout).toMatch(/pending: 2\n\s+failed: 1/);
});

test('the result of a command that has written does not wait for a pager', async () => {
  const plain = testHost({ env: host.env, isTerminal: true, columns: 100, cwd: host.cwd });
  const { isTerminal } = plain.stdout;
  const stdout = { ...plain.stdout, isTerminal, columns: 100, closed: false, rows: 2 };
  const paged: string[] = [];
  const terminal = { ...{ ...plain, stdout }, pageText: async (text: string) => paged.push(text) > 0 };
  const apply = ['product', 'apply', file('p.csv', three), '--yes'];
  expect((await runFiscal(apply, terminal)).exitCode).toBe(0);
  expect(paged).toEqual([]);
  await runFiscal(['product', 'list'], terminal);
  expect(paged).toHaveLength(1);
});

test('standard input is read once and sent completely', async () => {
  const { env } = host;
  const piped = await runFiscal(['product', 'apply', '--create-only', '-'], testHost({ env, stdin: three }));
  expect({ exitCode: piped.exitCode, count: registry.count }).toEqual({ exitCode: 0, count: 3 });
  expect(readdirSync(join(String(env['FISCAL_STATE_DIR']), 'spool'))).toEqual([]);
});

describe('a table of a Brazilian spreadsheet', () => {
  const saved = [
    'Código;Descrição;Origem;NCM;customTax.intraState.cfop;customTax.intraState.icms.pICMS',
    'CAFE-1;Café torrado, 250 g;0;0901.21.00;5.102;18,00',
    'PAO-2;Pão de açúcar;Nacional;1905.90.90;5.102;7,5%',
    '',
  ].join('\r\n');

  test('is read in Windows-1252, with Portuguese titles and decimal commas, and says so', async () => {
    writeFileSync(join(host.cwd, 'p.csv'), Buffer.from(saved, 'latin1'));
    const { exitCode, records, stderr } = await importing('p.csv', '--yes', '--wait', '--lang', 'pt-BR');
    expect({ exitCode, summary: records.at(-1) }).toMatchObject({ exitCode: 0, summary: { succeeded: 2 } });
    const { stdout } = await fiscal('product', 'get', 'p-1');
    expect(JSON.parse(stdout)).toMatchObject({
      sku: 'CAFE-1',
      description: 'Café torrado, 250 g',
      origin: 'National',
      tax: { ncm: '09012100' },
      customTax: [{ intraState: { cfop: '5102', icms: { pICMS: '18.00' } } }],
    });
    expect(stderr.split('\n').filter((line) => line.includes('p.csv: lê'))).toEqual(
      [
        'o texto como Windows-1252 (Código, Descrição, Café); se não for isso, informe --encoding',
        '3 colunas pelos nomes em português (Código → sku, Descrição → description, Origem → origin)',
        '2 origens pelos nomes (0 → National, Nacional → National)',
        '4 códigos sem a pontuação (0901.21.00 → 09012100, 5.102 → 5102, 1905.90.90 → 19059090)',
        '2 números com ponto decimal (18,00 → 18.00, 7,5 → 7.5)',
      ].map((text) => expect.stringContaining(text) as string),
    );
  });

  test('is the same content as its copy in UTF-8 with commas: nothing is sent twice', async () => {
    writeFileSync(join(host.cwd, 'p.csv'), Buffer.from(saved, 'latin1'));
    await importing('p.csv', '--yes', '--wait');
    const plain = lines([
      {
        ...{ sku: 'CAFE-1', description: 'Café torrado, 250 g', origin: 'National', tax: { ncm: '09012100' } },
        customTax: [{ intraState: { cfop: '5102', icms: { pICMS: '18.00' } } }],
      },
      {
        ...{ sku: 'PAO-2', description: 'Pão de açúcar', origin: 'National', tax: { ncm: '19059090' } },
        customTax: [{ intraState: { cfop: '5102', icms: { pICMS: '7.5' } } }],
      },
    ]);
    const again = await importing(file('p.ndjson', plain), '--yes');
    expect(again.stderr).toContain('had the same input and is done; nothing was sent');
    expect(registry.count).toBe(2);
    // The rate is that of a run: no item ended in this one.
    expect(JSON.parse(again.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ succeeded: 2, rate: 0 });
  });

  test('a percentage with three decimals has one reading', async () => {
    const title = 'customTax.intraState.icms.pMVAST';
    const read = await importing(file('m.csv', `sku;description;origin;${title}\nA;Tea;0;1.234\n`), '--yes');
    expect(read.exitCode).toBe(0);
    const { stdout } = await fiscal('product', 'get', 'p-1');
    expect(JSON.parse(stdout)).toMatchObject({ customTax: [{ intraState: { icms: { pMVAST: '1.234' } } }] });
  });

  test('a wrong --encoding is refused by the first byte that it does not have', async () => {
    writeFileSync(join(host.cwd, 'p.csv'), Buffer.from(saved, 'latin1'));
    const { exitCode, stderr } = await importing('p.csv', '--encoding', 'utf-8', '--yes');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('p.csv is not UTF-8 text: byte 1 ')]);
  });
});
