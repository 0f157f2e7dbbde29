import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StatusReport } from '../../src/commands/status/figures.js';
import type { Clock } from '../../src/domain/world.js';
import { noteCapture } from '../../src/services/company/capture.js';
import type { DocumentGroup, SeenDocument } from '../../src/store/documents.js';
import type { Store } from '../../src/store/store.js';
import { accountCompanies } from '../../src/jobs/kinds/received-note.js';
import { json } from '../client/support/server.js';
import { newItem, newJob } from '../store/samples.js';
import { FakeClock, realClock } from '../support/clock.js';
import { runFiscal, testHost, type TestHost } from '../support/host.js';
import { imitate } from './inbound/service.js';
import { nfeKeyOf } from './manifestation/keys.js';
import { seed } from './seed.js';
import { seedReadings } from '../support/readings.js';
import { addUsage } from '../support/usage.js';

/** The clock stands at 2026-01-15T12:00:00Z, which is 09:00 in Brasília. */
const now = Date.UTC(2026, 0, 15, 12);
const hour = 3_600_000;
const day = 24 * hour;

const group = (companyId: string): DocumentGroup => ({ profile: 'environment', companyId, family: 'nfe' });

async function know(store: Store, id: string, label: string, profile = 'environment'): Promise<void> {
  const row = { profile, ...accountCompanies, id, status: 'listed', seenAt: now };
  await store.known.put({ ...row, label, data: {} });
}

/** Its Ciência is due ten days after this day. */
function received(number: number, authorizedOn: string): SeenDocument {
  const accessKey = nfeKeyOf(number);
  return {
    ...{ id: accessKey, accessKey, issuer: '07933914000154', recipient: '29638438000181' },
    ...{ issuedOn: authorizedOn, authorizedOn },
    data: {},
  };
}

async function office(host: TestHost): Promise<void> {
  await seed(host, async (store) => {
    await know(store, 'c1', 'Padaria Sol Ltda');
    await know(store, 'c2', 'Mercado Lua Ltda');
    await know(store, 'c3', 'Oficina Vento Ltda');
    const old = [received(1, '2026-01-06T12:00:00Z'), received(2, '2026-01-11T12:00:00Z')];
    await store.documents.see(group('c1'), old, now - 3 * day);
    await store.documents.see(group('c1'), [received(3, '2026-01-14T12:00:00Z')], now - 2 * hour);
    await seedReadings(store, { companyId: 'c1', at: now - 2 * hour });
    await store.documents.see(group('c2'), [received(4, '2026-01-07T12:00:00Z')], now - 3 * day);
    await seedReadings(store, { companyId: 'c2', at: now - 3 * day });
    const usage = { profile: 'environment', operation: 'tax.calculate', billed: 'engine' } as const;
    await addUsage(store.usage, { ...usage, at: now, outcome: 'billed', companyId: 'c1' });
    await addUsage(store.usage, { ...usage, at: now, outcome: 'unknown' });
    await addUsage(store.usage, { ...usage, at: Date.UTC(2026, 0, 1, 2), outcome: 'billed' });
    const job = newJob({ profile: 'environment', scope: { companyId: 'c1' }, at: now });
    await store.jobs.create(job, []);
    await store.jobs.append(job.id, [newItem(1)], now);
    await store.jobs.seal(job.id, now);
    const change = { state: 'uncertain', holdsKey: true, keep: false } as const;
    await store.items.decide('item-1', 'prepared', change, { at: now, step: { is: 'read' } });
    await store.jobs.setState(job.id, 'done', now);
  });
}

function officeHost(columns = 80, env: Readonly<Record<string, string>> = {}): TestHost {
  return testHost({ clock: new FakeClock(), isTerminal: true, columns, env: { NO_COLOR: '1', ...env } });
}

async function reportOf(host: TestHost, ...words: string[]): Promise<StatusReport> {
  const { exitCode, stdout } = await runFiscal(['status', '-o', 'json', ...words], host);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout) as StatusReport;
}

