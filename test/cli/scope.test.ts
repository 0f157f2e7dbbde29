import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { reachable } from '../architecture/graph.js';
import { readSourceFiles } from '../architecture/source-files.js';
import { loadCommands } from '../support/commands.js';
import { runFiscal } from '../support/host.js';

type Scope = 'company' | 'tenant';

/** How a file asks for the company or the tenant of this run. */
const asking: Readonly<Record<Scope, RegExp>> = {
  company:
    /(?:companyOf|oneCompany|companiesOf|localCompanies)\(context|scope\(\)\)\.(?:one|named)\(|\bcompany \} = context\.flags/,
  tenant: /await tenantOf\(context\)|scope\(\)\)\.tenant\(/,
};

/** Commands whose code can reach the question without ever asking it: they share a service with others. */
const neverAsk: readonly string[] = [
  'certificate check',
  'invoice get',
  'lookup address',
  'lookup cnpj',
  'lookup cpf',
  'lookup nfe',
  'webhook listen',
];

test('a help shows --company and --tenant exactly where the command works on one', async () => {
  const files = await readSourceFiles();
  const edges = files.flatMap(({ imports }) => imports.filter(({ inside }) => inside));
  const src = new URL('../../src/', import.meta.url);
  const texts = await Promise.all(
    files.map(async ({ path }) => ({
      path,
      text: await readFile(fileURLToPath(new URL(path, src)), 'utf8'),
    })),
  );
  const asks = (path: string, scope: Scope): boolean => {
    const reached = reachable([path], edges, ['static', 'dynamic']);
    return texts.some((file) => reached.has(file.path) && asking[scope].test(file.text));
  };
  const wrong: string[] = [];
  const needless = new Set(neverAsk);
  for (const [name, { scope = [] }] of await loadCommands()) {
    const path = `commands/${name.replaceAll(' ', '/')}.ts`;
    for (const flag of ['company', 'tenant'] as const) {
      const isAsked = asks(path, flag);
      const isExcepted = isAsked && needless.delete(name);
      if (scope.includes(flag) !== (isAsked && !isExcepted)) wrong.push(`${name}: --${flag}`);
    }
  }
  expect([wrong, [...needless]]).toEqual([[], []]);
}, 60_000);

test('only the resolver reads which company or tenant is set', async () => {
  const files = (await readSourceFiles()).filter(({ path }) => /^(services|commands|jobs)\//.test(path));
  const reads =
    /ettings(?:\(\)\))?\??\.(?:company|tenant)\b|\{[^{}]*\b(?:company|tenant)\b[^{}]*\} = (?:await [\w.]*)?settings\b/;
  const readers: string[] = [];
  for (const { path } of files) {
    const text = await readFile(fileURLToPath(new URL(`../../src/${path}`, import.meta.url)), 'utf8');
    if (reads.test(text)) readers.push(path);
  }
  expect(readers).toEqual(['services/scope/resolver.ts']);
});

test('the flag stands among the shared ones, in either language', async () => {
  const lines = async (...words: string[]) => (await runFiscal([...words, '--help'])).stdout.split('\n');
  const company = await lines('inbound', 'get', '--lang', 'pt-BR');
  const tenant = await lines('product', 'create', '--lang', 'pt-BR');
  const none = await lines('webhook', 'list');
  const shown = [company, tenant, none].map((help) =>
    help.filter((line) => /--(company|tenant) /.test(line)),
  );
  expect(shown.map((found) => found.map((line) => line.trim().replaceAll(/ {2,}/g, '  ')))).toEqual([
    ['--company <company>  Empresa: id, CNPJ, início do nome ou apelido'],
    ['--tenant <id>  Id do tenant (cadastro de produtos)'],
    [],
  ]);
});
