import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { isForNoCompany } from '../../src/cli/parse.js';
import { printedCommands, withoutUsual, type Whose } from '../../src/cli/printed-commands.js';
import { readCommandLine } from '../../src/cli/tree.js';
import { commandsIn, splitCommand } from '../../src/domain/command-words.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { catalogue, parse } from '../support/commands.js';
import { runFiscal, testHost } from '../support/host.js';

const root = join(import.meta.dirname, '../../src');

/** Every text of the program; what is computed stands as `x`. */
function textsOf(path: string): readonly string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text);
    if (ts.isTemplateExpression(node)) {
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => `x${literal.text}`)].join(''));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return texts;
}

/** The words of a command, the first of each choice, with something in each place for a value. */
function wordsOf(command: string): readonly string[] {
  const split = splitCommand(command.replaceAll(/\|[\w|]+/g, '').replaceAll(/[<>|]/g, '_'));
  return 'words' in split ? split.words.slice(1) : [];
}

/** What the parser says against a command; a missing argument is left to the reader. */
async function faultOf(words: readonly string[]): Promise<string | undefined> {
  try {
    await parse(words);
    return undefined;
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    const isAllowed = error.code === 'usage.missing' || error.code === 'usage.invalid_value';
    return isAllowed ? undefined : error.message;
  }
}

const firstWords = [...Object.keys(catalogue.groups), ...Object.keys(catalogue.singles), 'help'];
const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('sandbox'))
  .map((path) => join(root, path));
const commands = paths.flatMap((path) =>
  textsOf(path).flatMap((text) =>
    commandsIn(text)
      .map(({ start, end }) => ({ path: relative(root, path), command: text.slice(start, end) }))
      .filter(({ command }) => firstWords.includes(wordsOf(command)[0] ?? '')),
  ),
);

test('every command named in a text of the program exists, and ends where its words end', async () => {
  const faults: string[] = [];
  for (const { path, command } of commands) {
    const fault = await faultOf(wordsOf(command));
    if (fault !== undefined) faults.push(`${path}: ${command}: ${fault}`);
  }
  expect(faults).toEqual([]);
  expect(commands.length).toBeGreaterThan(400);
});

/** Definitions and topics show examples; what the other files print is for a run. */
const printed = commands.filter(
  ({ path }) => !/\.command\.ts$|commands\.ts$|^commands\/(?:version|completion)\.ts$|^cli\/(?:topics|help)/.test(path),
);

/** What a command leaves to the settings, once it is parsed; each value that it names stays. */
async function openIn(command: string): Promise<readonly string[]> {
  const { nodes, options } = await readCommandLine(wordsOf(command), catalogue, { isLenient: true });
  const { definition, path } = nodes.at(-1) ?? nodes[0];
  if (definition === undefined) return [];
  const { scope = [] } = definition;
  const isForNone = isForNoCompany(definition, [options.get('model')].flat().at(-1));
  const isForEvery = path === 'fiscal backfill show' && options.has('all');
  const isChosen = options.has('allCompanies') || options.has('plan') || isForEvery;
  const missing = {
    profile: !ofNoProfile.test(path) && !options.has('profile'),
    company: scope.includes('company') && !isForNone && !isChosen && !ofEvery.test(path) && !options.has('company'),
    tenant: scope.includes('tenant') && !options.has('tenant'),
  };
  return Object.entries(missing).flatMap(([name, isMissing]) => (isMissing ? [name] : []));
}

/** Only a company that is typed narrows them. */
const ofEvery = /^fiscal (?:status|usage|job list)$/;
const ofNoProfile = /^fiscal (?:setup|completion|auth use|sandbox|tax codes|manifestation codes)/;

test.each<[string, Whose]>([
  ['one company', { profile: 'acme', company: 'c9', tenant: 't9' }],
  ['several companies', { profile: 'acme', company: 'c8,c9', tenant: 't9' }],
  ['all companies', { profile: 'acme', company: 'c9', tenant: 't9', isForAll: true }],
])('a run for %s prints no command without its scope', async (_name, whose) => {
  expect(printed.length).toBeGreaterThan(80);
  const gaps: string[] = [];
  for (const { path, command } of printed) {
    if (/--help/.test(command)) continue;
    const line = await printedCommands(catalogue, whose).inSentence(command);
    const open = await openIn(line);
    if (open.length > 0) gaps.push(`${path}: ${line}: ${open.join(', ')}`);
  }
  expect(gaps).toEqual([]);
});

const nobody: Whose = { profile: undefined, company: undefined, tenant: undefined };

