import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ArchivedMonth, CTE, NFE, NFSE, xmlOf } from '../inbound/archived-month.js';
import { runFiscal } from '../../support/host.js';
import { records } from '../seed.js';
import { unzipped } from './unzipped.js';

let month: ArchivedMonth;
const TOP = '11222333000181-2026-10';

beforeEach(async () => {
  month = await ArchivedMonth.open();
  await month.fiscal('company', 'list', '-o', 'json');
});

const out = (...names: string[]) => join(month.host.root, 'out', ...names);
const ZIP = `${TOP}.zip`;

async function pack(...more: string[]) {
  const words = ['export', 'package', '2026-10', '--out', out(), '--archive', month.archive, '-o', 'ndjson'];
  const { exitCode, stdout, stderr } = await month.fiscal(...words, ...more);
  return { exitCode, stderr, records: stdout === '' ? [] : records(stdout) };
}

async function close() {
  return await month.fiscal('inbound', 'close', '2026-10', '--archive', month.archive, '-o', 'ndjson');
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function entries(name = ZIP): Promise<ReadonlyMap<string, Buffer>> {
  return await unzipped(out(name));
}

async function names(name = ZIP): Promise<readonly string[]> {
  return [...(await entries(name)).keys()].map((entry) => entry.replace(`${TOP}/`, ''));
}

async function receipt(zip = ZIP, name = 'receipt.json'): Promise<Record<string, unknown>> {
  const bytes = (await entries(zip)).get(`${TOP}/${name}`);
  return JSON.parse(String(bytes)) as Record<string, unknown>;
}

/** In the archive and in the store, as `inbound pdf` stores it. */
async function addPdf(key: string, text: string): Promise<string> {
  const path = `11222333000181/2026-10/nfe/${key}.pdf`;
  const pdf = month.write(path, text);
  await month.store(async ({ documents }) => {
    const row = await documents.get({ profile: 'environment', companyId: 'c1', family: 'nfe' }, key);
    const patch = { state: 'archived', due: false, pdfState: 'archived', pdf } as const;
    if (row !== undefined) await documents.finish([{ row, patch, at: Date.UTC(2026, 10, 1) }]);
  });
  return path;
}

test('a package has the documents, the proofs, the report, the hashes and a receipt', async () => {
  const paths = [await month.add('nfe', NFE[0]), await month.add('nfse', NFSE)];
  paths.push(await month.addEvent('nfe', NFE[0]), await addPdf(NFE[0], '%PDF-1'));
  const closed = records((await close()).stdout)[0] as { sha256: string; closedAt: string };
  const { exitCode, records: found, stderr } = await pack();
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining(`1 package is written: ${out(ZIP)}`)]);
  const proofs = ['proofs/2026-10/c1/close.json', 'proofs/2026-10/c1/manifest.jsonl'];
  expect(await names()).toEqual([
    ...['receipt.json', 'receipt.txt', 'SHA256SUMS', 'report.html'],
    ...[...paths, ...proofs].sort(),
  ]);
  const all = await entries();
  for (const path of [...paths, ...proofs])
    expect(all.get(`${TOP}/${path}`)?.equals(readFileSync(month.path(path)))).toBe(true);
  const sums = all.get(`${TOP}/SHA256SUMS`) ?? Buffer.alloc(0);
  const listed = ['report.html', ...[...paths, ...proofs].sort()];
  expect(String(sums)).toBe(
    listed.map((path) => `${sha256(all.get(`${TOP}/${path}`) ?? Buffer.alloc(0))}  ${path}\n`).join(''),
  );
  expect(found[0]).toMatchObject({
    ...{ type: 'package', companyId: 'c1', state: 'written', number: null, verdict: 'complete' },
    ...{ closedAt: closed.closedAt, documents: 2, events: 1, pdfs: 1, file: out(ZIP) },
    ...{ sha256: sha256(readFileSync(out(ZIP))), bytes: readFileSync(out(ZIP)).length },
  });
  expect(await receipt()).toMatchObject({
    ...{ type: 'fiscal-package', month: '2026-10', companyId: 'c1', number: null, verdict: 'complete' },
    ...{ closedAt: closed.closedAt, gaps: 0, follows: null, earlierFiles: 0 },
    types: { nfe: { documents: 1, summaries: 0, events: 1, pdfs: 1 }, nfse: { documents: 1, pdfs: 0 } },
    withoutPdf: { notRequested: 1, outstanding: 0, notAtService: 0, unknown: 0 },
    manifest: { path: proofs[1], sha256: closed.sha256, entries: 2 },
    sums: { file: 'SHA256SUMS', sha256: sha256(sums) },
  });
  const text = String(all.get(`${TOP}/receipt.txt`));
  for (const said of ['CNPJ 11.222.333/0001-81', 'October 2026', 'Verdict of the close: Complete', closed.sha256])
    expect(text).toContain(said);
});

