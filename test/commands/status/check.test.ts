import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { json } from '../../client/support/server.js';
import { seed } from '../seed.js';
import type { StatusReport } from '../../../src/commands/status/figures.js';
import type { CompanyCheck } from '../../../src/commands/status/row.js';
import { noTerms } from '../../../src/services/documents/terms.js';
import { seedReadings } from '../../support/readings.js';
import { FakeClock } from '../../support/clock.js';
import { runFiscal, type TestHostOptions } from '../../support/host.js';
import { nfeKeyOf } from '../manifestation/keys.js';
import { imitate, type Answers, type Service } from '../inbound/service.js';

/** The clock stands at 2026-01-15T12:00:00Z. */
const companies = (...rows: readonly object[]) => ({
  'GET /v2/companies': json(200, { companies: rows, hasMore: false }),
});
const paths = (id: string) => ({
  certificates: `GET /v2/companies/${id}/certificates`,
  nfe: `GET /v2/companies/${id}/inbound/productinvoices`,
  nfeList: `GET /v2/companies/${id}/inbound/nfe`,
  cte: `GET /v2/companies/${id}/inbound/transportationinvoices`,
  nfse: `GET /v2/companies/${id}/inbound/nfse/details`,
  nfseList: `GET /v2/companies/${id}/inbound/nfse`,
  backfill: `GET /v2/companies/${id}/inbound/nfse/backfill`,
});
const at = paths('c1');
const certificate = { subject: 'CN=Um', thumbprint: 'AB', status: 'Active', validUntil: '2026-12-31T00:00:00Z' };
const inOrder: Answers = {
  ...companies({ id: 'c1', name: 'Um Ltda', federalTaxNumber: '29638438000181' }),
  [at.certificates]: json(200, { certificates: [certificate] }),
  [at.nfe]: json(200, { companyId: 'c1', status: 'Active', createdOn: '2025-01-01T00:00:00Z' }),
  [at.nfeList]: json(200, { value: [{ accessKey: 'k', createdOn: '2026-01-05T11:00:00Z' }] }),
  [at.nfse]: json(200, { companyId: 'c1', isActive: true, startFromDate: '2025-06-01T00:00:00Z' }),
  [at.nfseList]: json(200, { page: 1, documents: [{ accessKey: 'k', createdOn: '2026-01-15T11:00:00Z' }] }),
  [at.backfill]: json(200, { released: false, hiddenDocumentsCount: 7 }),
};

/** A sync has just read the lists of two companies on this machine. */
async function imitation(answers: Answers, options: TestHostOptions = {}): Promise<Service> {
  const service = await imitate(answers, { clock: new FakeClock(), ...options });
  await seed(service.host, async (store) => {
    for (const companyId of ['c1', 'c2']) await seedReadings(store, { companyId, at: service.host.clock.now() });
  });
  return service;
}

async function check(service: Service, ...words: string[]) {
  const { exitCode, stdout, stderr } = await runFiscal(['status', '--check', ...words], service.host);
  const rows = (): unknown[] =>
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
  return { exitCode, stdout, stderr, rows };
}

const unreadable: unknown = expect.objectContaining({ code: 'unreadable', level: 'critical' });

const offFamily = {
  capture: 'off',
  environment: null,
  startFromDate: null,
  rateLimitedUntil: null,
  rateLimitedCause: null,
  lastDocumentOn: null,
  lastDocumentIsNewest: null,
  idleDays: null,
};

test('a row contains everything that was read, and null otherwise', async () => {
  const service = await imitation(inOrder);
  const { exitCode, rows } = await check(service);
  const on = { ...offFamily, capture: 'on' };
  const text = { en: '7 NFS-e before the cut-off are hidden', pt: '7 NFS-e anteriores à data de corte estão ocultas' };
  expect({ exitCode, rows: rows() }).toEqual({
    exitCode: 0,
    rows: [
      {
        ...{
          type: 'company',
          companyId: 'c1',
          companyName: 'Um Ltda',
          companyTaxNumber: '29638438000181',
          state: 'ok',
        },
        nfe: { ...on, lastDocumentOn: '2026-01-05T11:00:00.000Z', lastDocumentIsNewest: true, idleDays: 10 },
        cte: offFamily,
        nfse: {
          ...on,
          startFromDate: '2025-06-01T00:00:00.000Z',
          lastDocumentOn: '2026-01-15T11:00:00.000Z',
          lastDocumentIsNewest: true,
          idleDays: 0,
        },
        backfill: { released: false, hiddenDocumentsCount: 7 },
        certificate: {
          ...{ state: 'valid', validUntil: '2026-12-31T00:00:00.000Z', daysLeft: 349 },
          ...{ subject: 'CN=Um', thumbprint: 'AB' },
        },
        manifestations: noTerms,
        problems: [
          {
            ...{ code: 'hidden_documents', level: 'info', family: 'nfse', message: text },
            next: 'fiscal backfill show --company c1',
          },
        ],
      },
    ],
  });
});

