import { beforeEach, expect, test } from 'vitest';
import { runFiscal } from '../../support/host.js';
import { json } from '../../client/support/server.js';
import { imitate, type Service } from '../inbound/service.js';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sol = { id: '5a0dbe11-7e57-4c0d-9a6e-000000000001', name: 'Padaria Sol', federalTaxNumber: '33000167000101' };
const lua = { id: 'cmp_lua', name: 'Padaria Lua', federalTaxNumber: '33000167000292' };
let service: Service;

beforeEach(async () => {
  service = await account(sol, lua);
});

async function account(...companies: readonly { readonly id: string }[]): Promise<Service> {
  const certificates = json(200, { certificates: [] });
  const lists = companies.map(({ id }) => [`GET /v2/companies/${id}/certificates`, certificates]);
  const made = await imitate({
    'GET /v2/companies': json(200, { companies, hasMore: false }),
    ...Object.fromEntries(lists),
  });
  const config = join(made.host.root, 'config');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.json'), JSON.stringify({ current: 'acme', profiles: { acme: {}, other: {} } }));
  return made;
}

async function fiscal(...words: string[]) {
  const { exitCode, stdout, stderr } = await runFiscal([...words, '-o', 'json'], service.host);
  return { exitCode, stderr, data: stdout === '' ? undefined : (JSON.parse(stdout) as unknown) };
}

const shown = { alias: 'matriz', companyId: sol.id, companyName: sol.name, companyTaxNumber: sol.federalTaxNumber };

test('an alias can be used wherever a company is named, without another request', async () => {
  expect(await fiscal('company', 'alias', 'Matriz', '33.000.167/0001-01')).toMatchObject({
    exitCode: 0,
    data: { profile: 'acme', ...shown },
  });
  const before = service.asked().length;
  expect((await fiscal('certificate', 'list', '--company', 'MATRIZ')).exitCode).toBe(0);
  expect(service.asked().slice(before)).toEqual([`GET /v2/companies/${sol.id}/certificates`]);
  expect((await fiscal('company', 'alias')).data).toEqual([shown]);
  expect((await fiscal('company', 'list')).data).toEqual([{ ...sol, alias: 'matriz' }, lua]);
});

test('an alias belongs to a profile, and no longer exists after remove', async () => {
  await fiscal('company', 'alias', 'matriz', 'padaria sol');
  expect((await fiscal('company', 'alias', '--profile', 'other')).data).toEqual([]);
  expect((await fiscal('company', 'alias', '--remove', 'matriz')).data).toMatchObject({ removed: true });
  expect((await fiscal('certificate', 'list', '--company', 'matriz')).exitCode).toBe(9);
  expect((await fiscal('company', 'alias', '--remove', 'matriz')).exitCode).toBe(9);
});

test.each([sol.id, '33000167000101', '33.000.167/0001-01', 'a,b', '', '7', 'two words', 'deadbeefdeadbeefdeadbeef'])(
  'the word "%s" is not a valid alias, and nothing is sent',
  async (word) => {
    expect((await fiscal('company', 'alias', word, sol.id)).exitCode).toBe(2);
    expect(service.asked()).toEqual([]);
  },
);

test('the name or the id of another company is refused as an alias', async () => {
  const mais = { id: 'cmp_mais', name: 'Mais', federalTaxNumber: '07933914000154' };
  service = await account(sol, mais);
  for (const word of ['mais', 'MAIS', 'cmp_mais']) {
    const { exitCode, stderr } = await fiscal('company', 'alias', word, 'padaria sol');
    expect([exitCode, stderr.includes('company.ambiguous'), stderr.includes('Mais')]).toEqual([2, true, true]);
  }
  expect((await fiscal('company', 'alias')).data).toEqual([]);
  // Its own name does no harm.
  expect((await fiscal('company', 'alias', 'mais', 'cmp_mais')).exitCode).toBe(0);
});

test('an alias that has become the name of another company is refused before anything is sent', async () => {
  await fiscal('company', 'alias', 'nova', 'padaria sol');
  await fiscal('company', 'alias', 'nov', 'padaria sol');
  const config = join(service.host.root, 'config');
  const kept = readFileSync(join(config, 'config.json'), 'utf8');
  const nova = { id: 'cmp_nova', name: 'Nova', federalTaxNumber: '07933914000154' };
  service = await account(sol, nova);
  writeFileSync(join(service.host.root, 'config', 'config.json'), kept);
  await fiscal('company', 'list');
  const before = service.asked().length;
  const { exitCode, stderr } = await fiscal('certificate', 'list', '--company', 'nova');
  expect([exitCode, service.asked().length]).toEqual([2, before]);
  for (const part of ['company.ambiguous', sol.id, 'cmp_nova']) expect(stderr).toContain(part);
  // The beginning of a name gives way to the alias that was there before.
  expect((await fiscal('certificate', 'list', '--company', 'nov')).exitCode).toBe(0);
});

test.each([
  ['nope', 9],
  ['padaria', 2],
  ['padaria sol,padaria lua', 2],
])('an alias for "%s" exits %i, and nothing is stored', async (company, exitCode) => {
  expect((await fiscal('company', 'alias', 'x', company)).exitCode).toBe(exitCode);
  expect((await fiscal('company', 'alias')).data).toEqual([]);
});

test.each(['constructor', '__proto__', 'toString'])(
  'the name of an object property (%s) is not a valid alias',
  async (word) => {
    expect((await fiscal('certificate', 'list', '--company', word)).exitCode).toBe(9);
  },
);

test('a shell completes --company with the aliases', async () => {
  await fiscal('company', 'alias', 'matriz', 'padaria sol');
  const { stdout } = await runFiscal(['complete', '--', 'certificate', 'list', '--company', ''], service.host);
  expect(stdout).toContain(`matriz\t${sol.id}`);
});

test("a prefix of only another company's name is refused, and one of its own name is accepted", async () => {
  const beta = { id: 'cmp_beta', name: 'Beta Serviços Ltda' };
  service = await account(sol, beta, lua);
  await fiscal('company', 'list');
  const refused = await fiscal('company', 'alias', 'beta', sol.id);
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('company.ambiguous')]);
  expect(refused.stderr).toContain('cmp_beta');
  expect((await fiscal('company', 'alias')).data).toEqual([]);
  expect((await fiscal('company', 'alias', 'padaria', sol.id)).exitCode).toBe(0);
  expect((await fiscal('company', 'alias', 'beta', 'cmp_beta')).exitCode).toBe(0);
});
