import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, expect, test } from 'vitest';
import { ArchivedMonth, CTE, NFE } from '../commands/inbound/archived-month.js';
import { newJob } from '../store/samples.js';
import { loadCommands } from '../support/commands.js';
import { filesOf } from '../support/files-of.js';
import { releasedRow } from '../claims/arguments.js';
import { runFiscal } from '../support/host.js';
import type { fileWriters } from './file-writers.js';

let month: ArchivedMonth;

beforeEach(async () => {
  month = await ArchivedMonth.open();
  await month.add('nfe', NFE[0]);
  await month.addEvent('nfe', NFE[0]);
  await month.fiscal('company', 'list', '-o', 'json');
  await month.store(async ({ jobs }) => {
    await jobs.create(newJob({ id: 'job-1', profile: 'environment' }), []);
  });
  const profiles = { acme: { keys: { invoice: 'k' }, aliases: { matriz: 'c1' } } };
  mkdirSync(join(month.host.root, 'config'), { recursive: true });
  writeFileSync(join(month.host.root, 'config', 'config.json'), JSON.stringify({ profiles }));
  const inputs = {
    'backfill.json': JSON.stringify([releasedRow('c1')]),
    'rules.json': '{"rules":[{"event":"awareness"}]}',
    'cnpjs.csv': 'cnpj\n11222333000181\n',
    'cpfs.csv': 'cpf;birthDate\n52998224725;1990-01-01\n',
    'ceps.csv': 'cep\n01310100\n',
    'nfe-keys.csv': `accessKey\n${NFE[0]}\n`,
    'cte-keys.csv': `accessKey\n${CTE}\n`,
    'clients.yaml': 'companies:\n  - cnpj: 11.222.333/0001-81\n    name: Um Ltda\n',
  };
  for (const [name, text] of Object.entries(inputs)) writeFileSync(join(month.host.cwd, name), text);
});

const files = () => filesOf(month.host);

/** The keys and hosts that a preview needs. */
async function fiscal(...argv: readonly string[]) {
  const url = month.serviceEnv['FISCAL_PRODUCT_URL'];
  const hosts = ['SERVICE', 'QUERY', 'LEGAL_ENTITY', 'NATURAL_PERSON', 'ADDRESS'];
  const urls = Object.fromEntries(hosts.map((name) => [`FISCAL_${name}_URL`, url]));
  const env = { ...month.host.env, ...urls, FISCAL_DATA_KEY: 'data-key' };
  const stdin = { isTerminal: false, read: () => Readable.from([Buffer.from('invoice=another-key\n')]) };
  return await runFiscal([...argv, '--yes'], { ...month.host, env, stdin });
}

interface Case {
  readonly words: () => readonly string[];
  /** Of the dry run; absent: 0. */
  readonly exitCode?: number;
  /** The service of this test has no answer with which the command would write a file. */
  readonly isAnswered?: false;
}

const archive = () => ['--archive', month.archive];
const acme = ['--profile', 'acme'];
const report = ['--report', 'report.csv'];

const writes = (...words: readonly string[]): Case => ({ words: () => words });
const download = (...words: readonly string[]): Case => ({
  words: () => [...words, '--out', 'new-file'],
  isAnswered: false,
});
const lookup = (file: string): Case => ({ words: () => ['--file', file, ...report], isAnswered: false });