test('the newest document is read with ten rows of one page, and the company of the profile is ignored', async () => {
  const service = await imitation({ ...inOrder, ...companies({ id: 'c1' }, { id: 'c2' }) });
  const { rows } = await check(service);
  expect(rows()).toHaveLength(2);
  const lists = service.seen.filter(({ path }) => /inbound\/nfs?e\?/.test(path));
  expect(lists.map(({ path }) => Object.fromEntries(new URL(path, service.url).searchParams))).toEqual([
    { $orderby: 'createdOn desc', $top: '10' },
    { $orderby: 'createdOn desc', $top: '10' },
  ]);
});

test.each([
  ['newest first', [9, 8, 8, 7, 6, 5, 4, 3, 2, 1], true],
  ['oldest first', [1, 2, 3, 4, 5, 6, 7, 8, 9, 9], false],
  ['all captured at once', Array.from({ length: 10 }, () => 9), false],
  ['fewer than were asked for, in any order', [1, 9], true],
  ['more than were asked for', Array.from({ length: 12 }, (_, at) => 12 - at), true],
])('a list that comes %s', async (_, days, isNewest) => {
  const value = days.map((day, at) => ({
    accessKey: `k${at}`,
    createdOn: new Date(Date.UTC(2026, 0, day)).toISOString(),
  }));
  const service = await imitation({ ...inOrder, [at.nfeList]: json(200, { value }) });
  const { rows } = await check(service, '--idle', '3d');
  const lastDocumentOn = new Date(Date.UTC(2026, 0, Math.max(...days))).toISOString();
  const [row] = rows() as CompanyCheck[];
  expect(row?.nfe).toMatchObject({ lastDocumentOn, lastDocumentIsNewest: isNewest });
  const [idle] = row?.problems.filter(({ code }) => code === 'idle') ?? [];
  const claim = isNewest ? /^no NF-e for \d days; after 60/ : /^the newest of the NF-e that were read is \d days old/;
  expect(idle?.message.en).toMatch(claim);
  const table = await runFiscal(['status', '--check', '--idle', '3d', '-o', 'table'], service.host);
  expect(table.stdout.includes('≤')).toBe(!isNewest);
});

test('a certificate ends soon at the same hour for the check, the list of certificates and the morning', async () => {
  const clock = new FakeClock();
  const now = clock.now();
  const hour = 3_600_000;
  const states = async (left: number) => {
    const validUntil = new Date(now + left).toISOString();
    const answers = { ...inOrder, [at.certificates]: json(200, { certificates: [{ ...certificate, validUntil }] }) };
    const service = await imitation(answers, { clock: new FakeClock() });
    const [row] = (await check(service)).rows() as CompanyCheck[];
    const read = async (words: readonly string[]) =>
      JSON.parse((await runFiscal([...words, '-o', 'json'], service.host)).stdout) as unknown;
    const [listed] = (await read(['certificate', 'check'])) as [{ state: string }];
    const morning = (await read(['status'])) as StatusReport;
    return [
      row?.problems.some(({ code }) => code === 'certificate_expiring'),
      listed.state === 'expiring',
      morning.profiles[0]?.certificates.ending === 1,
    ];
  };
  expect(await states(30 * 24 * hour + hour)).toEqual([false, false, false]);
  expect(await states(30 * 24 * hour)).toEqual([true, true, true]);
});