test.each<[string, Partial<Whose>, string]>([
  ['inbound outstanding', { company: 'a,b' }, 'inbound outstanding --company a,b'],
  ['inbound get <key>', { company: 'a,b' }, 'inbound get <key> --company <id>'],
  ['inbound get <key>', { company: 'a', isForAll: true }, 'inbound get <key> --company <id>'],
  ['inbound sync --repair', { company: 'a', isForAll: true }, 'inbound sync --repair --all-companies'],
  ['backfill release --plan p.csv', { company: 'a' }, 'backfill release --plan p.csv'],
  ['backfill show --wait --all-companies', { company: 'a' }, 'backfill show --wait --all-companies'],
  ['product get p1', { tenant: "d'água" }, String.raw`product get p1 --tenant 'd'\''água'`],
  ['auth login', { profile: 'sandbox' }, 'auth login --profile <name>'],
  ['usage', { company: 'a', profile: 'p' }, 'usage --profile p'],
  ['status', { company: 'a', profile: 'p' }, 'status --profile p'],
  ['product list --profile q', { profile: 'p', company: 'a' }, 'product list --profile q'],
])('%s of %o is printed as %s', async (command, whose, line) => {
  const printed = printedCommands(catalogue, { ...nobody, ...whose });
  expect(await printed.inSentence(`see: fiscal ${command}; done`)).toBe(`see: fiscal ${line}; done`);
});

test.each([
  ['fiscal job show j1', 'fiscal job show j1'],
  ['fiscal job show j1 --profile acme', 'fiscal job show j1'],
  ['fiscal job show j1 --profile other', 'fiscal job show j1 --profile other'],
  ['see: fiscal inbound sync --company c1; then', 'see: fiscal inbound sync --company padaria; then'],
  ['fiscal inbound sync --company c1,c2 --profile acme', 'fiscal inbound sync --company padaria,c2'],
  ["fiscal product list --query 'a --profile acme b'", "fiscal product list --query 'a --profile acme b'"],
  ["fiscal inbound sync --filter 'a --company c1 b'", "fiscal inbound sync --filter 'a --company c1 b'"],
])('for a person, %s is %s', async (sentence, expected) => {
  const nameOf = async (id: string) => await Promise.resolve(id === 'c1' ? 'padaria' : undefined);
  const printed = printedCommands(catalogue, { ...nobody, usualProfile: 'acme' }, nameOf);
  expect(await printed.inSentence(sentence)).toBe(expected);
});

test.each([
  ['fiscal inbound sync --company c1', 'fiscal inbound sync'],
  ['fiscal inbound sync --company c1 --profile acme', 'fiscal inbound sync'],
  ['fiscal inbound sync --company c1 --profile beta', 'fiscal inbound sync --company padaria --profile beta'],
  ['fiscal inbound sync --company c2', 'fiscal inbound sync --company c2'],
  ['fiscal inbound sync', 'fiscal inbound sync'],
  ['fiscal product get p1 --tenant t1', 'fiscal product get p1'],
  ['fiscal product get p1 --tenant t2', 'fiscal product get p1 --tenant t2'],
  ['fiscal status --company c1', 'fiscal status --company padaria'],
  ['fiscal certificate check --company c1', 'fiscal certificate check --company padaria'],
])('where the profile gives the company and the tenant, %s is %s', async (sentence, expected) => {
  const nameOf = async (id: string) => await Promise.resolve(id === 'c1' ? 'padaria' : undefined);
  const ofProfile = { profile: 'acme', usualProfile: 'acme', company: 'padaria', tenant: 't1' };
  const whose = withoutUsual({ ...ofProfile, usualCompany: 'padaria', usualTenant: 't1' });
  expect(await printedCommands(catalogue, whose, nameOf).inSentence(sentence)).toBe(expected);
});

test('several companies of the profile are named: not every command takes them', async () => {
  const whose = withoutUsual({ profile: 'acme', company: 'c1,c2', usualCompany: 'c1,c2', tenant: undefined });
  const printed = printedCommands(catalogue, whose);
  expect(await printed.inSentence('fiscal inbound get <key>')).toBe(
    'fiscal inbound get <key> --company <id> --profile acme',
  );
});

const twoProfiles = { current: 'acme', profiles: { acme: {}, beta: {} } };

test.each([
  ['acme, which every shell uses', undefined, 'acme', ''],
  ['acme, which this shell names too', 'acme', 'acme', ''],
  ['acme, where this shell names beta', 'beta', 'acme', ' --profile acme'],
  ['beta, which only this shell names', 'beta', undefined, ' --profile beta'],
])('a command printed for %s acts for it in this shell and in another', async (_name, variable, flag, shown) => {
  const host = testHost({ env: { ...(variable && { FISCAL_PROFILE: variable }), FISCAL_ERROR_FORMAT: 'text' } });
  mkdirSync(join(host.root, 'config'));
  writeFileSync(join(host.root, 'config', 'config.json'), JSON.stringify(twoProfiles));
  const { stderr } = await runFiscal(['inbound', 'sync', ...(flag === undefined ? [] : ['--profile', flag])], host);
  expect(stderr).toContain(`fiscal config set company <company>${shown}\n`);
});