test('the morning of three companies fits a screen of 80 columns and 24 lines', async () => {
  const host = officeHost();
  await office(host);
  const { exitCode, stdout } = await runFiscal(['status'], host);
  expect(exitCode).toBe(0);
  expect(stdout).toBe(
    [
      'profile environment · 3 companies · 2026-01-15 09:00 (Brasília time)',
      '! Manifestations: 4 terms due at 2 companies, the next on 2026-01-16',
      '  as of the sync of 2026-01-12 09:00; unknown: Oficina Vento Ltda',
      '  fiscal manifestation due --all-companies',
      '? New since yesterday: 1 document at 1 company',
      '  as of the sync of 2026-01-15 07:00; unknown: Mercado Lua Ltda and 1 more',
      '  fiscal inbound list --local --by seen --since 2026-01-14 --all --all-companies',
      '! Files missing: 4 documents or events at 2 companies',
      '  as of the sync of 2026-01-12 09:00; unknown: Oficina Vento Ltda',
      '  fiscal inbound outstanding --all-companies',
      '? Months: 0 closed (since 2025-10)',
      '  as of the sync of 2026-01-12 09:00; unknown: Oficina Vento Ltda',
      '  fiscal inbound close 2025-12 --all-companies',
      '! Jobs: 1 uncertain item',
      '  fiscal job list --attention',
      '? Certificates: unknown',
      '  unknown: Mercado Lua Ltda, Oficina Vento Ltda, Padaria Sol Ltda',
      '  fiscal certificate check',
      '! Capture: 1 company not synced for 24 hours',
      '  as of the sync of 2026-01-12 09:00; unknown: Oficina Vento Ltda',
      '  fiscal inbound sync --all-companies',
      '✓ Billed this month by this machine: 1 billed call, 1 without an answer',
      '  fiscal usage --since 2026-01',
      '',
    ].join('\n'),
  );
});

test('the same in Portuguese', async () => {
  const host = officeHost(80, { FISCAL_LANG: 'pt-BR' });
  await office(host);
  const { stdout } = await runFiscal(['status'], host);
  expect(stdout).toBe(
    [
      'perfil environment · 3 empresas · 15/01/2026 09:00 (horário de Brasília)',
      '! Manifestações: 4 prazos a vencer em 2 empresas, o próximo em 16/01/2026',
      '  da sincronização de 12/01/2026 09:00; não se sabe de Oficina Vento Ltda',
      '  fiscal manifestation due --all-companies',
      '? Novos desde ontem: 1 documento em 1 empresa',
      '  da sincronização de 15/01/2026 07:00; não se sabe de Mercado Lua Ltda e mais 1',
      '  fiscal inbound list --local --by seen --since 2026-01-14 --all --all-companies',
      '! Arquivos que faltam: 4 documentos ou eventos em 2 empresas',
      '  da sincronização de 12/01/2026 09:00; não se sabe de Oficina Vento Ltda',
      '  fiscal inbound outstanding --all-companies',
      '? Meses: 0 fechados (desde 2025-10)',
      '  da sincronização de 12/01/2026 09:00; não se sabe de Oficina Vento Ltda',
      '  fiscal inbound close 2025-12 --all-companies',
      '! Lotes: 1 item sem confirmação do serviço',
      '  fiscal job list --attention',
      '? Certificados: não se sabe',
      '  não se sabe de Mercado Lua Ltda, Oficina Vento Ltda, Padaria Sol Ltda',
      '  fiscal certificate check',
      '! Captura: 1 empresa sem sincronizar há 24 horas',
      '  da sincronização de 12/01/2026 09:00; não se sabe de Oficina Vento Ltda',
      '  fiscal inbound sync --all-companies',
      '✓ Cobradas no mês por esta máquina: 1 chamada cobrada, 1 sem resposta',
      '  fiscal usage --since 2026-01',
      '',
    ].join('\n'),
  );
});

test.each([
  ['en', 'profile environment · no company read yet · 2026-01-15 09:00 (Brasília time)'],
  ['pt', 'perfil environment · nenhuma empresa consultada ainda · 15/01/2026 09:00 (horário de Brasília)'],
])('without a company that this machine knows the account is not called empty (%s)', async (lang, head) => {
  const { stdout } = await runFiscal(['status', '--lang', lang], officeHost(80, { FISCAL_INVOICE_KEY: 'k-1' }));
  expect(stdout.split('\n')[0]).toBe(head);
});

