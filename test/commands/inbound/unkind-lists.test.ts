import { afterEach, beforeAll, expect, test } from 'vitest';
import { listFaultKinds } from '../../../src/contract/sandbox.js';
import { testService } from '../../conformance/service.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';

const service = testService();

function hostOfService(): TestHost {
  const { url, invoiceKey, companyId } = service.ready();
  const hosts = { FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url };
  return testHost({ env: { ...hosts, FISCAL_INVOICE_KEY: invoiceKey, FISCAL_COMPANY: companyId } });
}

const family = (type: string) => ({
  list: ['inbound', 'list', '--type', type, '--all', '-o', 'id'],
  sync: ['inbound', 'sync', '--type', type, '-o', 'ndjson'],
  missed: ['webhook', 'missed', '--type', type, '--since', '9999d', '--all', '-o', 'id'],
});

async function run(words: readonly string[], host = hostOfService()) {
  const { exitCode, stdout, stderr } = await runFiscal([...words], host);
  return { exitCode, rows: stdout.trimEnd().split('\n').toSorted(), said: stdout + stderr };
}

/** What a fault leaves unproven. The others leave a list that its end, or a second reading, proves. */
const unproven = new Set([
  ...['cut-list', 'list-row-twice', 'list-row-missing', 'list-page-again', 'list-total-wrong'],
]);

beforeAll(async () => {
  await service.control('POST', 'seed', { documents: 12, family: 'nfe' });
  await service.control('POST', 'seed', { documents: 12, family: 'nfse' });
  for (let count = 0; count < 3; count += 1)
    await service.control('POST', 'documents', { family: 'nfe', cancelled: true });
});

afterEach(async () => {
  await service.control('DELETE', 'faults');
});

test.each(['nfe', 'nfse'])('%s: a list that is unkind once is read again, and gives every row once', async (type) => {
  const { list } = family(type);
  const whole = await run(list);
  expect([whole.exitCode, whole.rows.length]).toEqual([0, type === 'nfe' ? 15 : 12]);
  for (const kind of listFaultKinds) {
    // A row that leaves a list of one page is not in the list.
    if (kind === 'list-null' || kind === 'list-rows-move') continue;
    const count = kind === 'list-page-again' ? 2 : 1;
    await service.control('POST', 'faults', { kind, count, operation: `${type}.inbound.list` });
    const { exitCode, rows } = await run(list);
    expect([kind, exitCode, rows]).toEqual([kind, 0, whole.rows]);
    await service.control('DELETE', 'faults');
  }
});

test.each(['nfe', 'nfse'])('%s: a list that is unkind in every reading is never said to be whole', async (type) => {
  const { list, sync, missed } = family(type);
  for (const kind of listFaultKinds.filter((each) => unproven.has(each))) {
    await service.control('POST', 'faults', { kind, operation: `${type}.inbound.list` });
    const ends = [await run(list), await run(missed), await run(sync)];
    expect([kind, ...ends.map(({ exitCode }) => exitCode)]).toEqual([kind, 5, 5, 3]);
    expect(ends.map(({ said }) => said.includes('service.list_cut'))).toEqual([true, true, true]);
    await service.control('DELETE', 'faults');
  }
});

test('a list of events that hides a cancellation is not whole: the sync ends 3, and the next one has it', async () => {
  const { sync } = family('nfe');
  for (const kind of listFaultKinds.filter((each) => unproven.has(each))) {
    const host = hostOfService();
    await service.control('POST', 'faults', { kind, operation: 'nfe.inbound.events' });
    const cut = await run(sync, host);
    expect([kind, cut.exitCode, cut.said.includes('service.list_cut')]).toEqual([kind, 3, true]);
    await service.control('DELETE', 'faults');
    expect((await run(sync, host)).exitCode).toBe(0);
  }
});

test('the page of a list that counts its own rows is not taken for the list', async () => {
  await service.control('POST', 'pages', { short: true });
  const fault = { kind: 'list-total-of-page', operation: 'nfe.inbound.list' };
  await service.control('POST', 'faults', fault);
  const { exitCode, rows } = await run(family('nfe').list);
  expect([exitCode, rows.length]).toEqual([0, 15]);
  await service.control('POST', 'pages', {});
});

test('a document and an event of a far date do not end the syncs after them', async () => {
  const host = hostOfService();
  const { sync } = family('nfe');
  await service.control('POST', 'clock', { set: '2036-01-01T00:00:00Z' });
  await service.control('POST', 'documents', { family: 'nfe', cancelled: true });
  await service.control('POST', 'clock', { set: new Date().toISOString() });
  expect((await run(sync, host)).exitCode).toBe(0);
  const { accessKey } = await service.control('POST', 'documents', { family: 'nfe', cancelled: true });
  const { exitCode } = await run(sync, host);
  const local = await run(['inbound', 'list', '--local', '--all', '-o', 'id'], host);
  expect([exitCode, local.rows.includes(accessKey)]).toEqual([0, true]);
});
