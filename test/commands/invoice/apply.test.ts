import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { errorOf, invoiceSandbox, recordsOf, wait, type InvoiceSandbox, type Run } from './sandbox.js';
import { inputOrder } from '../../support/input-order.js';

let sandbox: InvoiceSandbox;

beforeEach(() => {
  sandbox = invoiceSandbox();
});

function summaryOf({ stdout }: Run): Record<string, unknown> {
  return recordsOf(stdout).at(-1) ?? {};
}

async function imports(model: string, path: string, ...more: string[]): Promise<Run> {
  return await sandbox.invoice('apply', '--model', model, path, '--yes', ...wait, '-o', 'ndjson', ...more);
}

const header = 'externalId,description,servicesAmount,cityServiceCode,borrower.name,borrower.federalTaxNumber';
const csv = `${header}\nA-1,Consultoria,100.50,2690,Maria,529.982.247-25\nA-2,Consultoria,200,2690,,\n`;

describe('a CSV', () => {
  test('is issued as one job, each row with its own externalId, and the second time sends nothing', async () => {
    const first = await imports('nfse', sandbox.put('n.csv', csv), '--report', 'out.csv');
    expect(summaryOf(first)).toMatchObject({ total: 2, succeeded: 2, invalid: 0, exitCode: 0 });
    expect(recordsOf(first.stdout)[0]).toEqual({
      type: 'item',
      line: 2,
      label: 'A-1',
      state: 'succeeded',
      status: 'Issued',
      externalId: 'A-1',
      invoiceId: expect.any(String),
    });
    expect(readFileSync(join(sandbox.host.cwd, 'out.csv'), 'utf8')).toContain('A-2,succeeded');
    const again = await imports('nfse', 'n.csv');
    expect([again.exitCode, again.stderr]).toEqual([0, expect.stringContaining('nothing was sent')]);
    expect((await sandbox.issued('nfse.issue')).length).toBe(2);
  });

  test('with decimal commas keeps every digit, and asks where a number has two readings', async () => {
    const [, row = ''] = csv.split('\n');
    const comma = `${header}\n${row}`.replaceAll(',', ';').replace('100.50', '1.100,50');
    const first = await imports('nfse', sandbox.put('n.csv', `${comma}\n`));
    expect([first.exitCode, first.stderr]).toEqual([0, expect.stringContaining('1.100,50 → 1100.50')]);
    const preview = await sandbox.invoice('apply', '--model', 'nfse', 'n.csv', '--dry-run', '-o', 'json');
    expect(preview.stdout).toContain('"servicesAmount": 1100.50');
    const twofold = sandbox.put('m.csv', `${comma.replace('A-1', 'A-9').replace('1.100,50', '1.100')}\n`);
    const asked = await imports('nfse', twofold);
    expect([asked.exitCode, asked.stderr]).toEqual([
      2,
      expect.stringContaining('give --decimal point or --decimal comma'),
    ]);
    expect((await sandbox.issued('nfse.issue')).length).toBe(1);
    const point = await imports('nfse', twofold, '--decimal', 'point', '--dry-run', '-o', 'json');
    expect(point.stdout).toContain('"servicesAmount": 1.100');
  });

  test('with additional rows issues only the new ones', async () => {
    await imports('nfse', sandbox.put('n.csv', csv));
    const grown = await imports('nfse', sandbox.put('n.csv', `${csv}A-3,Suporte,10,2690,,\n`));
    expect(summaryOf(grown)).toMatchObject({ total: 3, succeeded: 1, skipped: 2 });
    expect((await sandbox.issued('nfse.issue')).length).toBe(3);
  });

  test('is not done for rows that an earlier job did not complete', async () => {
    const end = ['--family', 'nfse', '--outcome'];
    await sandbox.outcome(...end, 'failed', '--external-id', 'A-1');
    await sandbox.outcome(...end, 'pending', '--external-id', 'A-2');
    await sandbox.invoice('apply', '--model', 'nfse', sandbox.put('n.csv', csv), '--yes');
    const grown = sandbox.put('n.csv', `${csv}A-3,Suporte,10,2690,,\n`);
    const sent = await sandbox.invoice('apply', '--model', 'nfse', grown, '--yes', '-o', 'ndjson');
    expect(sent.exitCode).toBe(0);
    await sandbox.invoice('apply', '--model', 'nfse', sandbox.put('o.csv', csv), '--yes', ...wait, '--timeout', '3s');
    const waited = await imports('nfse', grown);
    expect([waited.exitCode, inputOrder(recordsOf(waited.stdout))]).toMatchObject([
      3,
      [
        { label: 'A-1', state: 'skipped', errorCode: 'outcome.ended_badly' },
        { label: 'A-2', state: 'skipped', errorCode: 'job.key_held' },
        { label: 'A-3', state: 'succeeded' },
        { exitCode: 3 },
      ],
    ]);
    const other = await imports('nfse', sandbox.put('p.csv', `${csv.replace('200', '201')}`));
    expect([other.exitCode, recordsOf(other.stdout)[1]]).toMatchObject([
      3,
      { label: 'A-2', state: 'skipped', errorCode: 'invoice.other_content' },
    ]);
  });

  test('with an invalid row sends nothing, unless --skip-invalid is given', async () => {
    const file = sandbox.put('n.csv', `${csv}A-3,Suporte,-1,2690,,52998224725\nA-4,X,1,2690,Y,52998224726\n`);
    const refused = await imports('nfse', file);
    expect([refused.exitCode, errorOf(refused)]).toMatchObject([
      2,
      {
        code: 'input.invalid',
        details: [
          { field: 'line 4: servicesAmount', message: 'must not be negative' },
          { field: 'line 5: borrower.federalTaxNumber' },
        ],
      },
    ]);
    expect(await sandbox.issued('nfse.issue')).toEqual([]);
    const rest = await imports('nfse', file, '--skip-invalid');
    expect(summaryOf(rest)).toMatchObject({ total: 2, succeeded: 2, invalid: 2 });
  });

  test.each([
    ['a title that is no path', 'externalId,a b\nX,1\n', 'input.unknown_column'],
    ['two columns of one field', 'description,description\nX,Y\n', 'input.syntax'],
    ['no rows', `${header}\n`, 'input.empty'],
  ])('with %s is refused', async (_name, text, code) => {
    const ended = await imports('nfse', sandbox.put('n.csv', text));
    expect([ended.exitCode, errorOf(ended)['code']]).toEqual([2, code]);
  });

  test('asks for consent and describes the effect', async () => {
    const ended = await sandbox.invoice('apply', '--model', 'nfse', sandbox.put('n.csv', csv));
    expect([ended.exitCode, errorOf(ended)['message']]).toEqual([
      2,
      expect.stringContaining('issuing 2 NFS-e with 0 billed calls (profile sandbox, company '),
    ]);
  });

  test('asks only about what it will send, and does not ask if all of it was sent', async () => {
    await imports('nfse', sandbox.put('n.csv', csv));
    const done = await sandbox.invoice('apply', '--model', 'nfse', 'n.csv');
    expect(done.exitCode).toBe(0);
    const grown = await sandbox.invoice(
      'apply',
      '--model',
      'nfse',
      sandbox.put('n.csv', `${csv}A-3,Suporte,10,2690,,\n`),
    );
    expect([grown.exitCode, errorOf(grown)['message']]).toEqual([
      2,
      expect.stringContaining('issuing 1 NFS-e with 0 billed calls'),
    ]);
  });
});

