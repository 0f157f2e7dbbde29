import { expect, test } from 'vitest';
import { runFiscal } from '../support/host.js';

test('--version, -V and version print one line', async () => {
  const expected = { exitCode: 0, stdout: 'fiscal 0.1.0\n', stderr: '' };
  expect(await runFiscal(['--version'])).toEqual(expected);
  expect(await runFiscal(['-V'])).toEqual(expected);
  expect(await runFiscal(['version'])).toEqual(expected);
});

test('a wrong word gets a suggestion and ends with 2', async () => {
  expect(await runFiscal(['prodct', 'create'], { env: { FISCAL_ERROR_FORMAT: 'text' } })).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'fiscal: there is no command "prodct"\n  hint: did you mean "fiscal product"? See fiscal --help\n',
  });
});
