import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { testService } from '../../conformance/service.js';
import { seedReadings } from '../../support/readings.js';
import { seed } from '../seed.js';
import { FakeClock } from '../../support/clock.js';
import { runFiscal, testHost, type TestHost, type TestHostOptions } from '../../support/host.js';

/** A sandbox with five companies; the first captures all families, the others none. */
const service = testService();
let others: readonly string[] = [];

interface Shown {
  readonly companyId: string;
  readonly state: string;
  readonly problems: readonly { readonly code: string; readonly family: string | null; readonly next: string }[];
}

beforeAll(async () => {
  await service.control('POST', 'seed', { companies: 4 });
  const { json } = await service.send('GET', '/v2/companies?limit=50');
  const companies = (json as { companies: readonly { id: string }[] }).companies;
  others = companies.map(({ id }) => id).filter((id) => id !== service.ready().companyId);
});

/** A host whose machine has just synced the company. */
async function syncedHost(options: TestHostOptions = {}): Promise<TestHost> {
  const host = hostOf(options);
  await seed(host, (store) =>
    seedReadings(store, {
      companyId: service.ready().companyId,
      at: host.clock.now(),
      families: ['nfe', 'cte', 'nfse'],
    }),
  );
  return host;
}

function hostOf(options: TestHostOptions = {}, key = service.ready().invoiceKey): TestHost {
  const { url } = service.ready();
  const hosts = { FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url };
  return testHost({ ...options, env: { ...hosts, FISCAL_INVOICE_KEY: key } });
}

async function check(host: TestHost, ...words: string[]) {
  const result = await runFiscal(['status', '--check', '-o', 'json', ...words], host);
  return { ...result, rows: result.stdout === '' ? [] : (JSON.parse(result.stdout) as readonly Shown[]) };
}

/** `company: code family` of everything that was found. */
function codes(rows: readonly Shown[]): readonly string[] {
  const own = service.ready().companyId;
  return rows.flatMap(({ companyId, problems }) =>
    problems.map(({ code, family }) => {
      const name = companyId === own ? 'own' : `other ${others.indexOf(companyId)}`;
      return `${name}: ${code}${family === null ? '' : ` ${family}`}`;
    }),
  );
}

test('an account without problems exits 0, with a row per company', async () => {
  const { exitCode, rows, stderr } = await check(await syncedHost());
  expect({ exitCode, ids: rows.map(({ companyId }) => companyId).toSorted(), found: codes(rows), stderr }).toEqual({
    exitCode: 0,
    ids: [service.ready().companyId, ...others].toSorted(),
    found: [],
    stderr: 'no problems; companies checked: 5\n',
  });
});

test('an expected family that is not captured is a problem with the next command; --warn-only exits 0', async () => {
  const host = hostOf();
  const { exitCode, rows } = await check(host, '--expect', 'cte', '--company', others.slice(0, 2).join(','));
  expect({ exitCode, found: codes(rows), next: rows[0]?.problems[0]?.next }).toEqual({
    exitCode: 13,
    found: ['other 0: capture_off cte', 'other 1: capture_off cte'],
    next: `fiscal inbound capture enable --type cte --company ${others[0] ?? ''}`,
  });
  expect((await check(host, '--expect', 'cte', '--warn-only')).exitCode).toBe(0);
});

test('a capture outside production is a warning', async () => {
  const host = await syncedHost();
  const change = ['inbound', 'capture', 'update', '--type', 'nfe', '--yes', '--environment'];
  const own = ['--company', service.ready().companyId];
  expect((await runFiscal([...change, 'Test', ...own], host)).exitCode).toBe(0);
  const { exitCode, rows, stdout } = await check(host, ...own);
  expect((await runFiscal([...change, 'Production', ...own], host)).exitCode).toBe(0);
  expect({ exitCode, found: codes(rows), stdout }).toMatchObject({
    exitCode: 13,
    found: ['own: other_environment nfe'],
    stdout: expect.stringMatching(/"environment": ?"Test"/),
  });
  expect((await check(host, ...own)).exitCode).toBe(0);
});

test('an idle company is a warning: 30 days by default', async () => {
  const later = (days: number) => syncedHost({ clock: new FakeClock(Date.now() + days * 86_400_000) });
  expect(codes((await check(await later(29))).rows)).toEqual([]);
  const { exitCode, rows } = await check(await later(31));
  expect({ exitCode, found: codes(rows) }).toEqual({
    exitCode: 13,
    found: ['own: idle nfe', 'own: idle cte', 'own: idle nfse'],
  });
  await service.control('POST', 'seed', { documents: 1, family: 'cte' });
  expect(codes((await check(await later(45), '--idle', '60d')).rows)).toEqual([]);
});

test.each([
  ['expiring', ['own: certificate_expiring']],
  ['expired', ['own: certificate_expired', 'own: spaced nfe', 'own: spaced cte', 'own: spaced nfse']],
  ['missing', ['own: certificate_missing', 'own: spaced nfe', 'own: spaced cte', 'own: spaced nfse']],
])('a certificate that is %s is reported, with the spacing that it causes', async (state, found) => {
  await service.control('POST', 'certificates', { state });
  const { exitCode, rows } = await check(await syncedHost());
  await service.control('POST', 'certificates', { state: 'valid' });
  expect({ exitCode, found: codes(rows) }).toEqual({ exitCode: 13, found });
});

