import { expect, test } from 'vitest';
import { testService } from '../../conformance/service.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';

/** The embedded sandbox: the service's own rules, behind the program's own words. */
const service = testService();

function hostOf(key = service.ready().invoiceKey): TestHost {
  const { url, companyId } = service.ready();
  const hosts = { FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url };
  return testHost({ env: { ...hosts, FISCAL_INVOICE_KEY: key, FISCAL_COMPANY: companyId } });
}

const statistics = ['show', '--type', 'nfse', '--statistics'];

async function capture(host: TestHost, ...words: string[]) {
  const result = await runFiscal(['inbound', 'capture', ...words, '-o', 'json'], host);
  return { ...result, shown: result.stdout === '' ? undefined : (JSON.parse(result.stdout) as unknown) };
}

async function types(host: TestHost): Promise<unknown> {
  const { shown } = await capture(host, 'show', '--notices');
  return Array.isArray(shown) ? shown.map((notice: { type: string }) => notice.type) : shown;
}

test('a spaced capture is not requested, after a reactivation it is, and the notices show it', async () => {
  const host = hostOf();
  await service.control('POST', 'captures', { family: 'nfse', spacedFor: '2h' });
  const early = await capture(host, 'run', '--yes');
  const woken = await capture(host, 'reactivate', '--yes');
  const now = await capture(host, 'run', '--yes');
  expect([early.exitCode, woken.exitCode, now.exitCode, await types(host)]).toEqual([
    12,
    0,
    0,
    ['CaptureReactivated', 'RateLimited'],
  ]);
});

test('a reset goes back to an NSU, without duplicate documents', async () => {
  const host = hostOf();
  const { companyId } = service.ready();
  await service.control('POST', 'seed', { documents: 5, family: 'nfse' });
  const keys = async () => (await runFiscal(['inbound', 'list', '--type', 'nfse', '-o', 'id'], host)).stdout;
  const before = await keys();
  const figures = await capture(host, ...statistics);
  const reset = await capture(host, 'reset-nsu', '1', '--yes', '--confirm', companyId);
  const listed = (text: string) => text.trimEnd().split('\n').toSorted();
  expect([figures.exitCode, reset.exitCode, listed(await keys()), await types(host)]).toEqual([
    0,
    0,
    listed(before),
    ['NsuReset', 'CaptureReactivated', 'RateLimited'],
  ]);
  expect(figures.shown).toMatchObject({
    ...{ companyId, family: 'nfse', statistics: { documentsTotal: 5, currentNsu: 5 } },
  });
});

test('without the role Management everything exits 7, and nothing happens', async () => {
  const { key } = (await service.control('POST', 'keys', { roles: ['NFSeDist'] })) as { key: string };
  const host = hostOf(key);
  const { companyId } = service.ready();
  const codes: number[] = [];
  for (const words of [
    ['run', '--yes'],
    ['reactivate', '--yes'],
    ['reset-nsu', '0', '--yes', '--confirm', companyId],
    statistics,
    ['show', '--notices'],
  ]) {
    codes.push((await capture(host, ...words)).exitCode);
  }
  expect([codes, await types(hostOf())]).toEqual([
    [7, 7, 7, 7, 7],
    ['NsuReset', 'CaptureReactivated', 'RateLimited'],
  ]);
});
