import { expect, test } from 'vitest';
import { startProgram } from '../../src/io/start-program.js';

test.skipIf(process.platform === 'win32')('a program that fails or is not there has not started', async () => {
  const env = { PATH: process.env['PATH'] };
  expect(await startProgram(['true'], env)).toBe(true);
  expect(await startProgram(['false'], env)).toBe(false);
  expect(await startProgram(['/no/such/program', '/tmp/a.pdf'], env)).toBe(false);
  // The path is one argument, and no shell reads it.
  expect(await startProgram(['test', '$(false); exit 1 #', '=', '$(false); exit 1 #'], env)).toBe(true);
});
