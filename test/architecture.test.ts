import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  layerMessage,
  layers,
  packageHomes,
  packageMessage,
  rootFolderMessage,
  rootFolders,
} from '../scripts/layers.js';
import { arrows, processUsers, statefulModules } from './architecture/exceptions.js';
import { findCycles, reachable } from './architecture/graph.js';
import { inspect, readRootFolder, readSourceFiles, type ImportEdge } from './architecture/source-files.js';
import { factHomes } from './architecture/fact-homes.js';

const files = await readSourceFiles();
const paths = new Set(files.map((file) => file.path));
const edges = files.flatMap((file) => file.imports);
const inner = edges.filter((edge) => edge.inside);
const folderOf = (path: string): string => path.split('/')[0] ?? path;

/** The edge of the process and the run, which may wire everything by `await import()`. */
const tops = ['start.ts', 'main.ts', 'run.ts'];

describe('the imports of src', () => {
  test('resolve to files that exist', () => {
    const isFile = ({ to }: ImportEdge) => paths.has(to) || (to.endsWith('.json') && existsSync(`src/${to}`));
    expect(inner.filter((edge) => !isFile(edge)).map(show)).toEqual([]);
  });

  test('point down only', () => {
    const used = inner.filter((edge) => forbidden(edge) !== undefined);
    const unexcused = used.filter((edge) => edge.manner === 'static' || !isExcused(edge));
    expect(unexcused.map((edge) => `${show(edge)}: ${forbidden(edge)}`)).toEqual([]);
  });

  test('have no cycle', () => {
    expect(findCycles(inner)).toEqual([]);
  });

  test('load a heavy package only from its home', () => {
    const strangers = edges.flatMap((edge) => {
      const homes = packageHomes[edge.to];
      if (edge.inside || edge.manner === 'type' || homes === undefined) return [];
      const isHome = homes.some((home) => edge.from.startsWith(`${home}/`));
      return isHome ? [] : [`${show(edge)}: ${packageMessage(edge.to, homes)}`];
    });
    expect(strangers).toEqual([]);
  });

  test('never cross from one noun to another', () => {
    const joined = inner.filter((edge) => {
      const [from, to] = [nounOf(edge.from), nounOf(edge.to)];
      const isLoadedLater = edge.manner === 'dynamic';
      return from !== undefined && to !== undefined && from !== to && !isLoadedLater;
    });
    expect(joined.map(show)).toEqual([]);
  });

  test('load the work of a command only when it runs', () => {
    const definitions = inner.filter(
      ({ from, to, manner }) => manner === 'static' && /^commands\//.test(from) && /^cli\//.test(to),
    );
    const loaded = reachable([...new Set(definitions.map(({ from }) => from))], inner, ['static']);
    expect([...loaded].filter((path) => /^(services|jobs|client|receiver|store)\//.test(path))).toEqual([]);
  });

  test('keep the sandbox out of the static graph of the program, and the program out of the sandbox', () => {
    const program = reachable(['main.ts'], inner, ['static']);
    const sandbox = reachable(
      [...paths].filter((path) => path.startsWith('sandbox/')),
      inner,
      ['static', 'dynamic'],
    );
    expect([...program].filter((path) => path.startsWith('sandbox/'))).toEqual([]);
    expect([...sandbox].filter((path) => !/^(sandbox|contract)\//.test(path))).toEqual([]);
  });
});

/** Block comments and comments that are a line. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

describe('the files of src', () => {
  test('touch process and console only in main and io', () => {
    const users = files.filter((file) => file.globals.length > 0 && !/^((start|main)\.ts|io\/)/.test(file.path));
    const unexcused = users.filter((file) => !processUsers.some((it) => it.file === file.path));
    expect(unexcused.map((file) => `${file.path}: ${file.globals.join(', ')}`)).toEqual([]);
  });

  test('create folders with their parents only by makeFolder: what Node offers for that may never end', async () => {
    const sources = await Promise.all(
      [...paths].map(async (path) => ({ path, text: await readFile(`src/${path}`, 'utf8') })),
    );
    const makers = sources.filter(({ text }) => /\bmkdir(?:Sync)?\b/.test(text)).map(({ path }) => path);
    // The sandbox, which shares nothing with the program, creates one folder without its parents.
    expect(makers.toSorted()).toEqual(['io/make-folder.ts', 'sandbox/core/database.ts']);
    expect(sources.filter(({ text }) => /\bmkdir(?:Sync)?\([^)]*recursive/.test(text))).toEqual([]);
  });

  test.each(factHomes)('work out the $fact in one home', async ({ homes, looksLike }) => {
    const sources = await Promise.all(
      [...paths].map(async (path) => ({ path, text: withoutComments(await readFile(`src/${path}`, 'utf8')) })),
    );
    const found = sources.filter(({ path, text }) => !path.startsWith('sandbox/') && looksLike.test(text));
    expect(found.map(({ path }) => path).filter((path) => !homes.includes(path))).toEqual([]);
    const [home = ''] = homes;
    expect(await readFile('docs/architecture.md', 'utf8')).toContain(home);
  });

  test('keep no state in modules', () => {
    const keepers = files.filter((file) => file.state.length > 0);
    const unexcused = keepers.filter((file) => !statefulModules.some((it) => it.file === file.path));
    expect(unexcused.map((file) => `${file.path}: ${file.state.join(', ')}`)).toEqual([]);
  });

  test('belong to a layer that has rules', () => {
    const known = new Set([...layers.map((layer) => layer.folder), ...tops]);
    expect([...paths].filter((path) => !known.has(folderOf(path)))).toEqual([]);
  });
});

describe('the folders beside src', () => {
  test.each(Object.entries(rootFolders))('%s imports only %j', async (folder, mayImport) => {
    const own = await readRootFolder(folder);
    const wrong = own
      .flatMap((file) => file.imports)
      .filter((edge) => edge.inside && edge.to.includes('/'))
      .map((edge) => ({ edge, target: folderOf(edge.to) }))
      .filter(({ target }) => target !== folder && !mayImport.includes(target));
    expect(own.length).toBeGreaterThan(5);
    expect(wrong.map(({ edge, target }) => `${show(edge)}: ${rootFolderMessage(folder, target)}`)).toEqual([]);
  });
});

describe('the exceptions', () => {
  test('are all still needed', () => {
    const idleArrows = arrows.filter(
      (it) => !inner.some((edge) => edge.from === it.file && edge.to === it.target && forbidden(edge)),
    );
    const idleUsers = processUsers.filter(
      (it) => !files.some((file) => file.path === it.file && file.globals.length > 0),
    );
    const idleModules = statefulModules.filter(
      (it) => !files.some((file) => file.path === it.file && file.state.length > 0),
    );
    expect([...idleArrows, ...idleUsers, ...idleModules]).toEqual([]);
  });
});

describe('the reader of sources behind these tests', () => {
  test('distinguishes static, dynamic and type imports, and finds globals of the process', () => {
    const text = [
      "import got from 'got';",
      "import type { A } from '../domain/a.js';",
      "import { type B } from './b.js';",
      "export { c } from './c.js';",
      "const later = await import('../store/open.js');",
      'console.log(process.argv, later.process.pid); // console.log',
    ].join('\n');
    expect(inspect('client/x.ts', text)).toEqual({
      path: 'client/x.ts',
      lines: 6,
      imports: [
        { from: 'client/x.ts', to: 'got', inside: false, manner: 'static' },
        { from: 'client/x.ts', to: 'domain/a.ts', inside: true, manner: 'type' },
        { from: 'client/x.ts', to: 'client/b.ts', inside: true, manner: 'type' },
        { from: 'client/x.ts', to: 'client/c.ts', inside: true, manner: 'static' },
        { from: 'client/x.ts', to: 'store/open.ts', inside: true, manner: 'dynamic' },
      ],
      globals: ['console in line 6', 'process in line 6'],
      state: [],
    });
  });

  test('finds the process behind a module or a variable, and state in modules', () => {
    const text = [
      "import { kill } from 'node:process';",
      'const { env } = process;',
      'let last = 0;',
      'const seen = new Map<string, number>();',
      "const known = new Set(['a']);",
      'const none: ReadonlyMap<string, number> = new Map();',
      'class Box { static all = new Set(); readonly own = new Map(); }',
      'function count(own: Host) { let total = own.process; const list = []; return [total, list]; }',
    ].join('\n');
    const { globals, state } = inspect('client/x.ts', text);
    expect(globals).toEqual(['node:process in line 1', 'process in line 2']);
    expect(state).toEqual(['last in line 3', 'seen in line 4', 'all in line 7']);
  });

  test('finds an upward import and a cycle', () => {
    const up: ImportEdge = { from: 'domain/a.ts', to: 'client/b.ts', inside: true, manner: 'static' };
    const back: ImportEdge = { from: 'client/b.ts', to: 'domain/a.ts', inside: true, manner: 'static' };
    expect(forbidden(up)).toBe(layerMessage('domain', 'client'));
    expect(forbidden(back)).toBeUndefined();
    expect(findCycles([up, back])).toEqual(['client/b.ts → domain/a.ts → client/b.ts']);
  });
});

function forbidden(edge: ImportEdge): string | undefined {
  const [from, to] = [folderOf(edge.from), folderOf(edge.to)];
  if (from === to) return undefined;
  if (tops.includes(from) && (!tops.includes(to) || tops.indexOf(from) < tops.indexOf(to))) return undefined;
  if (tops.includes(to)) return layerMessage(from, to);
  const layer = layers.find((candidate) => candidate.folder === from);
  if (layer?.mayImport.includes(to) === true) return undefined;
  if (layer?.typesOnly?.includes(to) === true && edge.manner !== 'static') return undefined;
  return layerMessage(from, to);
}

function isExcused(edge: ImportEdge): boolean {
  return arrows.some((it) => it.file === edge.from && it.target === edge.to);
}

/** `product` of `commands/product/create.ts`; nothing for the list of all commands. */
function nounOf(path: string): string | undefined {
  const [top, noun, rest] = path.split('/');
  return top === 'commands' && rest !== undefined ? noun : undefined;
}

function show(edge: ImportEdge): string {
  return `${edge.from} → ${edge.to}`;
}
