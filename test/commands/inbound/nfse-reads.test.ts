import { beforeAll, expect, test } from 'vitest';
import { json } from '../../client/support/server.js';
import { testService } from '../../conformance/service.js';
import { runFiscal } from '../../support/host.js';
import { machineBefore, type Machine } from '../../support/service-host.js';
import { imitate } from './service.js';

const service = testService();
let machine: Machine;

const listed = [...['inbound', 'capture', 'show', '--type', 'nfse', '--all-companies', '--listed', '-o', 'json']];

beforeAll(() => {
  machine = machineBefore(service.ready());
});

test('the companies that capture NFS-e are listed with their settings', async () => {
  const { exitCode, stdout } = await machine.fiscal(...listed);
  const rows = JSON.parse(stdout) as readonly { companyId: string }[];
  expect([exitCode, rows.map(({ companyId }) => companyId)]).toEqual([0, [service.ready().companyId]]);
});

test.each(['id', 'companyId'])('a company of that list is named by %s, and its row by companyId', async (field) => {
  const companies = [{ [field]: 'c1', isActive: true }];
  const other = await imitate({ 'GET /v2/companies/inbound/nfse': json(200, { page: 1, totalPages: 1, companies }) });
  const { stdout } = await runFiscal(listed, other.host);
  expect(JSON.parse(stdout)).toMatchObject([{ companyId: 'c1', isActive: true }]);
});

test('a captured NFS-e is read as JSON, by key or id', async () => {
  const { accessKey } = await service.control('POST', 'documents', { family: 'nfse' });
  const byKey = await machine.fiscal('inbound', 'get', String(accessKey), '--content', '-o', 'json');
  const { id } = JSON.parse((await machine.fiscal('inbound', 'get', String(accessKey), '-o', 'json')).stdout) as {
    id: string;
  };
  const byId = await machine.fiscal(...['inbound', 'get', id, '--type', 'nfse', '--content', '-o', 'json']);
  expect([byKey.exitCode, JSON.parse(byKey.stdout)]).toMatchObject([0, { accessKey }]);
  expect(byId.stdout).toBe(byKey.stdout);
});
