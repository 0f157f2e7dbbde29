import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runFiscal, type TestHost } from '../../support/host.js';
import { textRows, workbookOf } from '../../support/workbook.js';
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

async function fiscal(...argv: string[]) {
  return runFiscal([...argv, '--error-format', 'text'], host);
}

function write(name: string, content: string | Buffer): string {
  writeFileSync(join(host.cwd, name), content);
  return name;
}

const read = (name: string) => readFileSync(join(host.cwd, name), 'utf8');

/** Runs a command that the program has printed. */
async function printed(stderr: string, after: string, ...more: string[]) {
  const line = stderr.slice(stderr.indexOf(after) + after.length).split(/[;\n]/, 1)[0] ?? '';
  const [program, ...words] = line.trim().split(' ');
  expect(program).toBe('fiscal');
  return fiscal(...words, ...more);
}

const header = 'código;descrição;origem;ncm';
const four = `${header}\r\nA;Chá;0;0902.10.00\r\n0012;Pão;Nacional;1905\r\nC;Café;9;0901.21.00\r\nD;Mel;0;0409.00.00\r\n`;

test('a pipe that stands where the sheet would stand is not waited for', async () => {
  spawnSync('mkfifo', [join(host.cwd, 'p.errors.csv')]);
  const { exitCode, stderr } = await fiscal('product', 'apply', '--create-only', write('p.csv', four));
  expect(exitCode).toBe(2);
  expect(stderr).toContain('p.errors-2.csv');
  expect(read('p.errors-2.csv')).toContain('Pão;Nacional;1905;3;');
});

test('invalid rows stand in a sheet with their reasons; the printed commands send the others and the mended ones', async () => {
  const first = await fiscal(
    'product',
    'apply',
    '--create-only',
    write('p.csv', Buffer.from(four, 'latin1')),
    '--lang',
    'pt-BR',
  );
  expect(first.exitCode).toBe(2);
  expect(registry.count).toBe(0);
  const [titles, bread, coffee, ...none] = read('p.errors.csv').split('\r\n');
  expect(titles).toBe(`\uFEFF${header};linha do erro;motivo do erro`);
  expect(bread).toBe('"=""0012""";Pão;Nacional;1905;3;"tax.ncm ""1905"" (coluna ncm) deve ter exatamente 8 dígitos"');
  expect(coffee).toMatch(
    /^C;Café;9;0901\.21\.00;4;"origin ""9"" \(coluna origem\) deve ser um código de 0 a 8: 0 nacional, /,
  );
  expect(none).toEqual(['']);
  expect(first.stderr).toContain(
    '2 linhas com o motivo de cada uma estão em p.errors.csv; para enviar as demais: fiscal',
  );

  expect((await printed(first.stderr, 'as demais: ')).exitCode).toBe(0);
  expect(registry.count).toBe(2);
  write('p.errors.csv', read('p.errors.csv').replace(';1905;', ';1905.90.90;').replace(';9;', ';0;'));
  const mended = await printed(first.stderr, 'e depois: ');
  expect(mended.exitCode).toBe(0);
  expect(registry.creates).toContainEqual({
    sku: '0012',
    description: 'Pão',
    origin: 'National',
    tax: { ncm: '19059090' },
  });
  expect(registry.count).toBe(4);
});

const taxed = 'sku,description,origin,customTax.intraState.cfop\n';