const cases: Readonly<Record<(typeof fileWriters)[number], Case | readonly Case[]>> = {
  'auth login': writes(...acme, '--stdin', '--no-check'),
  'backfill approve': writes('backfill.json', '--by', 'Maria'),
  'backfill plan': writes('--out', 'plan.csv'),
  // This machine knows no release.
  'backfill report': { ...writes('--out', 'report.html'), exitCode: 3 },
  'company alias': [
    writes('--remove', 'matriz', ...acme),
    // With this profile no list was read, and a dry run reads none.
    { ...writes('filial', 'c1', ...acme), exitCode: 9 },
  ],
  'company apply': { ...writes('clients.yaml', ...report), exitCode: 3, isAnswered: false },
  'company export': { ...writes('--out', 'clients-now.yaml'), exitCode: 3 },
  doctor: { ...writes('--probe'), exitCode: 0, isAnswered: false },
  'export package': { words: () => ['2026-10', '--out', 'packages', ...archive()] },
  // The XML of the test has no fields.
  'export table': { words: () => ['header', '2026-10', '--out', 'table.csv', ...archive()], exitCode: 3 },
  'inbound archive copy': { words: () => ['--from', month.archive, '--to', 'copy'] },
  'inbound pdf': download(NFE[0]),
  'inbound sync': { words: archive, isAnswered: false },
  'inbound xml': download(NFE[0], '--event', '110111-1'),
  'invoice pdf --model nfce': download('i1'),
  'invoice xml --model nfce --of rejection': download('i1'),
  'invoice xml --model nfce': download('i1'),
  'invoice pdf --model nfe --of letter': download('i1'),
  'invoice xml --model nfe --of letter': download('i1'),
  'invoice pdf --model nfe': download('i1'),
  'invoice xml --model nfe --of rejection': download('i1'),
  'invoice xml --model nfe': download('i1'),
  'invoice xml --model nfse --of cancellation': download('i1'),
  'invoice pdf --model nfse': download('i1'),
  'invoice xml --model nfse': download('i1'),
  'invoice sync': { words: archive, isAnswered: false },
  'job resume': { ...writes('job-1', ...report), isAnswered: false },
  'lookup address': lookup('ceps.csv'),
  'lookup cnpj': lookup('cnpjs.csv'),
  'lookup cpf': lookup('cpfs.csv'),
  'lookup cte': lookup('cte-keys.csv'),
  'lookup nfe': lookup('nfe-keys.csv'),
  'manifestation due': { ...writes('--ics', 'terms.ics'), exitCode: 3 },
  'manifestation plan': writes('--rules', 'rules.json', '--out', 'plan.json'),
  'report month': { words: () => ['2026-10', '--out', 'reports', ...archive()] },
  setup: writes('--archive', 'notas', ...acme),
  status: writes('--check', '--metrics-file', 'companies.prom', '--warn-only'),
};

const named = Object.entries<Case | readonly Case[]>(cases).flatMap(([command, of]) =>
  [of].flat().map((each) => [command, each] as const),
);

test.each(named)('%s changes no file with --dry-run', async (command, { words, exitCode = 0, isAnswered = true }) => {
  const argv = [...command.split(' '), ...words()];
  const before = files();
  const dry = await fiscal(...argv, '--dry-run');
  expect({ exitCode: dry.exitCode, stderr: dry.stderr, files: files() }).toMatchObject({ exitCode, files: before });
  const real = await fiscal(...argv);
  if (isAnswered) expect(files(), real.stderr).not.toEqual(before);
});

const templates = ['product apply', 'manifestation apply', 'invoice apply --model nfe', 'invoice apply --model nfse'];

test.each(templates)('%s writes no sheet to fill in with --dry-run', async (command) => {
  const argv = [...command.split(' '), '--template', 'rows.csv'];
  const before = files();
  expect(await fiscal(...argv, '--dry-run')).toMatchObject({ exitCode: 0, stderr: 'dry run: no file is written\n' });
  expect(files()).toEqual(before);
  await fiscal(...argv);
  expect(files()).not.toEqual(before);
});

/** Of the commands that refuse it; the words say what each of them needs. */
const refusing: Readonly<Record<string, readonly string[]>> = {
  'auth logout': acme,
  'auth use': ['acme'],
  'config set': ['company', 'c1', ...acme],
  'config unset': ['aliases.matriz', ...acme],
  'inbound close': ['2026-10'],
  'sandbox clock': ['advance', '1d'],
  'sandbox deliver': ['product.active'],
  'sandbox fault': ['list'],
  'sandbox mode': [],
  'sandbox reset': [],
  'sandbox seed': ['--documents', '1'],
  'sandbox start': [],
  'webhook listen': [],
};

test('these commands refuse --dry-run', async () => {
  const refused = [...(await loadCommands())].filter(([, { refusesDryRun }]) => refusesDryRun === true);
  expect(refused.map(([name]) => name).toSorted()).toEqual(Object.keys(refusing));
});

test.each(Object.entries(refusing))('%s refuses --dry-run, and FISCAL_DRY_RUN', async (command, words) => {
  const before = files();
  const argv = [...command.split(' '), ...words, '--error-format', 'text', '--lang', 'en'];
  const flagged = await fiscal(...argv, '--dry-run');
  const sentence = `${command} cannot be shown beforehand, and --dry-run sends and changes nothing`;
  expect(flagged).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  const env = { ...month.host.env, FISCAL_DRY_RUN: '1' };
  expect(await runFiscal(argv, { ...month.host, env })).toEqual(flagged);
  expect(files()).toEqual(before);
});
