// @ts-check
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const own = require.resolve('better-sqlite3');
const { version, dependencies } = JSON.parse(readFileSync(require.resolve('better-sqlite3/package.json'), 'utf8'));

/**
 * The text of better-sqlite3 in the files of the program, and its addon by its path: Node opens 14 small files and looks for the
 * addon otherwise. Where another version is installed, or npm put the addon elsewhere, the package loads as it does by itself; so
 * does a version that finds its addon without the package `bindings`.
 * @type {import('esbuild').Plugin}
 */
export const bundledSqlite = {
  name: 'bundled-sqlite',
  setup({ onResolve, onLoad }) {
    if (!('bindings' in dependencies)) return;
    onResolve({ filter: /^better-sqlite3$/ }, ({ namespace }) =>
      namespace === 'sqlite' ? undefined : { path: 'choice', namespace: 'sqlite' },
    );
    onResolve({ filter: /^bundled$/, namespace: 'sqlite' }, () => ({ path: own }));
    onResolve({ filter: /^bindings$/ }, () => ({ path: 'addon', namespace: 'sqlite' }));
    onLoad({ filter: /^choice$/, namespace: 'sqlite' }, () => ({
      contents: `
        let addon;
        try {
          if (require('better-sqlite3/package.json').version === '${version}') addon = require('${addon}');
        } catch {}
        module.exports = addon === undefined ? require('better-sqlite3') : require('bundled');`,
    }));
    onLoad({ filter: /^addon$/, namespace: 'sqlite' }, () => ({
      contents: `module.exports = () => require('${addon}');`,
    }));
  },
};

const addon = 'better-sqlite3/build/Release/better_sqlite3.node';
