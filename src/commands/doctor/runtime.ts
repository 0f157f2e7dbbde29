import { versions } from 'node:process';
import { same, type Check } from './check.js';

const oldest = [20, 19] as const;

/** The versions of Node that the program is made for. */
export function checkRuntime(version: string = versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  if (!isOld) return { check: 'node', status: 'ok', found: same(`Node ${version}`) };
  return {
    check: 'node',
    status: 'problem',
    found: same(`Node ${version}`),
    advice: {
      en: `install Node ${oldest.join('.')} or newer`,
      pt: `instale o Node ${oldest.join('.')} ou mais novo`,
    },
  };
}
