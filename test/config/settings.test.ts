import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fields } from '../../src/config/fields.js';
import { openConfig } from '../../src/config/open.js';
import { SETTLE_MS } from '../../src/domain/settle-time.js';
import { kindNames, kindOf } from '../../src/jobs/kinds/registry.js';
import { errorOf, scene } from './support.js';

const file = {
  current: 'acme',
  profiles: {
    acme: {
      tenant: 'profile-tenant',
      company: 'profile-company',
      readTimeout: '7s',
      output: 'yaml',
      hosts: { product: 'https://api.example.com/' },
      paths: { 'product.get': '/v9/items/{productId}' },
      keys: { invoice: 'k' },
    },
    other: {},
  },
};

test('without any file every setting has its default', async () => {
  expect(await scene().config.settings({})).toEqual({
    profile: undefined,
    storeNamespace: 'environment',
    company: undefined,
    tenant: undefined,
    aliases: {},
    output: undefined,
    fields: undefined,
    query: undefined,
    csvStyle: 'rfc4180',
    errorFormat: undefined,
    color: 'auto',
    lang: undefined,
    utc: false,
    quiet: false,
    verbose: false,
    debugHttp: false,
    noInput: false,
    noPager: false,
    yes: false,
    dryRun: false,
    connectTimeoutMs: 5_000,
    readTimeoutMs: 30_000,
    maxRetryWaitMs: 300_000,
    maxBelievedWaitMs: 900_000,
    settleTimeMs: undefined,
    resendAbsent: false,
    requireStore: false,
    concurrency: 4,
    rps: undefined,
    caCert: undefined,
    proxy: undefined,
    keyIn: 'header',
    hosts: {},
    paths: {},
    shapes: {},
    sends: { taxNumbers: 'integer', decimals: 'number', externalId: false },
  });
});

test('a flag overrides the environment, which overrides the project, which overrides the profile', async () => {
  const project = { tenant: 'project-tenant', company: 'project-company', output: 'csv' };
  const env = { FISCAL_TENANT: 'env-tenant', FISCAL_COMPANY: 'env-company' };
  const { config, projectPath } = scene({ file, project, env });
  const flags = { tenant: 'flag-tenant' };
  expect(await config.settings(flags)).toMatchObject({
    profile: 'acme',
    storeNamespace: 'acme',
    tenant: 'flag-tenant',
    company: 'env-company',
    output: 'csv',
    readTimeoutMs: 7_000,
    hosts: { product: 'https://api.example.com' },
    paths: { 'product.get': '/v9/items/{productId}' },
  });
  const shown = await config.show(flags);
  expect(shown.filter(({ origin }) => origin.kind !== 'default')).toEqual([
    { name: 'profile', value: 'acme', origin: { kind: 'profile', name: 'acme' } },
    { name: 'company', value: 'env-company', origin: { kind: 'environment', name: 'FISCAL_COMPANY' } },
    { name: 'tenant', value: 'flag-tenant', origin: { kind: 'flag', name: '--tenant' } },
    { name: 'output', value: 'csv', origin: { kind: 'project', path: projectPath } },
    { name: 'readTimeout', value: 7_000, origin: { kind: 'profile', name: 'acme' } },
    { name: 'hosts.product', value: 'https://api.example.com', origin: { kind: 'profile', name: 'acme' } },
    { name: 'paths.product.get', value: '/v9/items/{productId}', origin: { kind: 'profile', name: 'acme' } },
  ]);
});