test('whoever unpacks it verifies the proofs with the program', async () => {
  await month.add('nfe', NFE[0]);
  await close();
  await pack();
  for (const [name, bytes] of await entries()) {
    mkdirSync(dirname(out(name)), { recursive: true });
    writeFileSync(out(name), bytes);
  }
  renameSync(month.archive, `${month.archive}-away`);
  const manifest = out(TOP, 'proofs/2026-10/c1/manifest.jsonl');
  const { exitCode, stdout } = await month.fiscal('inbound', 'verify', '--manifest', manifest, '-o', 'ndjson');
  expect([exitCode, records(stdout)[0]]).toMatchObject([0, { state: 'proven' }]);
});

test('the same archive gives the same bytes, in any zone and on any day', async () => {
  await month.add('nfe', NFE[0]);
  await month.add('cte', CTE);
  await close();
  await pack();
  const bytes = readFileSync(out(ZIP));
  const zone = process.env['TZ'];
  try {
    for (const other of ['Pacific/Kiritimati', 'America/Sao_Paulo']) {
      process.env['TZ'] = other;
      rmSync(out(ZIP));
      await pack();
      expect(readFileSync(out(ZIP)).equals(bytes)).toBe(true);
    }
  } finally {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  }
});

test('without a close the package claims nothing', async () => {
  await month.add('nfe', NFE[0]);
  const { exitCode, records: found, stderr } = await pack();
  expect([exitCode, found[0]]).toMatchObject([0, { verdict: 'not-closed', closedAt: null }]);
  expect(stderr).toContain('the month is not proven complete for 1 company');
  expect(await names()).toEqual([
    ...['receipt.json', 'receipt.txt', 'SHA256SUMS', 'report.html'],
    `11222333000181/2026-10/nfe/${NFE[0]}.xml`,
  ]);
  expect(await receipt()).toMatchObject({ verdict: 'not-closed', manifest: null });
});

test('a document of the manifest that this machine does not know is packed', async () => {
  const path = await month.add('nfe', NFE[0]);
  await close();
  rmSync(join(month.host.root, 'state'), { recursive: true, force: true });
  const { records: found } = await pack();
  expect(found[0]).toMatchObject({ documents: 1 });
  expect(await names()).toContain(path);
});

test.each([
  ['changed', (path: string) => writeFileSync(path, xmlOf('nfe', NFE[0]).replace('1', '2'))],
  ['missing', (path: string) => unlinkSync(path)],
  [
    'link',
    (path: string) => {
      renameSync(path, `${path}.away`);
      symlinkSync(`${path}.away`, path);
    },
  ],
  [
    'unreadable',
    (path: string) => {
      unlinkSync(path);
      mkdirSync(path);
    },
  ],
] as const)('a file that is %s is named, and the zip that stands there stays', async (kind, damage) => {
  const path = await month.add('nfe', NFE[0]);
  const other = await month.add('nfe', NFE[1]);
  await close();
  await pack();
  const before = readFileSync(out(ZIP));
  damage(month.path(path));
  unlinkSync(month.path(other));
  const { exitCode, records: found } = await pack();
  expect(exitCode).toBe(3);
  expect(found).toMatchObject([
    { type: 'difference', companyId: 'c1', kind, path },
    { type: 'difference', kind: 'missing', path: other },
    { type: 'package', state: 'damaged', file: null, sha256: null },
    { type: 'summary', written: 0, damaged: 1, exitCode: 3 },
  ]);
  expect(readdirSync(out())).toEqual([ZIP]);
  expect(readFileSync(out(ZIP)).equals(before)).toBe(true);
});

test('only what is new is packed, and events that came later are new', async () => {
  const first = await month.add('nfe', NFE[0]);
  await pack('--since-last');
  expect(await receipt()).toMatchObject({ number: 1, follows: null, total: { documents: 1 } });
  const firstSha256 = sha256(readFileSync(out(ZIP)));
  const { exitCode, records: idle, stderr } = await pack('--since-last');
  expect([exitCode, idle[0]]).toMatchObject([0, { state: 'nothing-new', file: null, documents: 0 }]);
  expect(stderr).toContain('nothing is new for 1 company');
  expect(readdirSync(out())).toEqual([ZIP]);
  const event = await month.addEvent('nfe', NFE[0]);
  await pack('--since-last');
  const second = `${TOP}-2.zip`;
  expect(await names(second)).toEqual([...['receipt-2.json', 'receipt-2.txt', 'SHA256SUMS-2', 'report-2.html', event]]);
  expect(await names(second)).not.toContain(first);
  expect(await receipt(second, 'receipt-2.json')).toMatchObject({
    ...{ number: 2, earlierFiles: 1, total: { documents: 0, events: 1 } },
    follows: { number: 1, sha256: firstSha256 },
  });
  expect(readdirSync(month.path('handovers/2026-10/c1'))).toEqual(['1.jsonl', '2.jsonl']);
});

