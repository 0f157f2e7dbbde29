import { beforeAll, expect, test } from 'vitest';
import { testService } from '../../conformance/service.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';

const service = testService();

function hostOfService(): TestHost {
  const { url, invoiceKey, companyId } = service.ready();
  const hosts = { FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url };
  return testHost({ env: { ...hosts, FISCAL_INVOICE_KEY: invoiceKey, FISCAL_COMPANY: companyId } });
}

async function keysOf(...words: string[]): Promise<readonly string[]> {
  const result = await runFiscal(['inbound', 'list', '--all', '-o', 'id', ...words], hostOfService());
  expect([result.exitCode, result.stderr]).toEqual([0, '']);
  return result.stdout.trimEnd().split('\n').toSorted();
}

beforeAll(async () => {
  await service.control('POST', 'seed', { documents: 12, family: 'nfe' });
});

test('a list that is cut without a link is read to its end, or exits 5: it never counts as complete', async () => {
  const fault = { kind: 'cut-list', operation: 'nfe.inbound.list' };
  const whole = await keysOf('--type', 'nfe');
  await service.control('POST', 'faults', { ...fault, count: 1 });
  expect(await keysOf('--type', 'nfe')).toEqual(whole);
  await service.control('POST', 'faults', fault);
  for (const words of [
    ['inbound', 'list', '--type', 'nfe', '--all'],
    ['inbound', 'list', '--type', 'nfe', '--all', '--order-by', 'issuedOn desc'],
    ['webhook', 'missed', '--type', 'nfe', '--since', '9999d'],
  ]) {
    const { exitCode, stderr } = await runFiscal([...words, '-o', 'ndjson'], hostOfService());
    expect([words, exitCode, stderr.includes('service.list_cut')]).toEqual([words, 5, true]);
  }
  await service.control('DELETE', 'faults');
});

test.each(['nfe.inbound.list', 'nfe.inbound.events'])(
  'a sync with a truncated %s reports it, and the next one reads the rest',
  async (operation) => {
    await service.control('POST', 'documents', { family: 'nfe', cancelled: true });
    const host = hostOfService();
    const sync = ['inbound', 'sync', '--type', 'nfe', '-o', 'ndjson'];
    await service.control('POST', 'faults', { kind: 'cut-list', operation });
    const cut = await runFiscal(sync, host);
    expect([cut.exitCode, cut.stdout.includes('"errorCode":"service.list_cut"')]).toEqual([3, true]);
    await service.control('DELETE', 'faults');
    const again = await runFiscal(sync, host);
    expect(again.exitCode).toBe(0);
    const local = await runFiscal(['inbound', 'list', '--local', '-o', 'id', '--all'], host);
    expect(local.stdout.trimEnd().split('\n').toSorted()).toEqual(await keysOf('--type', 'nfe'));
  },
);
