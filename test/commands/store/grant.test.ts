import { expect, test } from 'vitest';
import { runFiscal } from '../../support/host.js';

test('the SQL is all of stdout, and the name of the role is quoted', async () => {
  const { exitCode, stdout } = await runFiscal(['store', 'grant', '--role', 'fiscal_app']);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^BEGIN;\nGRANT USAGE ON SCHEMA fiscal TO "fiscal_app";\n[^]*;\nCOMMIT;\n$/);
  const hostile = await runFiscal(['store', 'grant', '--role', 'a"; DROP SCHEMA fiscal; --']);
  expect(hostile.stdout).toContain('TO "a""; DROP SCHEMA fiscal; --";');
});

test.each([
  ['', 'the name of a role is expected'],
  ['public', 'reserved'],
  ['none', 'reserved'],
  ['pg_read_all_data', 'reserved'],
  ['é'.repeat(32), 'at most 63 bytes'],
  ['a\nb', 'no control characters'],
])('the role %j is refused: exit 2', async (role, words) => {
  const { exitCode, stdout, stderr } = await runFiscal(['store', 'grant', '--role', role]);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toContain(words);
});

test('without a role the missing word is named', async () => {
  const { exitCode, stderr } = await runFiscal(['store', 'grant']);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--role')]);
});
