import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Check } from '../../src/commands/doctor/local-checks.js';
import { schemaVersion } from '../../src/store/schema.js';
import { realClock } from '../support/clock.js';
import { runFiscal, testHost, type TestHost, type TestHostOptions } from '../support/host.js';
import { records, seed } from './seed.js';

const key = 'canary-key-of-the-doctor';
const env = { FISCAL_INVOICE_KEY: key, FISCAL_PRODUCT_URL: 'https://product.example' };

async function examine(host: TestHost, ...words: string[]) {
  const { exitCode, stdout, stderr } = await runFiscal(['doctor', ...words], host);
  // Our own output, checked whole where it matters.
  const checks = records(stdout) as readonly Check[];
  const statusOf = Object.fromEntries(checks.map(({ check, status }) => [check, status]));
  return { exitCode, checks, statusOf, text: stdout + stderr };
}

const offline = {
  node: 'ok',
  configuration: 'ok',
  'state folder': 'ok',
  store: 'ok',
  profile: 'warn',
  'invoice key': 'ok',
  'data key': 'warn',
  addresses: 'ok',
};

/** A service for one test: answers the company list, and says that it is `aheadMs` later than here. */
async function service(aheadMs: number): Promise<string> {
  return await answering(() => ({ companies: [], hasMore: false }), aheadMs);
}

