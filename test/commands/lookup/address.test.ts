import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { json, serve } from '../../client/support/server.js';
import { runFiscal, testHost } from '../../support/host.js';

test('a CEP is queried by the verb of the service and by the name of the field', async () => {
  const server = await serve(json(200, { addresses: [{ postalCode: '01310-100', street: 'Paulista' }] }));
  const host = testHost({ env: { FISCAL_DATA_KEY: 'd-key', FISCAL_ADDRESS_URL: server.url } });
  const results = [];
  for (const word of ['address', 'cep']) {
    results.push(await runFiscal(['lookup', word, '01310-100', '--refresh', '-o', 'json'], host));
  }
  expect(results[1]).toEqual(results[0]);
  expect(JSON.parse(results[0]?.stdout ?? '')).toEqual({
    addresses: [{ postalCode: '01310-100', street: 'Paulista' }],
  });
  expect(server.seen.map(({ path }) => path)).toEqual(['/v2/addresses/01310100', '/v2/addresses/01310100']);
});

test('the answer with one address, as seen live, is printed unchanged and summarised in a list', async () => {
  const address = { postalCode: '01310-100', street: 'Paulista', city: { name: 'São Paulo' }, state: 'SP' };
  const server = await serve(json(200, { address }));
  const host = testHost({ env: { FISCAL_DATA_KEY: 'd-key', FISCAL_ADDRESS_URL: server.url } });
  const one = await runFiscal(['lookup', 'cep', '01310-100', '-o', 'json'], host);
  expect([one.exitCode, JSON.parse(one.stdout)]).toEqual([0, { address }]);
  writeFileSync(join(host.cwd, 'ceps.txt'), '01310100\n');
  const list = await runFiscal(['lookup', 'cep', '--file', 'ceps.txt', '--refresh', '-o', 'table'], host);
  expect([list.exitCode, list.stdout]).toEqual([0, expect.stringContaining('Paulista, São Paulo, SP')]);
});
