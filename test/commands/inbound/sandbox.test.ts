import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
  return result.stdout.trimEnd().split('\n');
}

async function seed(family: string, documents: number): Promise<void> {
  await service.control('POST', 'seed', { documents, family });
}

test('lists lose and repeat nothing while documents arrive and pages are repeated and reordered', async () => {
  await seed('nfe', 1_300);
  await seed('nfse', 350);
  const quiet = { nfe: await keysOf('--type', 'nfe'), nfse: await keysOf('--type', 'nfse') };
  expect([new Set(quiet.nfe).size, new Set(quiet.nfse).size]).toEqual([1_300, 350]);
  for (const spoiled of [{ doubled: true }, { reordered: true }, { doubled: true, reordered: true }]) {
    await service.control('POST', 'pages', spoiled);
    await service.control('POST', 'arrivals', { everyRequests: 1, count: 12 });
    for (const family of ['nfe', 'nfse'] as const) {
      const words = ['inbound', 'list', '--all', '-o', 'id', '--type', family];
      const { exitCode, stdout, stderr } = await runFiscal(words, hostOfService());
      const found = stdout.trimEnd().split('\n');
      // Without an order there is no place to continue from, and a list that grows in every reading is never whole.
      const isWhole = family === 'nfse' || !('reordered' in spoiled);
      expect([exitCode, stderr.includes('its count changed while it was read')]).toEqual([isWhole ? 0 : 5, !isWhole]);
      const unique = new Set(found);
      expect({ spoiled, family, doubles: found.length - unique.size }).toEqual({ spoiled, family, doubles: 0 });
      expect(quiet[family].filter((key) => !unique.has(key))).toEqual([]);
    }
  }
  await service.control('DELETE', 'arrivals');
  await service.control('POST', 'pages', {});
});

test('the order of the user returns the same documents', async () => {
  const own = await keysOf('--type', 'nfe', '--order-by', 'issuedOn desc');
  expect(own.toSorted()).toEqual((await keysOf('--type', 'nfe')).toSorted());
});

test.each(['bytes', 'redirect', 'json'])('the bytes are the same by %s', async (mode) => {
  await service.control('POST', 'bytes', { mode: 'bytes' });
  const [key = ''] = await keysOf('--type', 'nfe');
  const host = hostOfService();
  const plain = await runFiscal(['inbound', 'xml', key], host);
  await service.control('POST', 'bytes', { mode });
  const result = await runFiscal(['inbound', 'xml', key, '--out', 'n.xml', '-o', 'json'], host);
  const written = readFileSync(join(host.cwd, 'n.xml'));
  expect([result.exitCode, written.toString()]).toEqual([0, plain.stdout]);
  expect(JSON.parse(result.stdout)).toMatchObject({
    bytes: written.length,
    sha256: createHash('sha256').update(written).digest('hex'),
  });
  await service.control('POST', 'bytes', { mode: 'bytes' });
});

test.each(['self-link', 'endless-list'])('a hostile list (%s) ends, with a clear error', async (kind) => {
  await service.control('POST', 'hostile', { kind });
  const argv = ['inbound', 'list', '--type', 'nfe', '--order-by', 'issuedOn desc', '--all', '-o', 'id'];
  const result = await runFiscal(argv, hostOfService());
  await service.control('DELETE', 'hostile');
  expect([kind, result.exitCode, result.stderr.includes('service.list_cut')]).toEqual([kind, 5, true]);
});

test('settings are shown as disabled, enabled and changed', async () => {
  const host = hostOfService();
  const run = async (...words: string[]) =>
    await runFiscal(['inbound', 'capture', ...words, '--type', 'nfe', '-o', 'json'], host);
  expect((await run('disable', '--yes')).exitCode).toBe(0);
  const enabled = await run('enable', '--start-from-date', '2026-10-01', '--webhook-version', '2');
  expect(enabled.exitCode).toBe(0);
  expect((await run('update', '--minutes-to-operation-confirmation', '60', '--yes')).exitCode).toBe(0);
  expect(JSON.parse((await run('show')).stdout)).toMatchObject({
    status: 'Active',
    startFromDate: '2026-10-01T03:00:00Z',
    webhookVersion: '2',
    automaticManifesting: { minutesToOperationConfirmation: 60 },
  });
});

test('a capture that was switched from test to production proves no month that may include test', async () => {
  const host = hostOfService();
  const fiscal = async (...argv: string[]) => await runFiscal(['inbound', ...argv], host);
  const change = ['capture', 'update', '--type', 'nfe', '--yes', '--environment'];
  expect((await fiscal(...change, 'Test')).exitCode).toBe(0);
  expect((await fiscal(...change, 'Production')).exitCode).toBe(0);
  const month = new Date().toISOString().slice(0, 7);
  const closed = await fiscal('close', month, '--type', 'nfe', '-o', 'json');
  expect(closed.exitCode).toBe(3);
  expect(closed.stdout).toContain('"environment-changed"');
  expect(closed.stderr).toContain('NF-e were captured from the environment "Test" when this machine checked');
});