describe('a project file', () => {
  const [acme, here] = [{ kind: 'profile', name: 'acme' }, { kind: 'project' }];
  const plain = { kind: 'default' };

  test.each([
    ['chooses what is shown', 'output', { own: 'csv', there: 'json', value: 'json', origin: here }],
    ['chooses what is shown', 'utc', { own: true, there: false, value: false, origin: here }],
    ['fills an open scope', 'company', { there: 'c2', value: 'c2', origin: here }],
    ['fills only an open scope', 'company', { own: 'c1', there: 'c2', value: 'c1', origin: acme }],
    ['fills only an open scope', 'tenant', { own: 't1', there: 't2', value: 't1', origin: acme }],
    ['does not silence', 'quiet', { there: true, value: false, origin: plain }],
    ['may end a silence', 'quiet', { own: true, there: false, value: false, origin: here }],
    ['requires a store', 'requireStore', { there: true, value: true, origin: here }],
    ['does not give up a store', 'requireStore', { own: true, there: false, value: true, origin: acme }],
    ['allows no questions', 'noInput', { own: true, there: false, value: true, origin: acme }],
    ['lengthens a settle time', 'settleTime', { own: '1h', there: '2h', value: 7_200_000, origin: here }],
    ['shortens no settle time', 'settleTime', { own: '1h', there: '0s', value: 3_600_000, origin: acme }],
    ['shortens no default settle time', 'settleTime', { there: '10m', value: undefined, origin: plain }],
    ['lengthens the default settle time', 'settleTime', { there: '11m', value: 660_000, origin: here }],
    ['shortens no believed wait', 'maxBelievedWait', { there: '0s', value: 900_000, origin: plain }],
    ['lengthens a believed wait', 'maxBelievedWait', { there: '1h', value: 3_600_000, origin: here }],
    ['shortens no read timeout', 'readTimeout', { there: '1ms', value: 30_000, origin: plain }],
    ['shortens no connect timeout', 'connectTimeout', { there: '1ms', value: 5_000, origin: plain }],
    ['lengthens no retry wait', 'maxRetryWait', { there: '1h', value: 300_000, origin: plain }],
    ['slows down', 'rps', { there: 2, value: 2, origin: here }],
    ['does not speed up', 'rps', { own: 2, there: 50, value: 2, origin: acme }],
    ['does not speed up', 'concurrency', { there: 256, value: 4, origin: plain }],
  ])('%s: %s %j', async (_, name, { own, there, value, origin }: Case) => {
    const values = own === undefined ? {} : { [name]: own };
    const content = { current: 'acme', profiles: { acme: values } };
    const { config, projectPath } = scene({ file: content, project: { [name]: there } });
    const found = (await config.show({})).find((setting) => setting.name === name);
    const from = origin.kind === 'project' ? { ...origin, path: projectPath } : origin;
    expect(found).toEqual(value === undefined ? undefined : { name, value, origin: from });
    const { fromProject } = await config.settings({});
    const isSet = origin.kind === 'project';
    expect(fromProject).toEqual({
      path: projectPath,
      set: isSet ? [{ name, value: there }] : [],
      without: isSet ? [] : [name],
    });
    // Who types something else means it.
    const typed = { output: 'yaml', settleTime: '1s' }[name] ?? (typeof there === 'string' ? '1s' : '1');
    expect((await config.settings({ [name]: typed })).fromProject).toBeUndefined();
  });

  test('has a rule for every setting', () => {
    const rules = Object.entries(fields).map(([name, { project }]) => [
      name,
      typeof project === 'string' ? project : 'tightens',
    ]);
    expect(Object.fromEntries(rules)).toEqual({
      ...all('fills', ['company', 'tenant']),
      ...all('chooses', ['output', 'csvStyle', 'errorFormat', 'color', 'lang', 'utc', 'verbose', 'noPager']),
      ...all('tightens', ['quiet', 'noInput', 'connectTimeout', 'readTimeout', 'maxRetryWait']),
      ...all('tightens', ['maxBelievedWait', 'settleTime', 'requireStore', 'concurrency', 'rps']),
      ...all('never', ['archive', 'out', 'fields', 'query', 'debugHttp', 'yes', 'dryRun', 'ci']),
      ...all('never', ['resendAbsent', 'budget', 'caCert', 'proxy', 'storeUrl', 'keyIn']),
    });
  });

  test('lengthens the settle time of every kind of job where it lengthens the default', () => {
    const times = kindNames.map((name) => kindOf(name)?.settleMs ?? 0);
    expect(Math.max(...times)).toBe(SETTLE_MS);
  });
});

interface Case {
  readonly own?: unknown;
  readonly there: unknown;
  readonly value: unknown;
  readonly origin: { readonly kind: string };
}

function all(rule: string, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, rule]));
}

test('a profile is chosen by flag, environment, auth use, then a project file', async () => {
  const inProject = scene({ file, project: { profile: 'other' } });
  expect((await inProject.config.settings({})).profile).toBe('acme');
  const { current: _current, ...withoutOne } = file;
  const open = scene({ file: withoutOne, project: { profile: 'other' } });
  expect((await open.config.settings({})).profile).toBe('other');
  const inEnv = scene({ file, project: { profile: 'other' }, env: { FISCAL_PROFILE: 'acme' } });
  expect((await inEnv.config.settings({})).profile).toBe('acme');
  expect((await inEnv.config.settings({ profile: 'sandbox' })).profile).toBe('sandbox');
});

test('hosts may come from the environment, but not from a project file', async () => {
  const env = { FISCAL_PRODUCT_URL: 'http://127.0.0.1:8080', FISCAL_LEGAL_ENTITY_URL: 'https://le.example.com' };
  expect((await scene({ env }).config.settings({})).hosts).toEqual({
    product: 'http://127.0.0.1:8080',
    legalEntity: 'https://le.example.com',
  });
});

