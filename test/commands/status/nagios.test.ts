import { expect, test } from 'vitest';
import { seed } from '../seed.js';
import { json } from '../../client/support/server.js';
import { seedReadings } from '../../support/readings.js';
import { FakeClock } from '../../support/clock.js';
import { runFiscal } from '../../support/host.js';
import { imitate, type Answers } from '../inbound/service.js';

const of = (path: string) => `GET /v2/companies/c1${path}`;
const certificate = { subject: 'CN=Um', thumbprint: 'AB', status: 'Active', validUntil: '2026-12-31T00:00:00Z' };
const fine: Answers = {
  'GET /v2/companies': json(200, {
    companies: [{ id: 'c1', name: 'Um | Ltda', federalTaxNumber: '29638438000181' }],
    hasMore: false,
  }),
  [of('/certificates')]: json(200, { certificates: [certificate] }),
  [of('/inbound/productinvoices')]: json(200, { companyId: 'c1', status: 'Active', createdOn: '2025-01-01T00:00:00Z' }),
  [of('/inbound/nfe')]: json(200, { value: [{ accessKey: 'k', createdOn: '2026-01-05T11:00:00Z' }] }),
  [of('/inbound/nfse/details')]: json(200, { companyId: 'c1', isActive: true, startFromDate: '2025-06-01T00:00:00Z' }),
  [of('/inbound/nfse')]: json(200, { page: 1, documents: [{ accessKey: 'k', createdOn: '2026-01-15T11:00:00Z' }] }),
  [of('/inbound/nfse/backfill')]: json(200, { released: false, hiddenDocumentsCount: 7 }),
};

async function plugin(answers: Answers, words: readonly string[] = []) {
  const service = await imitate(answers, { clock: new FakeClock() });
  await seed(service.host, async (store) => {
    await seedReadings(store, { companyId: 'c1', at: service.host.clock.now() - 3_600_000 });
  });
  const { exitCode, stdout } = await runFiscal(['status', '--check', '--nagios', ...words], service.host);
  return [exitCode, stdout];
}

const figures = 'last_sync_age=3600s certificate_left=30196800s\n';

test('a line and a code of Nagios for each of its four states', async () => {
  expect(await plugin(fine)).toEqual([0, `FISCAL OK - 0 of 1 companies | companies=1 problems=0 ${figures}`]);
  expect(await plugin(fine, ['--warn', '400d'])).toEqual([
    1,
    `FISCAL WARNING - 1 of 1 companies; Um / Ltda: certificate_expiring | companies=1 problems=1 ${figures}`,
  ]);
  expect(await plugin(fine, ['--expect', 'cte'])).toEqual([
    2,
    `FISCAL CRITICAL - 1 of 1 companies; Um / Ltda: capture_off | companies=1 problems=1 ${figures}`,
  ]);
  const [exitCode, line] = await plugin({ ...fine, [of('/certificates')]: json(500, {}) }, ['--max-retry-wait', '1ms']);
  expect([exitCode, line]).toEqual([
    3,
    expect.stringMatching(/^FISCAL UNKNOWN - 1 of 1 companies; .*\| companies=1 .*certificate_left=U\n$/),
  ]);
});

test('a check that cannot be made is unknown, in one line', async () => {
  const [exitCode, line] = await plugin({ 'GET /v2/companies': json(401, {}) });
  expect([exitCode, line]).toEqual([3, expect.stringMatching(/^FISCAL UNKNOWN - [^\n]+\n$/)]);
});

test('the metrics say when the lists were last read to their end', async () => {
  const service = await imitate(fine, { clock: new FakeClock() });
  const at = service.host.clock.now() - 3_600_000;
  await seed(service.host, async (store) => await seedReadings(store, { companyId: 'c1', at }));
  const { stdout } = await runFiscal(['status', '--check', '--prometheus'], service.host);
  expect(stdout).toContain(`fiscal_company_last_sync_timestamp_seconds{company_id="c1",family="nfe"} ${at / 1000}\n`);
});
