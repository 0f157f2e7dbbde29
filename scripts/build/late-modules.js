// @ts-check
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * Modules of Node that a start loads only when it uses them: most runs of the program need none or few of those that its
 * code and its packages import.
 */
const late = [
  'node:child_process',
  'node:crypto',
  'node:fs/promises',
  'node:https',
  'node:os',
  'node:tls',
  'node:tty',
  'node:zlib',
];

/**
 * Puts an object of getters in the place of each late module.
 * @type {import('esbuild').Plugin}
 */
export const lateModules = {
  name: 'late-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind, namespace }) => {
      // An `import()` is late already.
      const isEarly = kind === 'import-statement' || (kind === 'require-call' && namespace !== 'late');
      return isEarly && late.includes(path) ? { path, namespace: 'late' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'late' }, ({ path }) => {
      // Some packages look for zstd as soon as they load. fiscal never asks a service for it.
      const names = Object.keys(require(path)).filter((name) => !/zstd/i.test(name));
      const getters = names.map((name) => `get ${name}() { return require('${path}').${name}; }`);
      return { contents: `module.exports = { ${getters.join(', ')} };` };
    });
  },
};
