import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Ended,
  errorOf,
  inProcess,
  inProcessWith,
  newWorld,
  put,
  records,
  type ReadyLine,
  withEnv,
  withSandbox,
  type World,
} from './program.js';

let ready: ReadyLine;
let stop: () => void;

beforeAll(async () => {
  ({ ready, stop } = await withSandbox(newWorld()));
});
afterAll(() => stop());

async function typed(world: World, stdin: string, ...argv: string[]): Promise<Ended> {
  return await inProcessWith(world, stdin, argv);
}

function configOf(world: World): string {
  return join(world.root, 'config', 'config.json');
}

test('a login with valid keys is used, listed, left and used again', async () => {
  const world = newWorld();
  const login = ['auth', 'login', '--stdin', '--product-url', ready.url, '--service-url', ready.url];
  const keys = `invoice=${ready.invoiceKey}\ndata=${ready.dataKey}\n`;
  const first = await typed(world, keys, ...login, '--profile', 'one');
  const second = await typed(world, ready.invoiceKey, ...login, '--profile', 'two');
  expect([first.exitCode, second.exitCode]).toEqual([0, 0]);
  expect([statSync(configOf(world)).mode & 0o777, statSync(join(world.root, 'config')).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
  const listed = records(await inProcess(world, 'auth', 'status', '--all', '-o', 'ndjson'));
  expect(listed.filter(({ profile }) => profile !== 'sandbox')).toEqual([
    { type: 'profile', profile: 'one', current: true, keys: ['invoice', 'data'] },
    { type: 'profile', profile: 'two', current: false, keys: ['invoice'] },
  ]);
  expect((await inProcess(world, 'auth', 'use', 'two')).exitCode).toBe(0);
  const status = records(await inProcess(world, 'auth', 'status'));
  expect(status).toMatchObject([
    { kind: 'invoice', present: true, source: 'profile two' },
    { kind: 'data', present: false },
  ]);
  expect((await inProcess(world, 'api', 'GET', '/v2/companies?limit=1')).exitCode).toBe(0);
  expect((await inProcess(world, 'auth', 'logout')).exitCode).toBe(0);
  const without = await inProcess(world, 'api', 'GET', '/v2/companies?limit=1');
  expect([without.exitCode, errorOf(without)['code']]).toEqual([4, 'auth.no_credentials']);
});

test('a login with a wrong key exits 4 and stores nothing; nor does a dry run with a valid one', async () => {
  const world = newWorld();
  const login = ['auth', 'login', '--stdin', '--product-url', ready.url];
  const wrong = await typed(world, 'no-key-of-this-service', ...login);
  expect([wrong.exitCode, errorOf(wrong)['code'], existsSync(configOf(world))]).toEqual([4, 'auth.refused', false]);
  const dry = await typed(world, ready.invoiceKey, ...login, '--dry-run');
  expect([dry.exitCode, JSON.parse(dry.stdout), existsSync(configOf(world))]).toMatchObject([
    0,
    { stored: [], checked: true },
    false,
  ]);
});

test('the preset nfe.io fills in the published hosts', async () => {
  const world = newWorld();
  await typed(world, 'any-key', 'auth', 'login', '--stdin', '--no-check', '--preset', 'nfe.io');
  const settings = records(await inProcess(world, 'config', 'list', '-o', 'ndjson'));
  const hosts = settings.filter(({ name }) => String(name).startsWith('hosts.'));
  expect(Object.fromEntries(hosts.map(({ name, value }) => [name, value]))).toEqual({
    'hosts.product': 'https://api.nfse.io',
    'hosts.service': 'https://api.nfe.io',
    'hosts.query': 'https://nfe.api.nfe.io',
    'hosts.legalEntity': 'https://legalentity.api.nfe.io',
    'hosts.naturalPerson': 'https://naturalperson.api.nfe.io',
    'hosts.address': 'https://address.api.nfe.io',
  });
});

test('config list shows the source of every setting', async () => {
  const world = withEnv(newWorld(), { FISCAL_RPS: '5' });
  mkdirSync(join(world.root, 'config'));
  const profile = { company: 'c-profile', concurrency: 3, rps: 9, hosts: { product: 'https://registry.example' } };
  writeFileSync(configOf(world), JSON.stringify({ current: 'acme', profiles: { acme: profile } }));
  const project = put(world, '.fiscalrc.json', '{"concurrency":2,"output":"json"}');
  const list = ['config', 'list', '--show-origin', '--tenant', 't-flag'];
  const settings: readonly Record<string, unknown>[] = JSON.parse((await inProcess(world, ...list)).stdout);
  const origins = Object.fromEntries(settings.map(({ name, value, origin }) => [name, [value, origin]]));
  expect(origins).toMatchObject({
    tenant: ['t-flag', 'flag --tenant'],
    rps: [5, 'environment FISCAL_RPS'],
    concurrency: [2, `project ${project}`],
    output: ['json', `project ${project}`],
    company: ['c-profile', 'profile acme'],
    'hosts.product': ['https://registry.example', 'profile acme'],
    color: ['auto', 'default'],
  });
  expect(readFileSync(configOf(world), 'utf8')).toBe(JSON.stringify({ current: 'acme', profiles: { acme: profile } }));
});