test.each(['hosts', 'keys', 'paths', 'shapes', 'sends', 'proxy', 'caCert', 'yes', 'keyIn', 'surprise'])(
  'a project file with "%s" is refused by name',
  async (name) => {
    const { config, projectPath } = scene({ project: { [name]: 'x' } });
    const error = await errorOf(config.settings({}));
    expect([error.code, error.exitCode]).toEqual(['config.not_in_project', 2]);
    expect(error.text.en).toContain(`${projectPath} may not contain "${name}"`);
  },
);

test.each([
  ['FISCAL_READ_TIMEOUT', 'soon', 'the value "soon" of FISCAL_READ_TIMEOUT is not valid: a time such as'],
  ['FISCAL_CONCURRENCY', '0', 'the value "0" of FISCAL_CONCURRENCY is not valid: a whole number from 1 to 256'],
  ['FISCAL_RPS', '-1', 'the value "-1" of FISCAL_RPS is not valid: a number above 0'],
  ['FISCAL_OUTPUT', 'xml', 'the value "xml" of FISCAL_OUTPUT is not valid: one of table, json'],
  ['FISCAL_YES', 'maybe', 'the value "maybe" of FISCAL_YES is not valid: one of true, false'],
  ['FISCAL_PROXY', 'socks5://user:canary@h', 'the value "***" of FISCAL_PROXY is not valid'],
  ['FISCAL_PRODUCT_URL', 'https://user:canary@h/x', 'the value "h" of FISCAL_PRODUCT_URL is not valid'],
  ['FISCAL_PRODUCT_URL', 'http://api.example.com', 'the host http://api.example.com must be https'],
])('%s=%s is refused with one sentence', async (name, value, sentence) => {
  const error = await errorOf(scene({ env: { [name]: value } }).config.settings({}));
  expect(error.exitCode).toBe(2);
  expect(error.text.en).toContain(sentence);
  expect(error.text.pt).not.toBe(error.text.en);
  expect(error.text.en).not.toContain('canary');
});

test.each([
  ['1', 1],
  ['0.5', 0.5],
])('a rate of %s is %s', async (text, value) => {
  expect((await scene().config.settings({ rps: text })).rps).toBe(value);
});

test('an unknown profile is refused with the known ones', async () => {
  const error = await errorOf(scene({ file }).config.settings({ profile: 'nope' }));
  expect([error.code, error.facts.hint?.en]).toEqual([
    'config.unknown_profile',
    'known: acme, other, sandbox; to create a new one: fiscal auth login --profile <name>',
  ]);
});