test('days and numbers are written as people write them', async () => {
  const service = await imitation({
    ...inOrder,
    [at.certificates]: json(200, { certificates: [{ ...certificate, validUntil: '2026-01-17T02:00:00Z' }] }),
    [at.nfse]: json(200, { isActive: true, rateLimitedUntil: '2999-01-15T13:00:00Z' }),
    [at.backfill]: json(200, { released: false, hiddenDocumentsCount: 1 }),
  });
  const { rows } = await check(service);
  const [row] = rows() as CompanyCheck[];
  const texts = Object.fromEntries(row?.problems.map(({ code, message }) => [code, message]) ?? []);
  expect(texts).toMatchObject({
    certificate_expiring: {
      en: 'the certificate expires on 2026-01-16, in 1 day',
      pt: 'o certificado vence em 16/01/2026, em 1 dia',
    },
    spaced: {
      en: expect.stringContaining('is spaced until 2999-01-15 10:00:'),
      pt: expect.stringContaining('até 15/01/2999 10:00:'),
    },
    hidden_documents: {
      en: '1 NFS-e before the cut-off is hidden',
      pt: '1 NFS-e anterior à data de corte está oculta',
    },
  });
});

test.each([
  ['@odata.nextLink', `${at.nfeList}?page=2`],
  ['nextLink', `${at.nfeList}?page=2`],
  ['@odata.count', 2],
])('a first page with %s is not the whole list', async (name, more) => {
  const value = [{ accessKey: 'k', createdOn: '2026-01-05T11:00:00Z' }];
  const link = { [name]: more };
  const service = await imitation({ ...inOrder, [at.nfeList]: json(200, { value, ...link }) });
  const { rows } = await check(service);
  expect(rows()).toMatchObject([{ nfe: { lastDocumentIsNewest: false } }]);
});

test('a company that does not answer is one problem in its row, without further reads', async () => {
  const two = paths('c2');
  const service = await imitation({
    ...inOrder,
    ...companies({ id: 'c2' }, { id: 'c1' }),
    [two.certificates]: json(503, { error: { code: 'down', message: 'soon' } }),
    [two.nfe]: json(200, {}),
  });
  const { exitCode, stderr, rows } = await check(service);
  const text = 'down: soon';
  expect({ exitCode, stderr, rows: rows(), asked: service.asked().includes(two.nfe) }).toMatchObject({
    exitCode: 13,
    stderr: 'companies with problems: 1 of 2 (1 critical)\n',
    rows: [
      {
        ...{ companyId: 'c2', state: 'critical', nfe: { capture: 'unknown' }, certificate: { state: 'unknown' } },
        problems: [
          {
            ...{ code: 'unreachable', level: 'critical', family: null, next: 'fiscal doctor --online' },
            message: { en: expect.stringContaining(text), pt: expect.stringContaining(text) },
          },
        ],
      },
      { companyId: 'c1', state: 'ok' },
    ],
    asked: false,
  });
});

test.each([
  ['a refused key', { [at.nfe]: json(401, {}) }, 4],
  [
    'an asked pause beyond the patience',
    { [at.nfe]: { ...json(429, {}), headers: { 'retry-after': '900', 'content-type': 'application/json' } } },
    12,
  ],
  ['a list of companies that fails', { 'GET /v2/companies': json(403, {}) }, 7],
])('%s ends the run with its own exit code, with or without --warn-only', async (_, answers, code) => {
  for (const more of [[], ['--warn-only']]) {
    const service = await imitation({ ...inOrder, ...answers });
    const { exitCode, stdout } = await check(service, ...more);
    expect([exitCode, stdout]).toEqual([code, '']);
  }
});

// Ahead of the clock of the imitation, which is the machine's.
const spaced = { isActive: true, rateLimitedUntil: '2999-01-15T13:00:00Z' };
const noticesOf = (...types: readonly string[]) =>
  json(200, {
    notifications: types.map((type, index) => ({
      type,
      [index % 2 === 0 ? 'createdOn' : 'createdAt']: `2026-01-1${index}T00:00:00Z`,
    })),
  });

test.each([
  ['an inactive capture is reactivated', { isActive: false }, [], null, 'reactivate'],
  ['a new certificate is there', spaced, ['CertificateExpired'], 'certificate_expired', 'reactivate'],
  ['the newest notice counts', spaced, ['CertificateExpired', 'RateLimited'], 'source_limit', 'show'],
  ['notices of other kinds say nothing', spaced, ['NsuReset', 'Novo'], 'unknown', 'show'],
] as const)('NFS-e: %s', async (...[, settings, types, cause, verb]) => {
  const service = await imitation({
    ...inOrder,
    [at.nfse]: json(200, settings),
    'GET /v2/companies/c1/inbound/nfse/maintenance/notifications': noticesOf(...types),
  });
  const { rows } = await check(service, '--expect', 'nfse');
  const line = {
    reactivate: 'fiscal inbound capture reactivate --company c1',
    show: 'fiscal inbound capture show --type nfse --company c1',
  };
  expect(rows()).toMatchObject([
    {
      nfse: { rateLimitedCause: cause },
      problems: expect.arrayContaining([expect.objectContaining({ next: line[verb] })]),
    },
  ]);
});

