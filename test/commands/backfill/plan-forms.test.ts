import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { formatCnpj } from '../../../src/domain/tax-number.js';
import type { TestHost } from '../../support/host.js';
import { differingService } from '../../support/differing-service.js';
import { textRows, workbookOf } from '../../support/workbook.js';
import { dataOf, errorOf, historyService } from './history.js';

const service = historyService({ companies: 2, documents: 2_200 });

async function plan(form: string, language: 'en' | 'pt') {
  const host = service.newHost({ FISCAL_LANG: language });
  const ids = `${service.company(0)},${service.company(1)},${await service.withoutCapture()}`;
  const file = `plan.${form}`;
  const { data } = dataOf(await service.backfill(host, 'plan', '--company', ids, '--out', file, '-o', 'json'));
  return { host, id: String(data?.['id']), path: join(host.cwd, file) };
}

/** What a release of the plan would send. */
async function dryRun(host: TestHost, file: string, id: string) {
  const words = ['release', '--plan', file, '--confirm', id, '--yes', '--dry-run', '-o', 'json'];
  return dataOf(await service.backfill(host, ...words));
}

const whole = { exitCode: 0, data: { companies: 2, sends: 2, hiddenDocumentsCount: 2_200 } };

test.each(['csv', 'json', 'xlsx', 'md'])('a plan as .%s is released, in both languages', async (form) => {
  for (const language of ['en', 'pt'] as const) {
    const { host, id } = await plan(form, language);
    expect(await dryRun(host, `plan.${form}`, id)).toMatchObject(whole);
  }
});

test.each(['csv', 'json', 'xlsx', 'md'])('a plan as .%s is known by its content on stdin', async (form) => {
  const { host, id, path } = await plan(form, 'pt');
  const stdin = { isTerminal: false, read: () => Readable.from([readFileSync(path)]) };
  expect(await dryRun({ ...host, stdin }, '-', id)).toMatchObject(whole);
});

test.each(['csv', 'json', 'xlsx', 'md'])(
  'a name with a tab and unseen characters makes no plan as .%s look edited',
  async (form) => {
    const host = service.newHost();
    const other = await differingService(String(host.env['FISCAL_PRODUCT_URL']), {
      json: (_path, body) => JSON.parse(JSON.stringify(body).replaceAll('Sem Captura', 'Sem\\tCap\\u0001tu\\u202era')),
    });
    const there = { ...host, env: { ...host.env, FISCAL_PRODUCT_URL: other.url } };
    const ids = `${service.company(0)},${service.company(1)},${await service.withoutCapture()}`;
    const made = await service.backfill(there, 'plan', '--company', ids, '--out', `plan.${form}`, '-o', 'json');
    expect(readFileSync(join(host.cwd, `plan.${form}`)).includes('Sem Captura')).toBe(false);
    expect(await dryRun(host, `plan.${form}`, String(dataOf(made).data?.['id']))).toMatchObject(whole);
  },
);

test('a plan in Markdown is a table for people, with CNPJ, words and fingerprints', async () => {
  const { path, id } = await plan('md', 'pt');
  const lines = readFileSync(path, 'utf8').split('\n');
  const row = lines.find((line) => line.includes(service.company(0))) ?? '';
  expect(lines.slice(0, 4)).toEqual([
    `# Plano ${id}: empresas: 3; 2 a liberar (2200 NFS-e ocultas), 0 com nova data de corte, 1 sem proposta`,
    '',
    '| id da empresa | empresa | CNPJ da empresa | data de corte | liberadas | ocultas | ação | observação | planejado em | fingerprint |',
    `|${'---|'.repeat(10)}`,
  ]);
  expect(row).toMatch(
    /\d\d\.\d{3}\.\d{3}\/0001-\d\d \| 2026-10-01T03:00:00\.000Z \| não \| 1100 \| liberar \| .* f[0-9a-f]{31} \|$/,
  );
});

/** The rows of a plan, as a spreadsheet has them. */
function rowsOf(path: string): string[][] {
  return parse(readFileSync(path, 'utf8'));
}