/** The same with other answers by path; `undefined`: 404. */
async function answering(answer: (path: string) => unknown, aheadMs = 0): Promise<string> {
  const server = createServer((request, response) => {
    const body = answer(new URL(request.url ?? '', 'http://service').pathname);
    const status = body === undefined ? 404 : 200;
    const isAllowed = request.method === 'HEAD' || request.headers.authorization === key;
    response.writeHead(isAllowed ? status : 401, {
      'content-type': 'application/json',
      date: new Date(Date.now() + aheadMs).toUTCString(),
    });
    response.end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void [server.closeAllConnections(), server.close()]);
  // A listening TCP server has an address with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const hostFor = (more: TestHostOptions['env'] = {}) => testHost({ env: { ...env, ...more } });

test('doctor finds no problem on a new machine with a key and a host, and shows no key', async () => {
  const { exitCode, statusOf, text } = await examine(hostFor());
  expect([exitCode, statusOf]).toEqual([0, offline]);
  expect(text).toContain('FISCAL_INVOICE_KEY');
  expect(text).not.toContain(key);
});

test('doctor reads the store that the program writes', async () => {
  const host = hostFor();
  await seed(host, (store) => store.pace.block({ profile: 'p', host: 'h' }, 1));
  const { checks } = await examine(host);
  const path = join(host.root, 'state', 'state.db');
  expect(checks.find((it) => it.check === 'store')).toEqual({
    type: 'doctor',
    check: 'store',
    status: 'ok',
    found: { en: `${path} is intact, schema ${schemaVersion}`, pt: `${path} está íntegro, esquema ${schemaVersion}` },
  });
});

test('a damaged store is a problem with advice, and exits 13', async () => {
  const host = hostFor();
  mkdirSync(join(host.root, 'state'));
  writeFileSync(join(host.root, 'state', 'state.db'), 'garbage '.repeat(2_000));
  const { exitCode, statusOf, checks } = await examine(host);
  expect([exitCode, statusOf]).toEqual([13, { ...offline, store: 'problem' }]);
  expect(checks.find((it) => it.check === 'store')?.advice?.en).toContain('restore the file from a backup');
});

test.each([
  ['random bytes', (journal: Buffer) => Buffer.alloc(journal.length, 'garbage ')],
  ['half of its bytes', (journal: Buffer) => journal.subarray(0, journal.length >> 1)],
])('a store whose journal is left with %s is never called intact', async (_name, harm) => {
  const host = hostFor();
  const path = join(host.root, 'state', 'state.db');
  const left = join(host.root, 'left');
  await seed(host, async (store) => {
    await store.identity.sentAt(1);
    cpSync(join(host.root, 'state'), left, { recursive: true });
  });
  cpSync(left, join(host.root, 'state'), { recursive: true });
  writeFileSync(`${path}-wal`, harm(readFileSync(`${path}-wal`)));
  for (const time of ['first', 'second']) {
    const { exitCode, checks } = await examine(host);
    const store = checks.find((it) => it.check === 'store');
    expect([time, exitCode, store]).toMatchObject([
      time,
      13,
      { status: 'problem', advice: { en: expect.stringContaining('check with the service what was sent last') } },
    ]);
    expect(store?.found.en).toContain('the journal (state.db-wal) is damaged or cut off');
  }
  // Another command goes on with the rest; doctor still says that rows are lost.
  expect((await runFiscal(['job', 'list'], host)).exitCode).toBe(0);
  const { checks } = await examine(host);
  expect(checks.find((it) => it.check === 'store')).toMatchObject({
    status: 'warn',
    found: { en: expect.stringContaining('its newest rows were lost') },
  });
});

test('without a key and a host doctor names both and explains how to log in', async () => {
  const { exitCode, statusOf, checks } = await examine(testHost());
  const missing = { 'invoice key': 'problem', 'data key': 'problem', addresses: 'problem' };
  expect([exitCode, statusOf]).toEqual([13, { ...offline, ...missing }]);
  expect(checks.find((it) => it.check === 'invoice key')?.advice?.en).toContain('fiscal auth login');
});

test('the built-in sandbox profile needs nothing else', async () => {
  const { exitCode, statusOf } = await examine(testHost(), '--profile', 'sandbox');
  expect([exitCode, statusOf]).toEqual([0, { ...offline, profile: 'ok', 'data key': 'ok' }]);
});

test('a state folder that cannot be created is a problem', async () => {
  const blocked = hostFor();
  const file = join(blocked.root, 'file');
  writeFileSync(file, '');
  const host = { ...blocked, env: { ...blocked.env, FISCAL_STATE_DIR: join(file, 'state') } };
  const { exitCode, checks } = await examine(host);
  expect(exitCode).toBe(13);
  expect(checks.find((it) => it.check === 'state folder')).toMatchObject({
    status: 'problem',
    found: { en: `cannot write ${join(file, 'state')}: ENOTDIR: not a directory` },
  });
});

test('a configuration that others can read is a problem, and so is a damaged one', async () => {
  const host = hostFor();
  const folder = join(host.root, 'config');
  const path = join(folder, 'config.json');
  mkdirSync(folder);
  writeFileSync(path, '{}', { mode: 0o600 });
  expect((await examine(host)).statusOf).toMatchObject({ configuration: 'ok' });
  chmodSync(path, 0o644);
  expect((await examine(host)).statusOf).toMatchObject({ configuration: 'problem' });
  chmodSync(path, 0o600);
  writeFileSync(path, '{"broken');
  const broken = await examine(host);
  expect([broken.exitCode, broken.statusOf]).toEqual([
    13,
    { node: 'ok', configuration: 'problem', 'state folder': 'ok', store: 'ok' },
  ]);
});

test('online, doctor checks the key and the clock against the service', async () => {
  const near = await examine(hostFor({ FISCAL_PRODUCT_URL: await service(0) }), '--online');
  expect([near.exitCode, near.statusOf]).toEqual([0, { ...offline, service: 'ok', clock: 'ok' }]);
  const far = await examine(hostFor({ FISCAL_PRODUCT_URL: await service(600_000) }), '--online');
  expect([far.exitCode, far.statusOf]).toEqual([13, { ...offline, service: 'ok', clock: 'problem' }]);
});

test('online, a refused key is a problem of the service check', async () => {
  const host = hostFor({ FISCAL_PRODUCT_URL: await service(0), FISCAL_INVOICE_KEY: 'another' });
  const { exitCode, statusOf } = await examine(host, '--online');
  expect([exitCode, statusOf]).toEqual([13, { ...offline, service: 'problem', clock: 'ok' }]);
});

describe('the company that a run names, online', () => {
  const active = { status: 'Active', startFromDate: '2026-01-01T00:00:00Z' };
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const certificates = (...list: readonly object[]) => ({ certificates: list });
  const usual = {
    nfe: active,
    cte: active,
    nfse: { isActive: true },
    certificates: certificates({ status: 'Active', validUntil: inDays(200) }),
  };

  /** The answers of a service by what is asked; `undefined`: 404. */
  async function checksWith(answers: Partial<Record<keyof typeof usual, unknown>>) {
    const all: Readonly<Record<string, unknown>> = { ...usual, ...answers };
    const company = { id: 'c1', name: 'Padaria', federalTaxNumber: 11222333000181 };
    const byPath: Readonly<Record<string, unknown>> = {
      '/v2/companies': { companies: [company], hasMore: false },
      '/v2/companies/c1': { company },
      '/v2/companies/c1/inbound/productinvoices': all['nfe'],
      '/v2/companies/c1/inbound/transportationinvoices': all['cte'],
      '/v2/companies/c1/inbound/nfse/details': all['nfse'],
      '/v2/companies/c1/certificates': all['certificates'],
    };
    const url = await answering((path) => byPath[path]);
    const host = hostFor({ FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_COMPANY: 'c1' });
    const { exitCode, checks } = await examine(host, '--online');
    const shown = checks.slice(checks.findIndex(({ check }) => check === 'clock') + 1);
    return { exitCode, shown: shown.map(({ check, status, found }) => [check, status, found.en]) };
  }

  test('its captures and its certificate are read as status --check reads them', async () => {
    expect(await checksWith({})).toEqual({
      exitCode: 0,
      shown: [
        ['capture of NF-e', 'ok', 'it is on'],
        ['capture of CT-e', 'ok', 'it is on'],
        ['capture of NFS-e', 'ok', 'it is on'],
        ['certificate', 'ok', expect.stringMatching(/^the certificate expires on .*, in (?:199|200) days$/)],
      ],
    });
  });

  test('what is off is a note, and what is not known is a problem, never on', async () => {
    const answers = {
      nfe: undefined,
      cte: { companyId: 'c1', status: null },
      nfse: 'text',
      certificates: certificates({ subject: 'CN=PADARIA', status: 'Active' }),
    };
    expect(await checksWith(answers)).toEqual({
      exitCode: 13,
      shown: [
        ['capture of NF-e', 'warn', 'it is not enabled'],
        ['capture of CT-e', 'problem', 'the settings of the capture of CT-e do not say whether it is active'],
        ['capture of NFS-e', 'problem', expect.stringMatching(/^not known: /)],
        ['certificate', 'problem', 'the certificate names no day until which it is valid'],
      ],
    });
  });

  test.each([
    ['one that ends soon', certificates({ status: 'Active', validUntil: inDays(5.5) }), 'warn', 0],
    ['one that ended', certificates({ status: 'Active', validUntil: inDays(-5) }), 'problem', 13],
    [
      'one of another holder',
      certificates({ subject: 'CN=OUTRA:99888777000199', validUntil: inDays(90) }),
      'problem',
      13,
    ],
    ['none', certificates(), 'warn', 0],
  ])('its certificate: %s', async (_what, list, status, exitCode) => {
    const found = await checksWith({ certificates: list });
    expect([found.exitCode, found.shown.at(-1)?.slice(0, 2)]).toEqual([exitCode, ['certificate', status]]);
  });
});

test('on a terminal each check is a line in the language of the user, with the advice below', async () => {
  const host = testHost({ clock: realClock, isTerminal: true, env });
  const { stdout } = await runFiscal(['doctor', '--lang', 'pt-BR', '--color', 'never'], host);
  const lines = stdout.split('\n');
  expect(lines[0]).toBe(`ok        node: Node ${process.versions.node}`);
  expect(lines).toContain('atenção   perfil: nenhum foi escolhido; endereços e chaves vêm só do ambiente');
  expect(lines).toContain('          → execute "fiscal auth login", ou experimente com --profile sandbox');
});