test('an account without companies is not a success', async () => {
  const { exitCode, stdout, stderr } = await check(await imitation(companies()), '-o', 'json');
  expect([exitCode, stdout]).toEqual([9, '']);
  expect(stderr).toContain('company.none');
});

test.each([null, [], 'text', { certificates: 'x' }, { certificates: [null, 7] }, { value: [{}], released: 'yes' }])(
  'with an unexpected body (%j) the check continues',
  async (body) => {
    const answer = json(200, body);
    const odd = Object.fromEntries(Object.values(at).map((path) => [path, answer]));
    const service = await imitation({ ...odd, ...companies({ id: 'c1' }, { id: 7 }) });
    const { exitCode, rows } = await check(service);
    expect([exitCode, rows().length]).toEqual([13, 2]);
    expect(rows()[0]).toMatchObject({ problems: expect.arrayContaining([unreadable]) });
  },
);

test('an invalid row in the list of companies ends the check: a company could be missing', async () => {
  const service = await imitation({ ...inOrder, ...companies({ id: 'c1' }, { name: 'none' }) });
  const { exitCode, stdout, stderr } = await check(service);
  expect([exitCode, stdout]).toEqual([6, '']);
  expect(stderr).toContain('row 2: it has no id');
});

test('companies are read a few at a time', async () => {
  const many = Array.from({ length: 12 }, (_, index) => ({ id: `c${index}` }));
  let [open, most] = [0, 0];
  const counted = (request: IncomingMessage) => {
    open += 1;
    most = Math.max(most, open);
    request.once('close', () => {
      open -= 1;
    });
    return json(404, {});
  };
  const answers = many.flatMap(({ id }) => Object.values(paths(id)).map((path) => [path, counted] as const));
  const service = await imitation({ ...Object.fromEntries(answers), ...companies(...many) });
  const { rows } = await check(service, '--concurrency', '3');
  expect({ ids: rows().length, isBounded: most <= 3 }).toEqual({ ids: 12, isBounded: true });
});

test('hostile names stay text in the table, in printed commands and in the metrics', async () => {
  const id = 'c1;reboot';
  const name = 'A"\\\n\u001b[31mB\u202e';
  const bad = paths(encodeURIComponent(id));
  const expired = { ...certificate, validUntil: '2026-01-14T00:00:00Z' };
  const service = await imitation({
    ...companies({ id, name }),
    [bad.certificates]: json(200, { certificates: [expired] }),
    [bad.nfe]: json(200, {}),
  });
  const table = await check(service, '-o', 'table', '--color', 'never', '--expect', 'cte');
  const metrics = await check(service, '--prometheus');
  expect(table.stdout).toContain('\\u001b[31mB\\u202e');
  expect(table.stdout + metrics.stdout).not.toMatch(/[\u001b\u202e]/);
  expect(table.stdout).toContain("  → fiscal inbound capture enable --type cte --company 'c1;reboot'\n");
  expect(metrics.stdout).toContain(String.raw`name="A\"\\\n\\u001b[31mB\\u202e"`);
});

