import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OperationId, operations } from '../../../src/contract/operations.js';
import type { ProbeRow } from '../../../src/commands/doctor/probe-operation.js';
import type { RunningSandbox } from '../../../src/contract/sandbox.js';
import { startSandbox } from '../../../src/sandbox/start.js';
import { sendTo } from '../../conformance/service.js';
import { differingService, type Differences, type DifferingService } from '../../support/differing-service.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';

let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ path: ':memory:', validationDelayMs: 60_000 });
  const send = sendTo(sandbox.url);
  for (const family of ['nfe', 'cte', 'nfse']) {
    await send('POST', '/__sandbox/seed', { body: { documents: 2, family } });
  }
});

afterAll(async () => {
  await sandbox.close();
});

const hostNames = ['product', 'service', 'query', 'legalEntity', 'naturalPerson', 'address'];

interface Probed {
  readonly exitCode: number;
  readonly rows: readonly ProbeRow[];
  readonly text: string;
  readonly host: TestHost;
  row(check: string): ProbeRow | undefined;
}

/** A machine with the profile "acme" for a service. */
function machine(
  url: string,
  more: { readonly profile?: object; readonly env?: Record<string, string> } = {},
): TestHost {
  const { ready } = sandbox;
  const host = testHost({
    env: { FISCAL_PROFILE: 'acme', FISCAL_INVOICE_KEY: ready.invoiceKey, FISCAL_DATA_KEY: ready.dataKey, ...more.env },
  });
  const hosts = Object.fromEntries(hostNames.map((name) => [name, url]));
  mkdirSync(join(host.root, 'config'));
  const profiles = { acme: { company: ready.companyId, hosts, ...more.profile } };
  writeFileSync(join(host.root, 'config', 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
  return host;
}

async function probeOn(host: TestHost, ...words: string[]): Promise<Probed> {
  const { exitCode, stdout, stderr } = await runFiscal(['doctor', '--probe', '-o', 'json', ...words], host);
  const rows: readonly ProbeRow[] = stdout === '' ? [] : JSON.parse(stdout);
  return { exitCode, rows, host, text: stdout + stderr, row: (check) => rows.find((row) => row.check === check) };
}

async function probe(
  differences: Differences = {},
  ...words: string[]
): Promise<Probed & { service: DifferingService }> {
  const service = await differingService(sandbox.url, differences);
  return { ...(await probeOn(machine(service.url), ...words)), service };
}

function statusesOf(rows: readonly ProbeRow[], pattern: RegExp): Record<string, string> {
  return Object.fromEntries(
    rows.filter(({ check }) => pattern.test(check)).map(({ check, status }) => [check, status]),
  );
}

describe('against a service that is as the table says', () => {
  test('every host, key, role and list with a row is ok, and nothing differs', async () => {
    const { exitCode, rows, row } = await probe();
    expect([exitCode, rows.filter(({ status }) => status === 'problem' || status === 'differs')]).toEqual([0, []]);
    expect(statusesOf(rows, /^(?:host|role) | key at /)).toEqual({
      ...Object.fromEntries(hostNames.map((name) => [`host ${name}`, 'ok'])),
      'invoice key at product': 'ok',
      'invoice key at service': 'ok',
      ...Object.fromEntries(hostNames.slice(2).map((name) => [`data key at ${name}`, 'ok'])),
      ...{ 'role NFeDist': 'ok', 'role CTeDist': 'ok', 'role NFSeDist': 'ok', 'role Management': 'ok' },
    });
    expect(statusesOf(rows, /^(?:nfe|cte|nfse)\.inbound\.(?:list|get|xml)$|^company\./)).toEqual({
      'company.list': 'ok',
      'company.get': 'ok',
      'nfe.inbound.list': 'ok',
      'nfe.inbound.get': 'ok',
      'nfe.inbound.xml': 'ok',
      'cte.inbound.list': 'ok',
      'cte.inbound.get': 'ok',
      'nfse.inbound.list': 'ok',
      'nfse.inbound.get': 'ok',
    });
    expect(row('company.list')).toEqual({
      check: 'company.list',
      status: 'ok',
      found: { en: 'the rows come in "companies"', pt: 'as linhas vêm em "companies"' },
      operation: 'company.list',
      evidence: [{ host: 'product', key: 'invoice', asked: 'GET /v2/companies?limit=1', status: 200 }],
    });
  });

  test('an empty list proves nothing about its rows, and an id that no list gives is not invented', async () => {
    const { row } = await probe();
    expect(row('nfe.list')).toMatchObject({
      status: 'untested',
      found: { en: 'not tested: the list came empty in "productInvoices", and only a row proves where rows come' },
      evidence: [{ status: 200 }, { status: 200 }],
    });
    expect(row('nfe.get')).toMatchObject({ status: 'untested', evidence: [] });
    expect(row('nfe.manifestation.submit')).toMatchObject({ status: 'untested' });
    expect(row('not asked')?.found.en).toContain('nfse.fetchByKey');
    expect(row('not asked')?.found.en).toContain('product.create');
  });

  test('only reads reach it, none of which the contract bills, and its ledger shows no bill and no effect', async () => {
    const before = await ledger();
    const { rows, service } = await probe();
    const added = (await ledger()).slice(before.length);
    expect(added.length).toBe(service.arrived.length);
    expect(
      added.filter(({ method, effect, billed }) => method !== 'GET' || effect !== null || billed !== null),
    ).toEqual([]);
    const asked = rows.flatMap(({ operation, evidence }) =>
      operation !== undefined && evidence.length > 0 ? [operation] : [],
    );
    const writes = asked.filter((id) => operations[id].method !== 'GET');
    // Its route is asked for by GET, which no service takes as an event.
    expect(writes).toEqual(['nfe.manifestation.submit']);
    expect(asked.filter((id: OperationId) => operations[id].billed !== null)).toEqual([]);
    expect(asked.length).toBeGreaterThan(25);
  });
});

/** A service whose lists come in other places. */
const otherPlaces: Differences = {
  json: (path, body) => {
    const fields = body as Record<string, unknown>;
    if (path === '/v2/companies') return { records: fields['companies'], more: false };
    if (/companies.[^/]+.inbound.nfse$/.test(path)) return fields['documents'];
    if (path.endsWith('/certificates')) return { items: fields['certificates'] };
    return body;
  },
};

function storedProfile(host: TestHost): Record<string, unknown> {
  const text = readFileSync(join(host.root, 'config', 'config.json'), 'utf8');
  return JSON.parse(text).profiles.acme;
}

describe('where lists come in other places', () => {
  test('each is named with the setting that reads it, and the exit code says that something differs', async () => {
    const { exitCode, rows, row } = await probe(otherPlaces);
    expect(exitCode).toBe(13);
    expect(rows.filter(({ status }) => status === 'differs').map(({ settings }) => settings)).toEqual([
      [{ name: 'shapes.company.list', value: 'records' }],
      [{ name: 'shapes.nfse.inbound.list', value: 'array' }],
      [{ name: 'shapes.certificate.list', value: 'items' }],
    ]);
    expect(row('company.list')?.found).toEqual({
      en: 'the rows come in "records", and not in "companies"',
      pt: 'as linhas vêm em "records", e não em "companies"',
    });
    expect(row('company.list')?.advice?.en).toBe(
      'fiscal config set shapes.company.list records --profile acme; or: fiscal doctor --probe --write --profile acme',
    );
  });

  test('--write stores the settings; then nothing differs, and the lists are read', async () => {
    const service = await differingService(sandbox.url, otherPlaces);
    const host = machine(service.url);
    const before = await runFiscal(['company', 'list', '-o', 'json'], host);
    expect([before.exitCode, before.stderr.includes('service.unreadable')]).toEqual([6, true]);
    const written = await probeOn(host, '--write', '--yes');
    expect(written.exitCode).toBe(0);
    expect(written.text).toContain('shapes.company.list: records');
    expect(storedProfile(host)['shapes']).toEqual({
      'company.list': 'records',
      'nfse.inbound.list': 'array',
      'certificate.list': 'items',
    });
    const again = await probeOn(host);
    expect([again.exitCode, again.rows.filter(({ status }) => status === 'differs')]).toEqual([0, []]);
    const after = await runFiscal(['company', 'list', '-o', 'json'], host);
    expect([after.exitCode, JSON.parse(after.stdout)[0].id]).toEqual([0, sandbox.ready.companyId]);
    const notes = await runFiscal(['inbound', 'list', '--type', 'nfse', '-o', 'json'], host);
    expect([notes.exitCode, JSON.parse(notes.stdout).length]).toEqual([0, 2]);
  });

  test('--write removes a setting that the service no longer needs', async () => {
    const service = await differingService(sandbox.url);
    const shapes = { 'company.list': 'records', 'cte.inbound.list': 'value' };
    const host = machine(service.url, { profile: { shapes } });
    const { exitCode, row } = await probeOn(host, '--write', '--yes');
    expect(exitCode).toBe(0);
    expect(row('company.list')).toMatchObject({
      status: 'differs',
      settings: [{ name: 'shapes.company.list', value: null }],
    });
    expect(storedProfile(host)['shapes']).toEqual({ 'cte.inbound.list': 'value' });
  });

  test('--write without a terminal and without --yes stores nothing, and says what it would', async () => {
    const { exitCode, text, host } = await probe(otherPlaces, '--write');
    expect(exitCode).toBe(2);
    expect(text).toContain('shapes.company.list = records');
    expect(storedProfile(host)['shapes']).toBeUndefined();
  });

  test('--write is refused before anything is asked where no profile can take it', async () => {
    const service = await differingService(sandbox.url);
    const url = { FISCAL_PROFILE: '', FISCAL_PRODUCT_URL: service.url };
    const without = await probeOn(machine(service.url, { env: url }), '--write', '--yes');
    expect([without.exitCode, without.text.includes('auth.no_profile')]).toEqual([4, true]);
    const builtIn = await probeOn(machine(service.url), '--write', '--yes', '--profile', 'sandbox');
    expect([builtIn.exitCode, builtIn.text.includes('config.built_in_profile')]).toEqual([2, true]);
    expect(service.arrived).toEqual([]);
  });

  test.each([
    ['a text', 'text', 'the answer is not JSON'],
    ['a page', '<html><title>x</title></html>', 'the answer is not JSON'],
    ['no list', '{"a":1,"b":{}}', 'no single list is in the answer; its fields: a, b'],
    ['two lists', '{"a":[{"id":1}],"b":[{"id":2}]}', 'no single list is in the answer; its fields: a, b'],
    [
      'rows without an id',
      '{"companies":[{"x":1}]}',
      'the rows come in "companies", and cannot be read: row 1: it has no id',
    ],
    ['rows of text', '["a"]', 'the rows come as a bare array, and cannot be read: row 1: it is not an object'],
  ])('%s is a problem, and no setting is made of it', async (_name, body, found) => {
    const { exitCode, row } = await probe({
      instead: ({ url, key }) => (key !== undefined && url.startsWith('/v2/companies?') ? { body } : undefined),
    });
    expect(exitCode).toBe(13);
    expect(row('company.list')).toMatchObject({ status: 'problem', found: { en: found } });
    expect(row('company.list')?.settings).toBeUndefined();
  });

  test('an empty array may be any list: it proves nothing', async () => {
    const { row } = await probe({
      instead: ({ url, key }) => (key !== undefined && url.startsWith('/v2/webhooks') ? { body: '[]' } : undefined),
    });
    expect(row('webhook.list')).toMatchObject({ status: 'untested' });
    expect(row('webhook.eventTypes')).toMatchObject({ status: 'untested' });
  });
});

/** Hides the first path, and serves it at the second. */
function movedRoute(from: RegExp, to: RegExp, back: string): Differences {
  return {
    instead: ({ url, key }) => (key !== undefined && from.test(url) ? { status: 404 } : undefined),
    route: (url) => url.replace(to, back),
  };
}

describe('where a route is elsewhere', () => {
  test.each([
    [
      'nfe.inbound.list',
      movedRoute(/\/inbound\/nfe\?/, /\/odata\/ProductInvoices\?/, '/nfe?'),
      '/v2/companies/{companyId}/inbound/odata/ProductInvoices',
    ],
    [
      'nfe.inbound.get',
      movedRoute(/\/inbound\/nfe\/\d{44}$/, /\/inbound\/productinvoices\/(?=\d{44}$)/, '/inbound/nfe/'),
      '/v2/companies/{companyId}/inbound/productinvoices/{accessKey}',
    ],
    ['webhook.eventTypes', movedRoute(/\/eventtypes$/, /\/eventTypes$/, '/eventtypes'), '/v2/webhooks/eventTypes'],
    [
      'nfse.list',
      {
        ...movedRoute(/^\/v1\/companies\//, /^\/v3\/companies\//, '/v1/companies/'),
        json: (path: string, body: unknown) =>
          path.endsWith('/serviceinvoices') ? { serviceInvoices: [{ id: 'a' }] } : body,
      },
      '/v3/companies/{companyId}/serviceinvoices',
    ],
    [
      'lookup.cnpj',
      movedRoute(/^\/v1\/cnpj\//, /^\/v3\/legalentities\/basicInfo\//, '/v1/cnpj/'),
      '/v3/legalentities/basicInfo/{numero}',
    ],
  ] as const)('%s is found there, and its path is stored', async (id, differences, path) => {
    const service = await differingService(sandbox.url, differences);
    const host = machine(service.url);
    const { exitCode, row } = await probeOn(host, '--write', '--yes');
    expect(exitCode).toBe(0);
    expect(row(id)).toMatchObject({ status: 'differs', settings: [{ name: `paths.${id}`, value: path }] });
    expect(storedProfile(host)['paths']).toEqual({ [id]: path });
    expect((await probeOn(host)).row(id)?.status).not.toBe('differs');
  });

  test('a stored path that is gone gives way to that of the table', async () => {
    const service = await differingService(sandbox.url, {
      json: (path, body) => (path === '/v2/webhooks' ? { webHooks: [{ id: 'a' }] } : body),
    });
    const host = machine(service.url, { profile: { paths: { 'webhook.list': '/v9/webhooks' } } });
    const { exitCode, row } = await probeOn(host, '--write', '--yes');
    expect([exitCode, row('webhook.list')?.settings]).toEqual([0, [{ name: 'paths.webhook.list', value: null }]]);
    expect(storedProfile(host)['paths']).toEqual({});
  });

  test('an empty list at another path proves nothing, and a row at a later one does', async () => {
    const path = '/v2/companies/{companyId}/inbound/odata/ProductInvoices';
    const moved = movedRoute(/\/inbound\/nfe\?/, /\/odata\/ProductInvoices\?/, '/nfe?');
    const service = await differingService(sandbox.url, {
      ...moved,
      json: (asked, body) => (asked.endsWith('/ProductInvoices') ? { value: [] } : body),
    });
    const host = machine(service.url);
    const { row } = await probeOn(host, '--write', '--yes');
    const { status, settings, found } = row('nfe.inbound.list') ?? {};
    expect([status, settings]).toEqual(['untested', undefined]);
    expect(found?.en).toContain('ProductInvoices');
    expect(storedProfile(host)['paths']).toBeUndefined();
    const configured = machine(service.url, { profile: { paths: { 'nfe.inbound.list': path } } });
    expect((await probeOn(configured)).row('nfe.inbound.list')?.settings).toBeUndefined();
  });

  test('a path and the place of its list are found together', async () => {
    const moved = movedRoute(/\/inbound\/nfe\?/, /\/odata\/ProductInvoices\?/, '/nfe?');
    const json: Differences['json'] = (path, body) =>
      path.endsWith('/ProductInvoices') ? { rows: (body as { readonly value: unknown }).value } : body;
    const { row } = await probe({ ...moved, json });
    expect(row('nfe.inbound.list')).toMatchObject({
      status: 'differs',
      settings: [
        { name: 'paths.nfe.inbound.list', value: '/v2/companies/{companyId}/inbound/odata/ProductInvoices' },
        { name: 'shapes.nfe.inbound.list', value: 'rows' },
      ],
      evidence: [{ status: 404 }, { status: 200 }],
    });
  });

  test('found nowhere, it is untested: 404 may be about the route or the company', async () => {
    const { exitCode, row } = await probe({
      instead: ({ url, key }) =>
        key !== undefined && /nfe\?|ProductInvoices\?/.test(url) ? { status: 404 } : undefined,
    });
    expect([exitCode, row('nfe.inbound.list')?.status]).toEqual([0, 'untested']);
    expect(row('nfe.inbound.list')?.found.en).toBe(
      'not tested: 404 here and at 1 other known path; either the route or what it was asked about does not exist',
    );
    expect(row('nfe.inbound.get')).toMatchObject({ status: 'untested', evidence: [] });
  });

  test('the route of the recipient’s event is where GET is answered 405', async () => {
    const at = (pattern: RegExp): Differences => ({
      instead: ({ url, key }) => (key !== undefined && pattern.test(url) ? { status: 405 } : undefined),
    });
    const own = await probe(at(/^\/productinvoices\/by-access-key\/\d+\/manifestation-events$/));
    expect(own.row('nfe.manifestation.submit')?.status).toBe('ok');
    const below = await probe(at(/\/inbound\/productinvoices\/by-access-key\/\d+\/manifestation-events$/));
    expect(below.row('nfe.manifestation.submit')).toMatchObject({
      status: 'differs',
      settings: [
        {
          name: 'paths.nfe.manifestation.submit',
          value: '/v2/companies/{companyId}/inbound/productinvoices/by-access-key/{accessKey}/manifestation-events',
        },
      ],
    });
  });

  test.each([
    ['every path', /manifestation-events|by-access-key/],
    ['every path below another one', /^\/v2\/.*\/inbound\/productinvoices\/by-access-key/],
  ])('405 to %s, also to one that cannot exist, proves no route of it', async (_what, pattern) => {
    const { row } = await probe({
      instead: ({ url, key }) => (key !== undefined && pattern.test(url) ? { status: 405 } : undefined),
    });
    const { status, settings, found, evidence } = row('nfe.manifestation.submit') ?? {};
    expect([status, settings]).toEqual(['untested', undefined]);
    expect(found?.en).toContain('cannot tell');
    expect(evidence?.map((one) => one.status)).toContain(405);
  });
});

describe('keys and roles', () => {
  test('a refused key is a problem, and swapped keys are reported', async () => {
    const { url, ready } = sandbox;
    const wrong = machine(url, { env: { FISCAL_INVOICE_KEY: 'sbx_wrong', FISCAL_DATA_KEY: 'sbx_wrong' } });
    const refused = await probeOn(wrong);
    expect(refused.exitCode).toBe(13);
    expect(refused.row('invoice key at product')).toMatchObject({
      status: 'problem',
      found: { en: 'the invoice key is refused: 401 ("The key is not valid.")' },
      evidence: [
        { key: null, status: 401 },
        { key: 'invoice', status: 401 },
        { key: 'data', status: 401 },
      ],
    });
    expect(refused.row('data key at query')?.status).toBe('problem');
    expect(refused.row('role NFeDist')?.status).toBe('untested');
    const swapped = await probeOn(
      machine(url, { env: { FISCAL_INVOICE_KEY: ready.dataKey, FISCAL_DATA_KEY: ready.invoiceKey } }),
    );
    expect(swapped.row('invoice key at product')?.found.en).toContain('are the two keys swapped?');
  });

  test('without a data key its hosts are reached and the key is untested', async () => {
    const { exitCode, row } = await probeOn(machine(sandbox.url, { env: { FISCAL_DATA_KEY: '' } }));
    expect([exitCode, row('host query')?.status]).toEqual([0, 'ok']);
    expect(row('data key at query')).toMatchObject({
      status: 'untested',
      found: { en: 'not tested: there is no data key', pt: 'não testado: não há chave de consulta' },
    });
    expect(row('lookup.cnpj')).toBeUndefined();
  });

  test('403 is a note on the role, and a success the proof of it', async () => {
    const { exitCode, row } = await probe({
      instead: ({ url, key }) => (key !== undefined && /transportation/i.test(url) ? { status: 403 } : undefined),
    });
    expect(exitCode).toBe(0);
    expect(row('cte.inbound.list')).toMatchObject({
      status: 'warn',
      found: { en: '403: the key lacks the role CTeDist, for this company or at all' },
    });
    expect(row('role CTeDist')).toMatchObject({ status: 'warn', evidence: [{ status: 403 }] });
    expect(row('role NFeDist')).toMatchObject({ status: 'ok', evidence: [{ status: 200 }] });
  });

  test('404 with and without a key proves nothing about it', async () => {
    const { row } = await probe({ instead: ({ url }) => (url.includes('/addresses/') ? { status: 404 } : undefined) });
    expect(row('data key at address')).toMatchObject({
      status: 'untested',
      found: { en: 'not tested: 404 with the key and 404 without it prove nothing' },
    });
  });
});

describe('clock, limits and announcements', () => {
  test.each([
    [
      3_600_000,
      'problem',
      /^the service is about 3[56]\d\d\.\d s ahead of this machine; an estimate from \d+ Date headers/,
    ],
    [-3_600_000, 'problem', /^the service is about 3[56]\d\d\.\d s behind this machine/],
    [0, 'ok', /between -?\d\.\d and -?\d\.\d s by their round trips$/],
  ])('a clock that is %d ms ahead is %s', async (aheadMs, status, found) => {
    const { exitCode, row } = await probe({ aheadMs });
    expect([exitCode, row('clock')?.status]).toEqual([status === 'ok' ? 0 : 13, status]);
    expect(row('clock')?.found.en).toMatch(found);
  });

  test('rate and deprecation headers are shown', async () => {
    const headers = {
      'X-RateLimit-Limit': '100',
      deprecation: '@1767225600',
      sunset: 'Thu, 31 Dec 2026 23:59:59 GMT',
      link: '</new>; rel="successor-version"',
    };
    const { exitCode, row } = await probe({ headers });
    expect([exitCode, row('rate headers')?.found.en]).toEqual([0, 'x-ratelimit-limit: 100']);
    expect(row('deprecation of company.list')).toMatchObject({ status: 'warn' });
    expect(row('deprecation of company.list')?.found.pt).toContain('veja /new');
    expect((await probe()).row('rate headers')?.found.en).toBe('no answer has a header about a limit');
  });

  test('a refusal for the moment is a problem, so that nobody takes it for a result', async () => {
    const { exitCode, row } = await probe({
      instead: ({ url, key }) => (key !== undefined && url.includes('/certificates') ? { status: 503 } : undefined),
    });
    expect([exitCode, row('certificate.list')?.found.en]).toEqual([13, '503: temporary; run the probe again later']);
  });
});

describe('a host that is not well', () => {
  test('one that cannot be reached is asked once, and everything at it is untested', async () => {
    const hosts = { product: sandbox.url, service: sandbox.url, query: 'http://127.0.0.1:1' };
    const { exitCode, row } = await probeOn(machine(sandbox.url, { profile: { hosts } }));
    expect(exitCode).toBe(13);
    expect(row('host query')).toMatchObject({ status: 'problem', evidence: [{ error: 'network.unreachable' }] });
    expect(row('data key at query')).toMatchObject({ status: 'untested', evidence: [] });
    expect(row('host address')?.status).toBe('problem');
    expect(row('company.list')?.status).toBe('ok');
  });

  test('without an address only the product host is a problem', async () => {
    const { row } = await probeOn(machine(sandbox.url, { profile: { hosts: { product: sandbox.url } } }));
    expect([row('host product')?.status, row('host service')?.status, row('invoice key at service')]).toEqual([
      'ok',
      'untested',
      undefined,
    ]);
    const { exitCode, row: of } = await probeOn(machine(sandbox.url, { profile: { hosts: {} } }));
    expect([exitCode, of('host product')?.status]).toEqual([13, 'problem']);
  });

  test('what it says is harmless: control characters, a repeated key, endless headers', async () => {
    const { invoiceKey, dataKey } = sandbox.ready;
    const field = '\u001B[31mred';
    const { exitCode, rows, text } = await probe({
      headers: { 'x-ratelimit-limit': `9 ${invoiceKey}` },
      instead: ({ url, key }) => {
        if (key === undefined) return undefined;
        if (url.includes('/webhooks')) return { body: JSON.stringify({ [field]: [{ id: 'a' }] }) };
        if (url.startsWith('/tax-codes')) return { body: JSON.stringify({ [key]: [{ code: 'a' }] }) };
        if (url.includes('/certificates')) return { status: 400, body: JSON.stringify({ message: `${field} ${key}` }) };
        return undefined;
      },
    });
    expect(exitCode).toBe(13);
    for (const secret of ['\u001B', invoiceKey, dataKey]) expect(text).not.toContain(secret);
    const of = (check: string) => rows.find((row) => row.check === check);
    expect(of('webhook.list')).toMatchObject({ status: 'problem' });
    expect(of('webhook.list')?.settings).toBeUndefined();
    expect(of('tax.codes')).toMatchObject({ status: 'problem' });
    expect(of('certificate.list')).toMatchObject({
      status: 'warn',
      found: { en: '400: the request is refused ("\\u001b[31mred ***")' },
    });
    const big = await probe({
      instead: ({ url }) => (url.includes('/addresses/') ? { headers: { 'x-big': 'x'.repeat(60_000) } } : undefined),
    });
    expect(big.rows.find(({ check }) => check === 'host address')?.status).toBe('problem');
  });

  test('one that does not answer ends at --read-timeout, and the rest is asked', async () => {
    const service = await differingService(sandbox.url, {
      instead: ({ url }) => (url.includes('/addresses/') ? { never: true } : undefined),
    });
    const { row } = await probeOn(machine(service.url), '--read-timeout', '300ms');
    expect(row('host address')).toMatchObject({ status: 'problem', evidence: [{ error: 'network.timeout' }] });
    expect(row('company.list')?.status).toBe('ok');
  });
});

test('an interruption ends the probe where it is', async () => {
  const controller = new AbortController();
  const service = await differingService(sandbox.url, {
    instead: ({ url }) => {
      if (url.includes('/certificates')) controller.abort();
      return undefined;
    },
  });
  const host = { ...machine(service.url), interruption: controller.signal };
  const { exitCode, stdout } = await runFiscal(['doctor', '--probe', '-o', 'json'], host);
  expect([exitCode, stdout]).toEqual([130, '']);
  expect(service.arrived.at(-1)?.url).toContain('/certificates');
});

test('a path of the profile that needs less than that of the table is asked for alone', async () => {
  const service = await differingService(sandbox.url, {
    instead: ({ url, key }) =>
      key !== undefined && url.startsWith('/v2/companies?') ? { body: '{"companies":[]}' } : undefined,
  });
  const profile = { company: undefined, paths: { 'certificate.list': '/certificates' } };
  const { row } = await probeOn(machine(service.url, { profile }));
  expect(row('company')).toMatchObject({ status: 'untested' });
  expect(row('certificate.list')).toMatchObject({
    status: 'untested',
    evidence: [{ asked: 'GET /certificates', status: 404 }],
  });
  expect(row('nfe.inbound.list')).toMatchObject({ status: 'untested', evidence: [] });
});

test('--dry-run lists what would be asked, and sends nothing', async () => {
  const { exitCode, rows, service } = await probe({}, '--dry-run', '--write');
  expect([exitCode, service.arrived]).toEqual([0, []]);
  expect(rows).toContainEqual({
    type: 'dry-run',
    operation: 'company.list',
    host: 'product',
    key: null,
    asked: 'GET /v2/companies?limit=1',
  });
  expect(rows).toContainEqual(
    expect.objectContaining({
      operation: 'nfe.inbound.get',
      asked: `GET /v2/companies/${sandbox.ready.companyId}/inbound/nfe/{accessKey}`,
    }),
  );
});

test('the probe asks nothing that --dry-run does not list, but for other known paths', async () => {
  const { rows } = await probe({}, '--dry-run');
  const patterns = (rows as unknown as readonly { readonly asked: string }[]).map(({ asked }) => {
    const path = asked.slice('GET '.length).replaceAll('$', '%24');
    const escaped = path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
    return new RegExp(`^${escaped.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  });
  const { service } = await probe();
  const unlisted = service.arrived.filter(({ url }) => !patterns.some((pattern) => pattern.test(url)));
  expect(unlisted.map(({ url }) => url.replaceAll(/\/companies\/[^/]+/g, '/companies/{companyId}'))).toEqual([
    `/v2/companies/{companyId}/inbound/productinvoices/by-access-key/${'1'.repeat(44)}/manifestation-events`,
    `/v2/companies/{companyId}/productinvoices/by-access-key/${'1'.repeat(44)}/manifestation-events`,
  ]);
});

test('people see each line with what was asked, in both languages', async () => {
  const service = await differingService(sandbox.url, otherPlaces);
  const english = await runFiscal(['doctor', '--probe', '-o', 'table'], machine(service.url));
  expect(english.stdout).toContain('DIFFERS   company.list: the rows come in "records", and not in "companies"');
  expect(english.stdout).toContain('          GET /v2/companies?limit=1 → 200\n');
  expect(english.stdout).toContain('GET /v2/companies?limit=1 (without a key) → 401\n');
  expect(english.stderr).toMatch(/ok \d\d, notes 0, problems 0, differences 3, not tested \d\d/);
  expect(english.stdout).toContain('→ fiscal config set shapes.company.list records --profile acme');
  const portuguese = await runFiscal(['doctor', '--probe', '-o', 'table', '--lang', 'pt-BR'], machine(service.url));
  expect(portuguese.stdout).toContain('DIFERE    company.list: as linhas vêm em "records", e não em "companies"');
});

test('options that would do nothing are refused', async () => {
  const host = machine('http://127.0.0.1:1');
  for (const words of [['--write'], ['--online', '--probe']]) {
    expect((await runFiscal(['doctor', ...words], host)).exitCode).toBe(2);
  }
});

interface Entry {
  readonly method: string;
  readonly effect: unknown;
  readonly billed: unknown;
}

async function ledger(): Promise<readonly Entry[]> {
  const { json } = await sendTo(sandbox.url)('GET', '/__sandbox/ledger?limit=100000');
  return json.entries as readonly Entry[];
}
