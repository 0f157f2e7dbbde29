import { expect, test } from 'vitest';
import { json, serve } from '../../client/support/server.js';
import { runFiscal, testHost } from '../../support/host.js';

test('a company is queried with the data key at the query host', async () => {
  const server = await serve(json(200, { federalTaxNumber: '12ABC34501DE35', name: 'X', status: 'Active' }));
  const host = testHost({ env: { FISCAL_DATA_KEY: 'd-key', FISCAL_QUERY_URL: server.url } });
  const result = await runFiscal(['lookup', 'cnpj', '12.abc.345/01DE-35', '-o', 'json'], host);
  expect(JSON.parse(result.stdout)).toEqual({ federalTaxNumber: '12ABC34501DE35', name: 'X', status: 'Active' });
  expect(server.seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/v1/cnpj/12ABC34501DE35', 'd-key'],
  ]);
});

test('a number with wrong digits is not queried', async () => {
  const server = await serve({ status: 200 });
  const host = testHost({ env: { FISCAL_DATA_KEY: 'd-key', FISCAL_QUERY_URL: server.url } });
  const result = await runFiscal(['lookup', 'cnpj', '12ABC34501DE36'], host);
  expect([result.exitCode, result.stdout]).toEqual([2, '']);
  expect(result.stderr).toContain('the check digits do not fit: expected 35');
  expect(server.seen).toEqual([]);
});

test('a company that the registry does not know exits 9', async () => {
  const server = await serve(json(404, { error: { code: 'not_found', message: 'no such company' } }));
  const host = testHost({ env: { FISCAL_DATA_KEY: 'd-key', FISCAL_QUERY_URL: server.url } });
  const result = await runFiscal(['lookup', 'cnpj', '12ABC34501DE35'], host);
  expect([result.exitCode, result.stdout]).toEqual([9, '']);
  expect(result.stderr).toContain('not_found: no such company');
});