test('an expired deadline is reported only with evidence: as lost while a later one runs, else as presumed', async () => {
  const now = Date.parse('2026-01-15T12:00:00Z');
  const seen = (number: number, authorizedOn: string) => {
    const accessKey = nfeKeyOf(number);
    return { id: accessKey, accessKey, issuer: '07933914000154', issuedOn: authorizedOn, authorizedOn, data: {} };
  };
  const terms = async (readAt: number | undefined, ...documents: readonly ReturnType<typeof seen>[]) => {
    const service = await imitate(inOrder, { clock: new FakeClock() });
    await seed(service.host, async (store) => {
      const group = { profile: 'environment', companyId: 'c1', family: 'nfe' } as const;
      await store.documents.see(group, documents, now);
      if (readAt !== undefined) await seedReadings(store, { companyId: 'c1', at: readAt });
    });
    const { rows } = await check(service);
    const [row] = rows() as readonly CompanyCheck[];
    const found = row?.problems.filter(({ code }) => code.startsWith('deadline_'));
    return [row?.manifestations, found?.map(({ code, level, next }) => [code, level, next])];
  };
  const fresh = seen(1, '2026-01-01T12:00:00Z');
  const due = 'fiscal manifestation due --within 10d --company c1';
  expect(await terms(undefined, fresh)).toEqual([
    { ...noTerms, unknown: 1 },
    [
      ['deadline_unknown', 'warning', 'fiscal inbound sync --company c1'],
      ['deadline_unsynced', 'warning', 'fiscal inbound sync --company c1'],
    ],
  ]);
  expect(await terms(now, fresh)).toEqual([{ ...noTerms, lost: 1 }, [['deadline_overdue', 'warning', due]]]);
  const both = [fresh, seen(2, '2025-07-10T12:00:00Z')];
  expect(await terms(now, ...both)).toEqual([
    { ...noTerms, lost: 1, presumed: 1, earlier: 1 },
    [
      ['deadline_overdue', 'critical', due],
      ['deadline_overdue', 'info', due],
    ],
  ]);
  // Lost before the last month: worth knowing, and no alarm for ever.
  expect(await terms(now, seen(3, '2025-05-01T12:00:00Z'))).toEqual([
    { ...noTerms, earlier: 2 },
    [['deadline_overdue', 'info', due]],
  ]);
});

const onNfe = { companyId: 'c1', createdOn: '2025-01-01T00:00:00Z' };

test.each([
  ['a status that is null', { [at.nfe]: json(200, { ...onNfe, status: null }) }, 'capture_unclear nfe'],
  ['no status', { [at.nfe]: json(200, onNfe) }, 'capture_unclear nfe'],
  ['a status as a number', { [at.nfe]: json(200, { ...onNfe, status: 1 }) }, 'capture_unclear nfe'],
  ['another status', { [at.nfe]: json(200, { ...onNfe, status: 'Paused' }) }, 'capture_unclear nfe'],
  [
    'an isActive that is null',
    { [at.nfse]: json(200, { id: 'c1', isActive: null, createdAt: '2025-01-01T00:00:00Z' }) },
    'capture_unclear nfse',
  ],
  [
    'a hidden count that is null',
    { [at.backfill]: json(200, { released: false, hiddenDocumentsCount: null }) },
    'unreadable',
  ],
  [
    'a hidden count in words',
    { [at.backfill]: json(200, { released: false, hiddenDocumentsCount: 'many' }) },
    'hidden_unknown nfse',
  ],
  ['a summary that is not read', { [at.backfill]: json(403, {}) }, 'forbidden'],
  [
    'a certificate without a day',
    { [at.certificates]: json(200, { certificates: [{ ...certificate, validUntil: null }] }) },
    'certificate_unknown',
  ],
  [
    'a certificate of another CNPJ',
    { [at.certificates]: json(200, { certificates: [{ ...certificate, subject: 'CN=OUTRA LTDA:07933914000154' }] }) },
    'certificate_other',
  ],
  ['a list without times', { [at.nfeList]: json(200, { value: [{ accessKey: 'k' }] }) }, 'idle_unknown nfe'],
])('%s is said and is no success', async (_, answers, problem) => {
  const service = await imitation({ ...inOrder, ...answers });
  const { exitCode, rows } = await check(service);
  const [row] = rows() as readonly CompanyCheck[];
  const found = row?.problems.filter(({ level }) => level !== 'info');
  expect({ exitCode, found: found?.map(({ code, family }) => [code, family ?? ''].join(' ').trim()) }).toEqual({
    exitCode: 13,
    found: [problem],
  });
});

test('terms of a family that no sync of this machine has read are unknown, and that is said', async () => {
  const service = await imitate(inOrder, { clock: new FakeClock() });
  const { exitCode, rows } = await check(service);
  const [row] = rows() as readonly CompanyCheck[];
  expect({ exitCode, terms: row?.manifestations.open, found: row?.problems[0] }).toEqual({
    exitCode: 13,
    terms: null,
    found: {
      ...{ code: 'deadline_unsynced', level: 'warning', family: 'nfe' },
      message: {
        en: expect.stringContaining('no sync has read the lists of NF-e to their end in the last 24 hours'),
        pt: expect.stringContaining('nenhuma sincronização leu as listas de NF-e até o fim'),
      },
      next: 'fiscal inbound sync --company c1',
    },
  });
});
