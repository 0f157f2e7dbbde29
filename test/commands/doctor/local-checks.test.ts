import { expect, test } from 'vitest';
import { checkRuntime } from '../../../src/commands/doctor/local-checks.js';

test('Node before 20.19 is too old', () => {
  const versions = ['18.20.4', '20.18.3', '20.19.0', '22.0.0', '26.1.0'];
  expect(versions.map((version) => checkRuntime(version).status)).toEqual(['problem', 'problem', 'ok', 'ok', 'ok']);
  expect(checkRuntime('20.18.3').advice?.en).toBe('install Node 20.19 or newer');
});
