import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { floorMessage, floors, homesOfPackages, packageMessage } from '../scripts/floors.js';
import { arrows, processUsers } from './architecture/exceptions.js';
import { findCycles, reachable } from './architecture/graph.js';
import { inspect, readSourceFiles, type ImportEdge } from './architecture/source-files.js';

const files = await readSourceFiles();
const paths = new Set(files.map((file) => file.path));
const edges = files.flatMap((file) => file.imports);
const inner = edges.filter((edge) => edge.inside);
const folderOf = (path: string): string => path.split('/')[0] ?? path;

/** The top of the house: the edge of the process and the run, which may wire everything by `await import()`. */
const tops = ['main.ts', 'run.ts'];

describe('the imports of src', () => {
  test('each leads to a file that exists', () => {
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

  test('bring a heavy package only to its home', () => {
    const strangers = edges.flatMap((edge) => {
      const homes = homesOfPackages[edge.to];
      if (edge.inside || edge.manner === 'type' || homes === undefined) return [];
      const isHome = homes.some((home) => edge.from.startsWith(`${home}/`));
      return isHome ? [] : [`${show(edge)}: ${packageMessage(edge.to, homes)}`];
    });
    expect(strangers).toEqual([]);
  });

  test('never join two nouns', () => {
    const joined = inner.filter((edge) => {
      const [from, to] = [nounOf(edge.from), nounOf(edge.to)];
      const isLoadedLater = edge.manner === 'dynamic';
      return from !== undefined && to !== undefined && from !== to && !isLoadedLater;
    });
    expect(joined.map(show)).toEqual([]);
  });

  test('load the work of a command only when it runs: its definition brings words and options', () => {
    const definitions = inner.filter(({ from, to }) => /^commands\//.test(from) && /^cli\//.test(to));
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

describe('the files of src', () => {
  test('touch process and console only in main and io', () => {
    const users = files.filter((file) => file.globals.length > 0 && !/^(main\.ts|io\/)/.test(file.path));
    const unexcused = users.filter((file) => !processUsers.some((it) => it.file === file.path));
    expect(unexcused.map((file) => `${file.path}: ${file.globals.join(', ')}`)).toEqual([]);
  });

  test('stand on a floor that has rules', () => {
    const known = new Set([...floors.map((floor) => floor.folder), ...tops]);
    expect([...paths].filter((path) => !known.has(folderOf(path)))).toEqual([]);
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
    expect([...idleArrows, ...idleUsers]).toEqual([]);
  });
});

describe('the reader of sources behind these tests', () => {
  test('tells static, dynamic and type imports apart, and sees the globals of the process', () => {
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
    });
  });

  test('finds an upward arrow and a cycle', () => {
    const up: ImportEdge = { from: 'domain/a.ts', to: 'client/b.ts', inside: true, manner: 'static' };
    const back: ImportEdge = { from: 'client/b.ts', to: 'domain/a.ts', inside: true, manner: 'static' };
    expect(forbidden(up)).toBe(floorMessage('domain', 'client'));
    expect(forbidden(back)).toBeUndefined();
    expect(findCycles([up, back])).toEqual(['client/b.ts → domain/a.ts → client/b.ts']);
  });
});

function forbidden(edge: ImportEdge): string | undefined {
  const [from, to] = [folderOf(edge.from), folderOf(edge.to)];
  if (from === to) return undefined;
  if (tops.includes(from) && to !== 'main.ts') return undefined;
  if (tops.includes(to)) return floorMessage(from, to);
  const floor = floors.find((candidate) => candidate.folder === from);
  if (floor?.mayImport.includes(to) === true) return undefined;
  if (floor?.typesOnly?.includes(to) === true && edge.manner !== 'static') return undefined;
  return floorMessage(from, to);
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