test('a new close is new, and a document that changed is packed again', async () => {
  const path = await month.add('nfe', NFE[0]);
  await pack('--since-last');
  await close();
  await pack('--since-last');
  expect(await names(`${TOP}-2.zip`)).toContain('proofs/2026-10/c1/manifest.jsonl');
  await close();
  expect((await pack('--since-last')).records[0]).toMatchObject({ state: 'nothing-new' });
  await month.add('nfe', NFE[0], '<NFe>another</NFe>');
  await month.store(async ({ documents }) => {
    const row = await documents.get({ profile: 'environment', companyId: 'c1', family: 'nfe' }, NFE[0]);
    const file = month.write(path, '<NFe>another</NFe>');
    const patch = { state: 'archived', due: false, file, archive: month.archive } as const;
    if (row !== undefined) await documents.finish([{ row, patch, at: Date.UTC(2026, 10, 2) }]);
  });
  await pack('--since-last');
  expect(await names(`${TOP}-3.zip`)).toContain(path);
});

test('a package that is written and not remembered is handed over again', async () => {
  await month.add('nfe', NFE[0]);
  await pack('--since-last');
  const bytes = readFileSync(out(ZIP));
  // A kill after the rename and before the record.
  rmSync(month.path('handovers'), { recursive: true });
  const { exitCode } = await pack('--since-last');
  expect(exitCode).toBe(0);
  expect(readFileSync(out(ZIP)).equals(bytes)).toBe(true);
});

test('a record that cannot be read ends the run', async () => {
  await month.add('nfe', NFE[0]);
  await pack('--since-last');
  writeFileSync(month.path('handovers/2026-10/c1/1.jsonl'), '{"type":"handover"}\n');
  const { exitCode, stderr } = await pack('--since-last');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('no record of what was handed over')]);
});

test('a dry run writes nothing and remembers nothing', async () => {
  await month.add('nfe', NFE[0]);
  const { exitCode, records: found, stderr } = await pack('--since-last', '--dry-run');
  expect([exitCode, found[0]]).toMatchObject([0, { state: 'planned', documents: 1, file: null }]);
  expect(stderr).toContain('no package is written');
  expect([readdirSync(out()), existsSync(month.path('handovers'))]).toEqual([[], false]);
});

test('the progress of a package counts its files', async () => {
  for (const key of NFE) await month.add('nfe', key);
  let now = Date.UTC(2026, 10, 3);
  // Without a terminal a line is printed each minute.
  const clock = { ...month.host.clock, now: () => (now += 60_000) };
  const words = ['export', 'package', '2026-10', '--out', out(), '--archive', month.archive];
  const { exitCode, stderr } = await runFiscal(words, { ...month.host, clock });
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('packing: 1/2 (50 %)')]);
});

test('a month without documents and without a close is no package', async () => {
  expect((await pack('--since-last')).records[0]).toMatchObject({ state: 'nothing-new', file: null });
  expect(readdirSync(out())).toEqual([]);
});

test('another file is replaced only with --overwrite', async () => {
  await month.add('nfe', NFE[0]);
  mkdirSync(out());
  writeFileSync(out(ZIP), 'accounts');
  const { exitCode, stderr } = await pack();
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${out(ZIP)} exists and is not this package`)]);
  expect(readFileSync(out(ZIP), 'utf8')).toBe('accounts');
  expect((await pack('--overwrite')).exitCode).toBe(0);
  expect((await pack('--since-last')).exitCode).toBe(2);
  expect(existsSync(month.path('handovers'))).toBe(false);
});

test('all companies have a zip each, and one file takes one company', async () => {
  await month.add('nfe', NFE[0]);
  const file = ['--out', out('one.zip')];
  expect((await pack(...file)).exitCode).toBe(0);
  expect(await names('one.zip')).toContain('receipt.json');
  month.companies = [...month.companies, { id: 'c2', federalTaxNumber: '43907773000169' }];
  expect(await pack('--all-companies', '--out', out('all.zip'))).toMatchObject({ exitCode: 2 });
  expect((await pack('--all-companies')).records.at(-1)).toMatchObject({ companies: 2, written: 2 });
  expect(readdirSync(out()).sort()).toEqual([ZIP, '43907773000169-2026-10.zip', 'one.zip'].sort());
});
