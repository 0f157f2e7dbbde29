// @ts-check
import { basename } from 'node:path';

/**
 * A file of the split program: its text, its modules, the files that it imports statically, and what it exports.
 * @typedef {{ text: string, modules: readonly string[], imports: readonly string[], exports: readonly string[] }} Piece
 */

/**
 * The groups with their pieces: those that hold its modules, and all that they import statically. What an earlier group
 * has stays there.
 * @param {ReadonlyMap<string, Piece>} pieces by the name of the file
 * @param {Readonly<Record<string, readonly string[]>>} wanted modules by the name of the group's file
 * @returns {ReadonlyMap<string, readonly string[]>}
 */
export function groupPieces(pieces, wanted) {
  const taken = new Set();
  const groups = new Map();
  for (const [group, modules] of Object.entries(wanted)) {
    const before = new Set(taken);
    const take = (/** @type {string} */ name) => {
      if (taken.has(name) || !pieces.has(name)) return;
      taken.add(name);
      pieces.get(name)?.imports.forEach(take);
    };
    for (const [name, piece] of pieces) if (piece.modules.some((module) => modules.includes(module))) take(name);
    groups.set(
      group,
      [...taken].filter((name) => !before.has(name)),
    );
  }
  return groups;
}

/**
 * Writes each group as one file, in which its pieces share one scope and all run when it is loaded; it exports each of them by
 * its name. Another file takes from there what a piece exports, once: what a module exports stays what it was after it ran.
 * @param {ReadonlyMap<string, Piece>} pieces
 * @param {ReadonlyMap<string, readonly string[]>} groups
 * @returns {import('esbuild').Plugin}
 */
export function joinGroups(pieces, groups) {
  const groupOf = new Map([...groups].flatMap(([group, names]) => names.map((name) => [name, group])));
  return {
    name: 'join-groups',
    setup(build) {
      build.onResolve({ filter: /^\.\// }, ({ path, importer, namespace, kind }) => {
        const name = basename(path);
        if (kind === 'entry-point') return { path: name, namespace: groups.has(name) ? 'group' : 'piece' };
        if (namespace === 'elsewhere') return { path, external: true };
        const group = groupOf.get(name);
        if (group === undefined) return { path, external: true };
        const isHere = namespace === 'group' || groupOf.get(importer) === group;
        return { path: name, namespace: isHere ? 'piece' : 'elsewhere' };
      });
      build.onLoad({ filter: /./, namespace: 'piece' }, ({ path }) => ({ contents: pieces.get(path)?.text ?? '' }));
      build.onLoad({ filter: /./, namespace: 'elsewhere' }, ({ path }) => ({
        contents: `import { '${path}' as piece } from './${groupOf.get(path)}';
          export const { ${pieces.get(path)?.exports.join(', ')} } = piece;`,
      }));
      build.onLoad({ filter: /./, namespace: 'group' }, ({ path }) => ({ contents: [...exportsOf(path)].join('\n') }));
    },
  };

  /** The pieces of a group, and what the piece of the same name exports. @param {string} group */
  function* exportsOf(group) {
    for (const name of groups.get(group) ?? []) yield `export * as '${name}' from './${name}';`;
    if (pieces.has(group)) yield `export * from './${group}';`;
  }
}