test.each(['status', 'status --all-profiles', 'company alias'])(
  'without a profile, a key and anything stored, %s says what is missing',
  async (words) => {
    const ended = await runFiscal([...words.split(' '), '--error-format', 'text'], officeHost(120));
    expect(ended).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: expect.stringMatching(/^fiscal: no profile is chosen and no key is set\n {2}hint: .*fiscal auth login/),
    });
  },
);

test('a key for look-ups alone is a key: the status says that nothing is known', async () => {
  const { exitCode, stdout } = await runFiscal(['status'], officeHost(80, { FISCAL_DATA_KEY: 'k-1' }));
  expect([exitCode, stdout.split('\n')[0]]).toEqual([0, expect.stringContaining('no company read yet')]);
});

test('with --utc and on a terminal without signs it is shown as every table is', async () => {
  const host = officeHost(60, { LC_ALL: 'C' });
  await office(host);
  const { stdout } = await runFiscal(['status', '--utc'], host);
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    'profile environment | 3 companies | 2026-01-15 12:00Z',
    '! Manifestations: 4 terms due at 2 companies, the next on',
    '  2026-01-16',
    '  as of the sync of 2026-01-12 12:00Z; unknown: 1 company',
  ]);
  // A command is never wrapped, so that it can be copied.
  expect(stdout).toContain('\n  fiscal inbound list --local --by seen --since 2026-01-14 --all --all-companies\n');
  expect(stdout).toContain('\n+ Billed this month by this machine: 1 billed call, 1\n  without an answer\n');
});

test('a program gets each figure with its companies, times and reasons', async () => {
  const host = officeHost();
  await office(host);
  const [status] = (await reportOf(host)).profiles;
  const sol = { companyId: 'c1', companyName: 'Padaria Sol Ltda', asOf: '2026-01-15T10:00:00.000Z' };
  const lua = { companyId: 'c2', companyName: 'Mercado Lua Ltda', asOf: '2026-01-12T12:00:00.000Z' };
  const vento = { companyId: 'c3', companyName: 'Oficina Vento Ltda' };
  const none = { sent: 0, lost: 0, presumed: 0, unknown: 0, earlier: 0, unreadable: 0 };
  expect(status?.due).toEqual({
    terms: { ...none, open: 4, nextDeadline: '2026-01-16' },
    since: '2025-12-01',
    until: '2026-01-25',
    byCompany: [
      { ...lua, terms: { ...none, open: 1, nextDeadline: '2026-01-17' } },
      { ...sol, terms: { ...none, open: 3, nextDeadline: '2026-01-16' } },
    ],
    asOf: lua.asOf,
    unknown: [{ ...vento, reason: 'never_synced' }],
    next: 'fiscal manifestation due --all-companies',
  });
  expect(status?.newDocuments).toMatchObject({
    documents: 1,
    since: '2026-01-14T03:00:00.000Z',
    asOf: sol.asOf,
    unknown: [
      { companyId: 'c2', reason: 'not_synced_since' },
      { companyId: 'c3', reason: 'never_synced' },
    ],
  });
  expect(status?.capture).toMatchObject({ behind: 1, byCompany: [{ ...lua, family: 'nfe', state: 'behind' }] });
  expect(status?.jobs.jobs).toEqual([{ id: 'job-1', uncertain: 1, failed: 0, unfinished: false }]);
  expect(status?.usage).toMatchObject({ billed: 1, unknown: 1, since: '2026-01-01T03:00:00.000Z' });
});

test('a registered event settles a term, and a list that was not read to its end is no evidence', async () => {
  const host = officeHost();
  await office(host);
  await seed(host, async (store) => {
    const documentId = nfeKeyOf(1);
    const event = { eventKey: 'e1', documentId, facts: { code: 210_210, sequence: 1 } };
    await store.events.see(group('c1'), [event], now);
    await store.cursors.hold(group('c3'), 'w', now);
    const begun = { position: { through: '2026-01-01' }, at: now, workerId: 'w' };
    await store.cursors.save({ ...group('c3'), stream: 'documents' }, begun);
  });
  const [status] = (await reportOf(host)).profiles;
  expect(status?.due).toMatchObject({ terms: { open: 3 }, unknown: [{ companyId: 'c3', reason: 'incomplete' }] });
  expect(status?.capture.behind).toBe(2);
});

