import { expect, test } from 'vitest';
import { serve } from '../../client/support/server.js';
import { runFiscal, testHost } from '../../support/host.js';

test('the built-in profile reaches the embedded sandbox with both of its keys', async () => {
  const host = testHost({ env: { FISCAL_PROFILE: 'sandbox' } });
  const status = await runFiscal(['auth', 'status', '--check', '-o', 'json'], host);
  expect([status.exitCode, JSON.parse(status.stdout)]).toEqual([
    0,
    [
      { kind: 'invoice', present: true, scheme: 'raw', source: 'profile sandbox', checked: 'accepted' },
      { kind: 'data', present: true, scheme: 'raw', source: 'profile sandbox', checked: 'not checkable' },
    ],
  ]);
  const lookup = await runFiscal(['lookup', 'cnpj', '11.222.333/0001-81', '-o', 'json'], host);
  expect([lookup.exitCode, JSON.parse(lookup.stdout)]).toMatchObject([0, { federalTaxNumber: '11222333000181' }]);
});

test.each([
  { keys: { FISCAL_INVOICE_KEY: 'a-key' }, code: 'auth.refused' },
  { keys: {}, code: 'auth.no_profile' },
])('a check of a key that is refused or absent ends with an error: $code', async ({ keys, code }) => {
  const { url } = await serve((_request, response) => response.writeHead(401).end('{}'));
  const host = testHost({ env: { FISCAL_PRODUCT_URL: url, FISCAL_DATA_KEY: 'd-key', ...keys } });
  const { exitCode, stdout, stderr } = await runFiscal(['auth', 'status', '--check', '-o', 'json'], host);
  expect([exitCode, stdout]).toEqual([4, '']);
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({ error: { code, exitCode: 4 } });
});

test('a live key in the environment is not sent to the sandbox', async () => {
  const host = testHost({ env: { FISCAL_PROFILE: 'sandbox', FISCAL_INVOICE_KEY: 'live-canary' } });
  const result = await runFiscal(['api', 'GET', '/v2/companies'], host);
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toContain('a live key may not be sent to');
  expect(result.stderr).not.toContain('live-canary');
});