describe('a folder', () => {
  test('of JSON and YAML files is one job, with one invoice per file, and other files are ignored', async () => {
    const folder = join(sandbox.host.cwd, 'notas');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.json'), JSON.stringify({ ...samples.nfe, externalId: 'F-1' }));
    writeFileSync(
      join(folder, 'b.yaml'),
      'externalId: F-2\nbuyer: {federalTaxNumber: 11222333000181}\nitems: [{description: Café, quantity: 2, unitAmount: 1.50}]\n',
    );
    writeFileSync(join(folder, 'leia-me.txt'), 'x');
    const ended = await imports('nfe', 'notas');
    expect(summaryOf(ended)).toMatchObject({ total: 2, succeeded: 2 });
    expect(inputOrder(recordsOf(ended.stdout)).map(({ externalId }) => externalId)).toEqual(['F-1', 'F-2', undefined]);
  });

  test('with a broken file names it', async () => {
    const folder = join(sandbox.host.cwd, 'notas');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.json'), '{"items":[');
    writeFileSync(join(folder, 'b.yaml'), 'items: []');
    const ended = await imports('nfe', 'notas');
    const { details } = errorOf(ended) as { details: { field: string }[] };
    expect(details.map(({ field }) => field)).toEqual([
      'line 1: a.json',
      'line 2: b.yaml buyer',
      'line 2: b.yaml items',
    ]);
  });
});

describe('records without an externalId', () => {
  const row = (amount: string) => ({ ...samples.nfse, servicesAmount: amount });

  test('get one from their content: two equal records are one invoice, with a notice', async () => {
    const file = sandbox.put('n.json', [row('1.00'), row('2.00'), row('1.00')]);
    const ended = await imports('nfse', file);
    expect(summaryOf(ended)).toMatchObject({ total: 3, succeeded: 2, skipped: 1 });
    expect(ended.stderr).toContain('3 records have no externalId');
    const alone = await sandbox.invoice('issue', '--model', 'nfse', '--file', sandbox.put('one.json', row('2.00')));
    expect(alone.stderr).toContain('nothing was sent');
  });
});

test('missing answers are looked up: each invoice of the file is issued once', async () => {
  await sandbox.fault('cut-after', 'nfse.issue', '--rate', '0.3');
  await sandbox.fault('500-after', 'nfse.issue', '--rate', '0.3');
  const rows = Array.from({ length: 20 }, (_, index) => ({ ...samples.nfse, externalId: `L-${index}` }));
  const ended = await imports('nfse', sandbox.put('n.json', rows), '--concurrency', '4');
  expect(summaryOf(ended)).toMatchObject({ total: 20, succeeded: 20, uncertain: 0 });
  expect((await sandbox.issued('nfse.issue')).length).toBe(20);
});

test('taxDetermination counts as billed, needs consent and is limited', async () => {
  const billed = (externalId: string) => ({
    ...samples.nfe,
    externalId,
    items: [
      {
        description: 'Café',
        quantity: 1,
        unitAmount: '1.00',
        ncm: '09012100',
        taxDetermination: { operationCode: 121 },
      },
    ],
  });
  const file = sandbox.put('n.json', [billed('T-1'), billed('T-2')]);
  const preview = await sandbox.invoice('apply', '--model', 'nfe', file, '--dry-run');
  expect(JSON.parse(preview.stdout)).toMatchObject({ records: 2, billedCalls: 2 });
  const limited = await imports('nfe', file, '--max-billable', '1');
  expect([limited.exitCode, summaryOf(limited)['billedCalls']]).toEqual([14, 1]);
});

test('an import on another machine reads the list once, sends what is new, and does not skip different content', async () => {
  const [item] = samples.nfe['items'] as readonly object[];
  const line = (externalId: string, totalAmount = '37.80') =>
    JSON.stringify({ ...samples.nfe, externalId, environment: 'Test', items: [{ ...item, totalAmount }] });
  await sandbox.fiscal('sandbox', 'mode', '--lenient');
  const first = sandbox.put('one.ndjson', ['A', 'B'].map((id) => line(id)).join('\n'));
  await imports('nfe', first, '--external-id-in-body');
  const all = [line('A'), line('B', '99.00'), line('C'), line('D')].join('\n');
  const ended = await sandbox.elsewhere(
    ...[
      'invoice',
      'apply',
      '--model',
      'nfe',
      sandbox.put('two.ndjson', all),
      '--unchecked',
      '--external-id-in-body',
      '--yes',
      ...wait,
      '-o',
      'ndjson',
    ],
  );
  expect(recordsOf(ended.stdout)).toMatchObject([
    { label: 'A', state: 'skipped', status: 'Issued', invoiceId: expect.any(String) },
    { label: 'B', state: 'failed', errorCode: 'invoice.external_id_taken', error: 'its content differs from ours' },
    { label: 'C', state: 'succeeded' },
    { label: 'D', state: 'succeeded' },
    { type: 'summary', exitCode: 3 },
  ]);
  expect(await sandbox.issued('nfe.issue')).toHaveLength(4);
  const { stdout } = await sandbox.fiscal('sandbox', 'ledger', '--operation', 'nfe.list', '-o', 'json');
  // Once by each machine.
  expect(JSON.parse(stdout)).toHaveLength(2);
});