test('a document whose term cannot be computed is said, not passed over', async () => {
  const host = officeHost();
  await seed(host, async (store) => {
    await know(store, 'c1', 'Padaria Sol Ltda');
    await store.documents.see(group('c1'), [{ id: 'k', accessKey: 'k', data: {} }], now);
    await seedReadings(store, { companyId: 'c1', at: now });
  });
  const { stdout } = await runFiscal(['status'], host);
  expect(stdout).toContain('! Manifestations: 0 terms due; 1 document left out: unreadable\n');
});

test('--company narrows every figure, and the commands name it as it was typed', async () => {
  const host = officeHost();
  await office(host);
  const [status] = (await reportOf(host, '--company', 'mercado')).profiles;
  expect(status?.companies).toBe(1);
  expect(status?.due).toMatchObject({ terms: { open: 1 }, unknown: [] });
  expect(status?.due.next).toBe('fiscal manifestation due --company mercado');
  expect(status?.jobs).toMatchObject({ uncertain: 0, jobs: [] });
  expect(status?.usage).toMatchObject({ billed: 0, unknown: 0 });
});

test('certificates are known from their last check, and judged by today', async () => {
  const clock = new FakeClock();
  const certificate = { subject: 'CN=Um', thumbprint: 'AB', status: 'Active', validUntil: '2026-02-01T00:00:00Z' };
  const account = { companies: [{ id: 'c1', name: 'Padaria Sol Ltda' }], hasMore: false };
  const service = await imitate(
    {
      'GET /v2/companies': json(200, account),
      'GET /v2/companies/c1/certificates': json(200, { certificates: [certificate] }),
    },
    { clock },
  );
  await runFiscal(['certificate', 'check'], service.host);
  const asOf = '2026-01-15T12:00:00.000Z';
  const requests = service.asked().length;
  const first = (await reportOf(service.host)).profiles[0]?.certificates;
  expect(first).toMatchObject({ ending: 1, expired: 0, missing: 0, asOf, unknown: [] });
  clock.advance(20 * day);
  const later = (await reportOf(service.host)).profiles[0]?.certificates;
  expect(later).toMatchObject({ ending: 0, expired: 1, asOf });
  expect(service.asked().length).toBe(requests);
});

test('every profile stands on its own, with its own companies and commands', async () => {
  const host = officeHost();
  mkdirSync(join(host.root, 'config'), { recursive: true });
  writeFileSync(join(host.root, 'config', 'config.json'), '{"profiles":{"norte":{},"sul":{}}}');
  await seed(host, async (store) => {
    await know(store, 'c1', 'Padaria Sol Ltda', 'norte');
  });
  const { profiles } = await reportOf(host, '--all-profiles');
  expect(profiles.map(({ profile, companies }) => [profile, companies])).toEqual([
    ['norte', 1],
    ['sul', 0],
  ]);
  expect(profiles[0]?.capture.next).toBe('fiscal inbound sync --all-companies --profile norte');
  const refused = await runFiscal(['status', '--all-profiles', '--company', 'c1'], host);
  expect(refused.exitCode).toBe(2);
});