test('the cause of a spacing comes from the notices, if the service has them', async () => {
  await service.control('POST', 'captures', { family: 'nfse', spacedFor: '1h' });
  await service.control('POST', 'captures', { family: 'cte', spacedFor: '1h' });
  const { rows } = await check(hostOf(), '--company', service.ready().companyId);
  await service.control('POST', 'captures', { family: 'nfse', spacedFor: '0s' });
  await service.control('POST', 'captures', { family: 'cte', spacedFor: '0s' });
  expect(rows).toMatchObject([
    {
      state: 'warning',
      nfe: { rateLimitedUntil: null, rateLimitedCause: null },
      cte: { rateLimitedUntil: expect.stringMatching(/Z$/), rateLimitedCause: 'unknown' },
      nfse: { rateLimitedUntil: expect.stringMatching(/Z$/), rateLimitedCause: 'source_limit' },
    },
  ]);
});

test('a company that the key may not read is a row with its problem; the others continue', async () => {
  const roles = ['NFeDist', 'CTeDist', 'NFSeDist', 'Management'];
  const companyRoles = { [service.ready().companyId]: ['CTeDist'] };
  const { key } = (await service.control('POST', 'keys', { roles, companyRoles })) as { key: string };
  const { exitCode, rows, stderr } = await check(hostOf({}, key), '--lang', 'pt-BR');
  expect({ exitCode, found: codes(rows), all: rows.length, stderr }).toEqual({
    exitCode: 13,
    found: ['own: forbidden', 'own: forbidden'],
    all: 5,
    stderr: 'empresas com problemas: 1 de 5 (1 em estado crítico)\n',
  });
  const own = rows.find(({ companyId }) => companyId === service.ready().companyId);
  expect(own?.problems.map((problem) => ('message' in problem ? problem.message : undefined))).toEqual(
    ['NFeDist', 'NFSeDist'].map((role) => ({
      en: `the key lacks the role ${role} for this company (HTTP 403)`,
      pt: `falta à chave o papel ${role} nesta empresa (HTTP 403)`,
    })),
  );
});

test('deadlines come from the documents synchronised on this machine', async () => {
  await service.control('POST', 'seed', { documents: 3, family: 'nfe' });
  const host = hostOf();
  const own = service.ready().companyId;
  await runFiscal(['inbound', 'sync', '--company', own, '--type', 'nfe'], host);
  const { exitCode, rows } = await check(host, '--company', own);
  expect({ exitCode, found: codes(rows), rows }).toMatchObject({
    exitCode: 13,
    found: ['own: deadline_near'],
    rows: [
      {
        manifestations: { open: 3, lost: 0, nextDeadline: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
        problems: [{ next: `fiscal manifestation due --within 10d --company ${own}` }],
      },
    ],
  });
  const soon = ['--company', own, '--within', '1d'];
  expect(codes((await check(host, ...soon)).rows)).toEqual([]);
  const rule = '{ name: ours, class: awareness, days: 1 }';
  writeFileSync(join(host.cwd, 'terms.yaml'), `deadlines:\n  - ${rule}\n`);
  // The documents were issued in the course of a week.
  const { rows: ours } = await check(host, ...soon, '--deadline-rules', 'terms.yaml');
  expect(codes(ours)).toContain('own: deadline_overdue');
});

test('the metrics file is replaced atomically and readable for a collector', async () => {
  const host = await syncedHost();
  const words = ['status', '--check', '--prometheus', '--metrics-file', 'companies.prom'];
  const first = await runFiscal(words, host);
  const second = await runFiscal(words, host);
  const path = join(host.cwd, 'companies.prom');
  expect([first.exitCode, second.exitCode, readFileSync(path, 'utf8'), readdirSync(host.cwd)]).toEqual([
    0,
    0,
    second.stdout,
    ['companies.prom'],
  ]);
  expect(statSync(path).mode & 0o444).toBe(0o444);
  expect(second.stdout.split('\n').filter((line) => line.startsWith('fiscal_company_capture_enabled'))).toHaveLength(
    15,
  );
});

test.each([
  [['--expect', 'nfx'], 2],
  [['--idle', '30'], 2],
  [['--warn', 'soon'], 2],
  [['--deadline-rules', 'none.yaml'], 2],
  [['--metrics-file', 'no/such/folder/x'], 2],
  [['surplus'], 2],
])('%j exits %i, with one sentence and nothing on stdout', async (words, code) => {
  const { exitCode, stdout, stderr } = await runFiscal(
    ['status', '--check', ...words, '--error-format', 'text'],
    hostOf(),
  );
  expect({ exitCode, stdout, trace: /\n\s+at /.test(stderr) }).toEqual({ exitCode: code, stdout: '', trace: false });
});
