import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import {
  firstMonth as month,
  invoiceSandbox,
  type InvoiceSandbox,
  type Issued,
  recordsOf,
  wait,
} from '../invoice/sandbox.js';
import { unzipped } from './unzipped.js';

let sandbox: InvoiceSandbox;
let archive: string;
let out: string;
let sold: Issued;
let till: Issued;

const issue = (...words: Parameters<InvoiceSandbox['issue']>) => sandbox.issue(...words);
const sync = (...words: string[]) => sandbox.invoice('sync', '--archive', archive, ...words);

beforeEach(async () => {
  sandbox = invoiceSandbox();
  [archive, out] = ['archive', 'out'].map((name) => join(sandbox.host.root, name)) as [string, string];
  [sold, till] = [await issue('nfe', 'P-1'), await issue('nfce', 'P-2')];
  const letter = ['--text', 'Onde se le Cafe, leia-se Cha', '--yes', ...wait];
  await sandbox.invoice('correct', sold.id, ...letter);
  await sandbox.monthEnds();
  await sync('--pdf');
  await sandbox.fiscal('inbound', 'close', month, '--archive', archive, '--direction', 'issued');
});

async function pack(...words: string[]) {
  const run = await sandbox.fiscal(
    ...['export', 'package', month, '--archive', archive, '--out', out, '-o', 'ndjson', ...words],
  );
  return { ...run, records: recordsOf(run.stdout) };
}

test('a package of issued invoices has their files, their close and their report, and names its direction', async () => {
  const { exitCode, records } = await pack('--direction', 'issued');
  expect([exitCode, records[0]]).toMatchObject([
    0,
    { direction: 'issued', state: 'written', verdict: 'complete', documents: 2, events: 1, pdfs: 2 },
  ]);
  const [zip = ''] = readdirSync(out);
  expect(zip).toMatch(new RegExp(`^\\d{14}-${month}-issued\\.zip$`));
  const files = await unzipped(join(out, zip));
  const names = [...files.keys()].map((name) => name.split('/').slice(1).join('/'));
  const company = String(records[0]?.['companyId']);
  expect(names).toContain(`proofs/${month}/${company}/issued/close.json`);
  expect(names.filter((name) => name.includes('issued-nfe/'))).toHaveLength(3);
  expect(names.filter((name) => name.includes('issued-nfce/'))).toHaveLength(2);
  const textOf = (end: string) => String([...files].find(([name]) => name.endsWith(end))?.[1].toString('utf8'));
  expect(JSON.parse(textOf('receipt.json'))).toMatchObject({ direction: 'issued', verdict: 'complete' });
  const receipt = textOf('receipt.txt');
  expect(receipt).toContain('Issued invoices');
  expect(receipt).toContain('NFC-e: 1 document');
  expect(receipt).toContain('every invoice of the month that the service listed as issued or cancelled');
  expect(textOf('report.html')).toContain('Issued invoices');
});

test('both directions are two packages, and two runs give the same bytes', async () => {
  const first = await pack('--direction', 'both');
  expect(first.records.map(({ direction, state, verdict }) => [direction, state, verdict])).toEqual([
    ['received', 'written', 'not-closed'],
    ['issued', 'written', 'complete'],
    [undefined, undefined, undefined],
  ]);
  expect(first.records.at(-1)).toMatchObject({ companies: 1, written: 2 });
  rmSync(out, { recursive: true });
  const hashes = ({ records }: typeof first) => records.map(({ sha256 }) => sha256);
  expect(hashes(await pack('--direction', 'both'))).toEqual(hashes(first));
  const one = await pack('--direction', 'both', '--out', join(out, 'one.zip'));
  expect([one.exitCode, one.stderr]).toEqual([2, expect.stringContaining('a folder is expected')]);
});

test('what is new is remembered for each direction', async () => {
  const states = async (direction: string) =>
    (await pack('--direction', direction, '--since-last')).records.map(({ state }) => state).slice(0, -1);
  expect(await states('issued')).toEqual(['written']);
  expect(await states('both')).toEqual(['nothing-new', 'nothing-new']);
  await sandbox.invoice('sync', '--archive', archive, '--full');
  expect(await states('issued')).toEqual(['nothing-new']);
  expect(readdirSync(join(archive, 'handovers', month))).toHaveLength(1);
});

test('a changed file of an issued invoice stops its package, with the command that fetches it again', async () => {
  const path = readdirSync(archive, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith(`${sold.accessKey}.xml`),
  );
  rmSync(join(archive, path ?? ''));
  const { exitCode, records, stderr } = await pack('--direction', 'issued');
  expect([exitCode, records[0]]).toMatchObject([3, { type: 'difference', direction: 'issued', kind: 'missing' }]);
  expect(stderr).toContain('fiscal invoice sync --repair');
  expect(existsSync(join(out))).toBe(true);
  expect(readdirSync(out)).toEqual([]);
});

async function table(name: string, ...words: string[]) {
  const file = join(sandbox.host.root, `${name}.csv`);
  const run = await sandbox.fiscal(
    ...['export', 'table', name, month, '--archive', archive, '--out', file, '--overwrite', '-o', 'ndjson', ...words],
  );
  const lines = readFileSync(file, 'utf8')
    .replace(/^\uFEFF/, '')
    .trim()
    .split(/\r?\n/);
  const [head = '', ...rows] = lines.map((line) => line.split(','));
  const at = (column: string) => (head as readonly string[]).indexOf(column);
  return { ...run, records: recordsOf(run.stdout), head, rows, at };
}

test('a table of issued invoices begins with their direction, and has no rejected ones', async () => {
  await sandbox.outcome('--outcome', 'failed', '--count', '1');
  await issue('nfe', 'P-3').catch(() => undefined);
  await sync();
  const { exitCode, head, rows, at, records } = await table('header', '--direction', 'both');
  expect([exitCode, head[0]]).toEqual([0, 'direction']);
  const cells = rows.map((row) => ['direction', 'type', 'accessKey', 'model'].map((name) => row[at(name)]));
  expect(cells).toEqual([
    ['issued', 'nfce', till.accessKey, '65'],
    ['issued', 'nfe', sold.accessKey, '55'],
  ]);
  expect(records.filter(({ type }) => type === 'coverage')).toMatchObject([
    { direction: 'received', verdict: 'not-closed', documents: 0 },
    { direction: 'issued', verdict: 'complete', documents: 2 },
  ]);
  expect(records.filter(({ type }) => type === 'total').map(({ documentType }) => documentType)).toEqual([
    'nfce',
    'nfe',
  ]);
});

test('the tables of received documents have the columns that they had', async () => {
  const { head } = await table('items', '--direction', 'received');
  expect(head[0]).toBe('companyId');
  const items = await table('items', '--direction', 'issued', '--type', 'nfe');
  expect(items.rows).toHaveLength(1);
});