const csv = (rows: readonly (readonly string[])[], separator: string) =>
  rows
    .map((cells) => `${cells.map((cell) => (cell.includes(separator) ? `"${cell}"` : cell)).join(separator)}\r\n`)
    .join('');

/** Excel in Portuguese: its words, groups of thousands. */
const inExcel = (cell: string) =>
  cell
    .replace(/^false$/, 'FALSO')
    .replace(/^true$/, 'VERDADEIRO')
    .replace(/^(\d)(\d{3})$/, '$1.$2');

const saved = {
  'CSV with semicolons in Windows-1252': (rows: string[][]) =>
    Buffer.from(
      csv(
        rows.map((cells) => cells.map(inExcel)),
        ';',
      ),
      'latin1',
    ),
  'CSV with a mark': (rows: string[][]) => Buffer.from(`\uFEFF${csv(rows, ';')}`),
  'tabs in UTF-16': (rows: string[][]) => Buffer.from(`\uFEFF${csv(rows, '\t')}`, 'utf16le'),
  'a workbook': (rows: string[][]) =>
    workbookOf({
      sheets: { Plano: textRows(rows).replaceAll(/t="inlineStr"><is><t>(\d+)<\/t><\/is>/g, '><v>$1</v>') },
    }),
};

test.each(Object.entries(saved))('a plan that a spreadsheet has saved again as %s is the same', async (name, write) => {
  const { host, id, path } = await plan('csv', 'en');
  const file = name === 'a workbook' ? 'again.xlsx' : 'again.csv';
  writeFileSync(join(host.cwd, file), write(rowsOf(path)));
  expect(await dryRun(host, file, id)).toMatchObject(whole);
});

test.each([
  ['companyName', 'Outra Ltda', 'companyName "Outra Ltda"'],
  ['companyTaxNumber', formatCnpj('11444777000161'), 'companyTaxNumber "11444777000161"'],
  ['hidden', '1', 'hidden "1"'],
  ['action', 'none', 'action "none"'],
  ['startFromDate', '2026-11-01T03:00:00Z', 'startFromDate "2026-11-01T03:00:00Z"'],
  ['fingerprint', `f${'0'.repeat(31)}`, `fingerprint "f${'0'.repeat(31)}"`],
])('a changed %s is refused with its place and value, in every form', async (column, value, place) => {
  const { host, id, path } = await plan('csv', 'en');
  const rows = rowsOf(path);
  const at = rows[0]?.indexOf(column) ?? -1;
  const changed = rows.map((cells, line) => (line === 2 ? cells.with(at, value) : cells));
  const [header = [], ...others] = changed;
  const records = others.map((cells) => Object.fromEntries(header.map((title, each) => [title, cells[each]])));
  const table = changed.map((cells) => `| ${cells.join(' | ')} |`);
  const files: Readonly<Record<string, readonly [string | Buffer, line: number]>> = {
    'p.csv': [csv(changed, ';'), 3],
    'p.xlsx': [workbookOf({ sheets: { Plan: textRows(changed) } }), 3],
    'p.json': [JSON.stringify(records), 2],
    'p.md': [[table[0], '|---|', ...table.slice(1)].join('\n'), 4],
  };
  for (const [file, [content, line]] of Object.entries(files)) {
    writeFileSync(join(host.cwd, file), content);
    const run = await service.backfill(host, 'release', '--plan', file, '--confirm', id, '--yes', '--dry-run');
    expect(errorOf(run), file).toEqual({ exitCode: 2, code: 'backfill.plan_altered' });
    expect(run.stderr, file).toContain(`line ${line} (${place.replaceAll('"', String.raw`\"`)})`);
  }
});

test('a CNPJ that a spreadsheet has rounded is refused with its place and value', async () => {
  const { host, id, path } = await plan('csv', 'en');
  const rows = rowsOf(path);
  rows[1] = rows[1]?.with(2, '1,14448E+13') ?? [];
  writeFileSync(path, csv(rows, ';'));
  const run = await service.backfill(host, 'release', '--plan', 'plan.csv', '--confirm', id, '--yes');
  expect(errorOf(run)).toEqual({ exitCode: 2, code: 'input.invalid' });
  expect(run.stderr).toContain('companyTaxNumber: \\"1,14448E+13\\"');
});