test.each([
  ['{"profiles": ', 'it is not JSON'],
  ['[]', 'it is not a JSON object'],
  ['{"profiles":[]}', '"profiles" has the wrong form'],
  ['{"profiles":{"a":1}}', '"profiles.a" has the wrong form'],
  ['\u0000\u0001', 'it is not JSON'],
])('a damaged file %j is reported with its path and not changed', async (text, reason) => {
  const { config, path } = scene({ file: text });
  const error = await errorOf(config.set('acme', 'tenant', 't'));
  expect([error.code, error.text.en]).toEqual(['config.invalid', `the configuration ${path} is not valid: ${reason}`]);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

test('names of object internals are not settings or profiles', async () => {
  const { config } = scene({ file: '{"profiles":{"__proto__":{"tenant":"x"}}}' });
  expect((await errorOf(config.settings({ profile: 'constructor' }))).code).toBe('config.unknown_profile');
  expect((await errorOf(config.set('__proto__', 'tenant', 'x'))).code).toBe('usage.invalid_value');
  expect((await config.settings({})).tenant).toBeUndefined();
});

test('a changed setting is validated, written for the owner only, and read back', async () => {
  const { config, path } = scene({ file });
  await config.set('acme', 'connect-timeout', '2s');
  await config.set('acme', 'hosts.query', 'https://q.example.com/');
  await config.set('acme', 'paths.product.create', '/v9/{tenantId}');
  await config.set('acme', 'shapes.company.list', ' rows ');
  await config.set('acme', 'shapes.cte.inbound.list', 'array');
  await config.set('acme', 'paths.nfe.manifestation.submit', '/c/{companyId}/{accessKey}');
  expect(await config.get('acme', 'hosts.query')).toBe('https://q.example.com');
  expect(await config.unset('acme', 'tenant')).toBe(true);
  expect(await config.unset('acme', 'tenant')).toBe(false);
  expect(JSON.parse(readFileSync(path, 'utf8')).profiles.acme).toEqual({
    company: 'profile-company',
    readTimeout: '7s',
    output: 'yaml',
    hosts: { product: 'https://api.example.com/', query: 'https://q.example.com' },
    paths: {
      'product.get': '/v9/items/{productId}',
      'product.create': '/v9/{tenantId}',
      'nfe.manifestation.submit': '/c/{companyId}/{accessKey}',
    },
    shapes: { 'company.list': 'rows', 'cte.inbound.list': 'array' },
    keys: { invoice: 'k' },
    connectTimeout: '2s',
  });
});

test.each([
  ['tenants', 'x', 'config.unknown_name'],
  ['yes', 'true', 'config.unknown_name'],
  ['hosts.nope', 'https://h', 'config.unknown_name'],
  ['paths.nope', '/x', 'config.unknown_name'],
  ['sends.nope', 'text', 'config.unknown_name'],
  ['sends.taxNumbers', 'number', 'usage.invalid_value'],
  ['sends.decimals', 'integer', 'usage.invalid_value'],
  ['sends.externalId', 'yes', 'usage.invalid_value'],
  ['hosts.product', 'http://api.example.com', 'usage.invalid_value'],
  ['paths.product.get', '/a/../b', 'usage.invalid_value'],
  ['paths.product.get', '/a/{other}', 'usage.invalid_value'],
  ['paths.product.get', '//evil.example/x?a', 'usage.invalid_value'],
  ['shapes.nope', 'array', 'config.unknown_name'],
  ['shapes.product.get', 'array', 'config.unknown_name'],
  ['shapes.company.list', '', 'usage.invalid_value'],
  ['shapes.company.list', 'two words', 'usage.invalid_value'],
  ['shapes.company.list', '\u001B[31mrows', 'usage.invalid_value'],
  ['read-timeout', '2 days', 'usage.invalid_value'],
  ['keys.invoice', 'canary', 'config.secret_as_argument'],
  ['jwt', 'canary', 'config.secret_as_argument'],
])('setting %s to %s is refused', async (name, value, code) => {
  const { config, path } = scene({ file });
  const before = readFileSync(path, 'utf8');
  const error = await errorOf(config.set('acme', name, value));
  expect(error.code).toBe(code);
  expect(error.text.en).not.toContain('canary');
  expect(readFileSync(path, 'utf8')).toBe(before);
});

test('the shapes of lists come from the profile, and a wrong one is named', async () => {
  const withShapes = (shapes: object) => JSON.stringify({ current: 'acme', profiles: { acme: { shapes } } });
  const { config } = scene({ file: withShapes({ 'company.list': 'rows' }) });
  expect((await config.settings({})).shapes).toEqual({ 'company.list': 'rows' });
  expect((await config.show({})).find(({ name }) => name === 'shapes.company.list')).toEqual({
    name: 'shapes.company.list',
    value: 'rows',
    origin: { kind: 'profile', name: 'acme' },
  });
  const wrong = await errorOf(scene({ file: withShapes({ 'company.list': 7 }) }).config.settings({}));
  expect([wrong.code, wrong.text.en.includes('shapes.company.list (profile acme)')]).toEqual([
    'usage.invalid_value',
    true,
  ]);
  const unknown = await errorOf(scene({ file: withShapes({ 'company.get': 'rows' }) }).config.settings({}));
  expect([unknown.code, unknown.exitCode, unknown.text.en]).toEqual([
    'config.unknown_name',
    2,
    'there is no setting "shapes.company.get"',
  ]);
});

test('what is sent is the published form until the profile says otherwise', async () => {
  const { config } = scene({ file });
  expect((await config.settings({})).sends).toEqual({ taxNumbers: 'integer', decimals: 'number', externalId: false });
  await config.set('acme', 'sends.taxNumbers', 'text');
  await config.set('acme', 'sends.decimals', 'text');
  await config.set('acme', 'sends.externalId', 'true');
  expect((await config.settings({})).sends).toEqual({ taxNumbers: 'text', decimals: 'text', externalId: true });
  await config.unset('acme', 'sends.decimals');
  const shown = await config.show({});
  expect(shown.filter(({ name }) => name.startsWith('sends.'))).toEqual([
    { name: 'sends.taxNumbers', value: 'text', origin: { kind: 'profile', name: 'acme' } },
    { name: 'sends.decimals', value: 'number', origin: { kind: 'default' } },
    { name: 'sends.externalId', value: 'true', origin: { kind: 'profile', name: 'acme' } },
  ]);
  await config.set('sandbox', 'sends.taxNumbers', 'text');
  expect((await config.settings({ profile: 'sandbox' })).sends.taxNumbers).toBe('text');
});

test.each([
  [{ taxNumbers: 7 }, 'the value "7" of sends.taxNumbers (profile acme) is not valid: one of integer, text'],
  [{ nope: 'x' }, 'there is no setting "sends.nope"'],
])('a profile edited by hand with sends %j is refused in one sentence', async (sends, sentence) => {
  const edited = { current: 'acme', profiles: { acme: { sends } } };
  const error = await errorOf(scene({ file: edited }).config.settings({}));
  expect([error.exitCode, error.text.en]).toEqual([2, expect.stringContaining(sentence)]);
  expect(error.text.pt).not.toBe(error.text.en);
});

test('a profile edited by hand may say externalId as a boolean', async () => {
  const edited = { current: 'acme', profiles: { acme: { sends: { externalId: true } } } };
  expect((await scene({ file: edited }).config.settings({})).sends.externalId).toBe(true);
});

test('the built-in profile has a tenant and a company, and cannot be changed', async () => {
  const { config } = scene();
  expect(await config.settings({ profile: 'sandbox' })).toMatchObject({
    storeNamespace: 'sandbox',
    tenant: '5a0dbe11-7e57-4c0d-9a6e-00000000c0de',
    company: '5a0dbe11-7e57-4c0d-9a6e-000000c09a27',
    hosts: {},
  });
  for (const work of [
    config.set('sandbox', 'hosts.product', 'https://h'),
    config.set('sandbox', 'tenant', 'x'),
    config.storeKeys('sandbox', { invoice: 'x' }),
    config.removeKeys('sandbox'),
  ]) {
    expect((await errorOf(work)).code).toBe('config.built_in_profile');
  }
  await config.set('sandbox', 'output', 'json');
  expect((await config.settings({ profile: 'sandbox' })).output).toBe('json');
});

test('a folder that cannot be created is named', async () => {
  const { root, path } = scene({ file: {} });
  const directories = { config: join(path, 'below', 'a-file'), state: root, data: root, cache: root };
  const error = await errorOf(openConfig({ directories, env: {}, cwd: root }).set('a', 'tenant', 't'));
  expect([error.code, error.text.en]).toEqual([
    'store.unwritable',
    `cannot write ${join(path, 'below', 'a-file', 'config.json')}: a part of the path is not a folder (ENOTDIR)`,
  ]);
});

test('a folder is created with its parents, for the owner only', async () => {
  const { root } = scene();
  const directories = { config: join(root, 'a', 'b'), state: root, data: root, cache: root };
  await openConfig({ directories, env: {}, cwd: root }).set('p', 'tenant', 't');
  expect([statSync(join(root, 'a')).mode & 0o777, statSync(join(root, 'a', 'b')).mode & 0o777]).toEqual([0o700, 0o700]);
});

describe('a project file with a value of the wrong type', () => {
  test.each([
    ['profile', 7],
    ['profile', null],
    ['profile', ''],
    ['company', {}],
    ['company', ['c1']],
    ['concurrency', 'many'],
    ['concurrency', { valueOf: 1 }],
    ['output', 3],
    ['output', ['json']],
    ['quiet', 'perhaps'],
    ['readTimeout', true],
    ['lang', 0],
  ])('is refused with the field named: %s %j', async (name, value) => {
    const { config } = scene({ file, project: { [name]: value }, env: { FISCAL_PROFILE: 'acme' } });
    // Also where a flag replaces it.
    await expect(config.settings({ company: 'x', output: 'json', lang: 'en' })).rejects.toMatchObject({
      code: 'usage.invalid_value',
      text: { en: expect.stringMatching(new RegExp(`\\b${name} \\(.*fiscalrc\\.json\\)`)) },
    });
  });
});

test('changes that two processes make at once are both kept', async () => {
  const { config, root, path } = scene({ file });
  const other = openConfig({
    directories: { config: join(root, 'config'), state: '', data: '', cache: '' },
    env: {},
    cwd: root,
  });
  await Promise.all([
    config.set('acme', 'aliases.matriz', 'company-1'),
    other.set('acme', 'aliases.filial', 'company-2'),
    config.storeKeys('other', { data: 'd' }),
    other.use('other'),
  ]);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
    current: 'other',
    profiles: { acme: { aliases: { matriz: 'company-1', filial: 'company-2' } }, other: { keys: { data: 'd' } } },
  });
});
