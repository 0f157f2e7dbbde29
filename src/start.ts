import { isAscii } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { folderOf } from './config/folders.js';
import { CompiledCode } from './io/compiled-code.js';
import type { main } from './main.js';

/*
 * Loads the files of the built program as Node does, but with the code that V8 compiled for an earlier run: most of a short run is
 * the compilation of what it uses.
 */

/** Of the whole build; the build puts it in. */
declare const BUILD: string;

/** Later V8 gives up the code of functions that are no longer called. */
const SHORT_RUN_S = 10;

export async function start(): Promise<void> {
  const folder = codeFolder();
  const code = folder === undefined ? undefined : new CompiledCode(folder, BUILD);
  const scripts = new Map<string, Script>();
  let isComplete = true;

  const load = (name: string): unknown => {
    const filename = join(__dirname, name);
    const known = require.cache[filename];
    if (known !== undefined) return known.exports;
    const bytes = readFileSync(filename);
    const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
    const cachedData = code?.of(name);
    const script = new Script(`(function (exports, require, module, __filename) {${text}\n})`, {
      filename,
      cachedData,
    });
    if (cachedData === undefined || script.cachedDataRejected === true) isComplete = false;
    scripts.set(name, script);
    const module = { exports: {}, filename, loaded: false } as NodeJS.Module;
    require.cache[filename] = module;
    const run = script.runInThisContext() as (...given: unknown[]) => void;
    run(module.exports, requireFrom, module, filename);
    module.loaded = true;
    return module.exports;
  };
  const requireFrom = (name: string): unknown => (name.startsWith('./') ? load(name.slice(2)) : require(name));

  await (load('main.js') as { readonly main: typeof main }).main();
  if (isComplete || process.uptime() > SHORT_RUN_S) return;
  code?.write(new Map([...scripts].map(([name, script]) => [name, () => script.createCachedData()])));
}

/** Where Node keeps compiled code, if the user chose a folder for that, or that of the user's caches. */
function codeFolder(): string | undefined {
  const { env, platform } = process;
  const homeDir = env[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  const cache = env['NODE_COMPILE_CACHE'] || folderOf('cache', { env, platform, homeDir });
  return cache === undefined ? undefined : join(cache, 'code');
}