test('a sync that failed is said with its reason, and nothing rests on what was read before it', async () => {
  // Goes on as real time does, for a run that waits for a real server.
  const offset = now - Date.now();
  const clock: Clock = { ...realClock, now: () => Date.now() + offset };
  const down = json(403, { error: { code: 'forbidden', message: 'no role' } });
  const service = await imitate({ 'GET /v2/companies/c1/inbound/productinvoices': down }, { clock });
  await seed(service.host, (store) => seedReadings(store, { companyId: 'c1', at: now - hour }));
  const before = (await reportOf(service.host)).profiles[0];
  expect([before?.capture.failed, before?.due.unknown]).toEqual([0, []]);
  const sync = await runFiscal(['inbound', 'sync', '--type', 'nfe'], service.host);
  expect(sync.exitCode).toBe(3);
  const [status] = (await reportOf(service.host)).profiles;
  expect(status?.capture).toMatchObject({
    failed: 1,
    behind: 0,
    byCompany: [
      {
        ...{ companyId: 'c1', family: 'nfe', state: 'failed', errorCode: 'service.forbidden' },
        ...{ failedAt: expect.stringMatching(/^2026-01-15T12:/), error: { en: expect.stringContaining('no role') } },
      },
    ],
  });
  expect(status?.due.unknown).toEqual([{ companyId: 'c1', reason: 'sync_failed' }]);
  const { stdout } = await runFiscal(['status', '-o', 'table', '--color', 'never'], service.host);
  expect(stdout).toMatch(/! Capture: 1 company whose last sync failed\n  c1 \(nfe\) 2026-01-15 09:\d\d: /);
  expect(stdout.split('\n').filter((line) => line.startsWith('✓'))).toEqual([
    '✓ Jobs: nothing to do',
    '✓ Billed this month by this machine: 0 billed calls',
  ]);
  // A complete reading after it is news again.
  await seed(service.host, (store) => seedReadings(store, { companyId: 'c1', at: clock.now() + 1 }));
  const after = (await reportOf(service.host)).profiles[0];
  expect([after?.capture.failed, after?.due.unknown]).toEqual([0, []]);
});

test('a key that the service refuses fails the sync of every company', async () => {
  const service = await imitate({ 'GET /v2/companies': json(401, {}) }, { clock: new FakeClock() });
  await seed(service.host, async (store) => {
    await know(store, 'c2', 'Mercado Lua Ltda');
    await seedReadings(store, { companyId: 'c2', at: now - hour });
  });
  expect((await runFiscal(['inbound', 'sync', '--all-companies'], service.host)).exitCode).toBe(4);
  const [status] = (await reportOf(service.host, '--company', 'c2')).profiles;
  expect(status?.capture.failed).toBe(1);
  expect(status?.due.unknown).toMatchObject([{ companyId: 'c2', reason: 'sync_failed' }]);
});

test('summaries that wait for their full XML are counted, without those that were cancelled', async () => {
  const host = officeHost();
  await seed(host, async (store) => {
    await know(store, 'c1', 'Padaria Sol Ltda');
    const cancelled = { ...received(3, '2026-01-14T12:00:00Z'), status: 'Cancelled' };
    const all = [received(1, '2026-01-14T12:00:00Z'), received(2, '2026-01-14T12:00:00Z'), cancelled];
    await store.documents.see(group('c1'), all, now);
    const due = await store.documents.due(group('c1'), { afterSeq: 0, limit: 9 });
    const file = { path: 'a.xml', sha256: 'ab', bytes: 1 };
    for (const { seq, version, id } of due) {
      const xmlKind = id === nfeKeyOf(1) ? 'full' : 'summary';
      const patch = { state: 'archived', due: false, archive: '/a', file, xmlKind, archivedAt: now } as const;
      await store.documents.finish([{ row: { id, seq, version }, patch, at: now }]);
    }
    await seedReadings(store, { companyId: 'c1', at: now });
  });
  const [status] = (await reportOf(host)).profiles;
  expect(status?.outstanding).toMatchObject({ files: 0, summaries: 1, byCompany: [{ summaries: 1 }] });
});

test('the capture that does not say whether it is on is not called on', async () => {
  const host = officeHost();
  await seed(host, async (store) => {
    await know(store, 'c1', 'Padaria Sol Ltda');
    await seedReadings(store, { companyId: 'c1', at: now });
    const capture = { kind: 'unclear', unclearStatus: 'status null' } as const;
    await noteCapture(store, group('c1'), { capture, at: now });
  });
  const [status] = (await reportOf(host)).profiles;
  expect(status?.capture).toMatchObject({ unclear: 1, byCompany: [{ family: 'nfe', state: 'unclear' }] });
});