test('what the service refuses is in the sheet, and what may have arrived is not', async () => {
  registry.fault = ({ method, body }) => {
    const sku = typeof body === 'object' && body !== null && 'sku' in body ? body.sku : undefined;
    if (method !== 'POST') return undefined;
    if (sku === 'REFUSED') return { status: 422, body: { message: '=1+1' } };
    return sku === 'UNKNOWN' ? 'cut' : undefined;
  };
  const rows = ['GOOD,a,National,5102', 'BAD,b,National,9999', 'REFUSED,c,National,5102', 'UNKNOWN,d,National,5102'];
  const file = write('p.csv', `${taxed}${rows.join('\n')}\n`);
  const { exitCode, stderr } = await fiscal('product', 'apply', '--create-only', file, '--wait', '--yes');
  expect(exitCode).toBe(3);
  expect(read('p.errors.csv').split('\r\n')).toEqual([
    `\uFEFF${taxed.trim()},error row,error reason`,
    'BAD,b,National,9999,3,CFOP 9999 does not exist',
    expect.stringMatching(/^REFUSED,c,National,5102,4,.*1\+1/),
    '',
  ]);
  expect(stderr).toMatch(
    /2 rows with the reason of each are in p\.errors\.csv, without those whose outcome is unknown \(fiscal job items .* --state uncertain.*\); mend it, then: fiscal product apply p\.errors\.csv/,
  );

  registry.fault = () => undefined;
  write('p.errors.csv', read('p.errors.csv').replace('9999', '5102'));
  expect((await printed(stderr, 'then: ', '--yes')).exitCode).toBe(0);
  expect(registry.seen.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

test('a sheet that is there already is kept, and an equal one is used again', async () => {
  const file = write('p.csv', four);
  write('p.errors.csv', 'mended\n');
  const names = async () => {
    await fiscal('product', 'apply', '--create-only', file);
    return readdirSync(host.cwd).toSorted();
  };
  expect(await names()).toEqual(['p.csv', 'p.errors-2.csv', 'p.errors.csv']);
  expect(await names()).toEqual(['p.csv', 'p.errors-2.csv', 'p.errors.csv']);
  expect(read('p.errors.csv')).toBe('mended\n');
});

test('the errors of a sheet of errors go into another one, with one row and reason each', async () => {
  await fiscal('product', 'apply', '--create-only', write('p.csv', four));
  const again = await fiscal('product', 'apply', '--create-only', 'p.errors.csv');
  expect(again.exitCode).toBe(2);
  expect(again.stderr).toContain('p.errors-2.csv');
  expect(read('p.errors-2.csv').split('\r\n')[0]).toBe(`\uFEFF${header};error row,error reason`.replace(',', ';'));
  expect(read('p.errors-2.csv').split('\r\n')[1]).toMatch(/^"=""0012""";Pão;Nacional;1905;2;"tax/);
});

test('the errors of a workbook are a workbook, which is read back once it is mended', async () => {
  const rows =
    '<row r="3"><c r="A3" t="inlineStr"><is><t>0012</t></is></c><c r="B3" t="inlineStr"><is><t>=1+1</t></is></c><c r="C3"><v>9</v></c></row>';
  const file = write(
    'p.xlsx',
    workbookOf({
      sheets: {
        Plan1:
          textRows([
            ['sku', 'description', 'origin'],
            ['A', 'Tea', '0'],
          ]) + rows,
      },
    }),
  );
  const first = await fiscal('product', 'apply', '--create-only', file);
  expect(first.exitCode).toBe(2);
  expect(first.stderr).toContain('1 row with the reason of each is in p.errors.xlsx');
  const again = await fiscal('product', 'apply', '--create-only', 'p.errors.xlsx');
  expect(again.stderr).toContain('line 2: origin: "9" must be a code from 0 to 8: 0 National, ');
  const unchecked = await fiscal(
    'product',
    'apply',
    '--create-only',
    'p.errors.xlsx',
    '--unchecked',
    '--dry-run',
    '-o',
    'json',
  );
  expect(JSON.parse(unchecked.stdout)).toMatchObject({
    request: { body: { sku: '0012', description: '=1+1', origin: '9' } },
  });
});

test('neither a dry run nor stdin writes a sheet', async () => {
  expect((await fiscal('product', 'apply', '--create-only', write('p.csv', four), '--dry-run')).exitCode).toBe(2);
  expect(readdirSync(host.cwd)).toEqual(['p.csv']);
  const piped = await runFiscal(['product', 'apply', '--create-only', '-'], {
    stdin: four,
    env: host.env,
    cwd: host.cwd,
  });
  expect(piped.exitCode).toBe(2);
  expect(existsSync(join(host.cwd, 'stdin.errors.csv'))).toBe(false);
});

test('an apply writes the rows that the service refuses', async () => {
  const file = write('p.csv', `${taxed}GOOD,a,National,5102\nBAD,b,National,9999\n`);
  const first = await fiscal('product', 'apply', file, '--wait', '--yes');
  expect(first.exitCode).toBe(3);
  expect(read('p.errors.csv').split('\r\n')[1]).toBe('BAD,b,National,9999,3,CFOP 9999 does not exist');
  write('p.errors.csv', read('p.errors.csv').replace('9999', '5102'));
  expect((await printed(first.stderr, 'then: ', '--yes')).exitCode).toBe(0);
});
