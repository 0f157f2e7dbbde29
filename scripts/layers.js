// @ts-check

/**
 * The layers of the program as data: what the architecture test enforces and what ESLint says in the editor.
 * @typedef {object} Layer
 * @property {string} folder below `src/`
 * @property {readonly string[]} mayImport other folders below `src/`, besides itself
 * @property {readonly string[]} [typesOnly] folders of which only types, or what `await import()` gives, may be used
 */

/** @type {readonly Layer[]} */
export const layers = [
  { folder: 'contract', mayImport: [] },
  { folder: 'errors', mayImport: ['contract'] },
  { folder: 'domain', mayImport: ['errors', 'contract'] },
  { folder: 'io', mayImport: ['domain', 'errors', 'contract'] },
  { folder: 'client', mayImport: ['io', 'domain', 'errors', 'contract'], typesOnly: ['config'] },
  { folder: 'receiver', mayImport: ['domain', 'errors', 'contract'] },
  { folder: 'store', mayImport: ['io', 'domain', 'errors', 'contract'] },
  { folder: 'config', mayImport: ['io', 'domain', 'errors', 'contract'] },
  { folder: 'archive', mayImport: ['io', 'domain', 'errors', 'contract'] },
  { folder: 'jobs', mayImport: ['client', 'store', 'config', 'archive', 'io', 'domain', 'errors', 'contract'] },
  {
    folder: 'services',
    mayImport: [
      'jobs',
      'client',
      'receiver',
      'store',
      'config',
      'archive',
      'report',
      'io',
      'domain',
      'errors',
      'contract',
    ],
  },
  { folder: 'presenters', mayImport: ['domain', 'errors', 'contract'] },
  { folder: 'report', mayImport: ['domain', 'errors', 'contract'] },
  {
    folder: 'commands',
    mayImport: [
      ...['cli', 'presenters', 'report', 'services', 'jobs', 'client', 'receiver', 'store', 'config', 'archive', 'io'],
      ...['domain', 'errors', 'contract'],
    ],
  },
  {
    folder: 'cli',
    mayImport: ['presenters', 'config', 'archive', 'io', 'domain', 'errors', 'contract'],
    typesOnly: ['services', 'jobs', 'client', 'store'],
  },
  { folder: 'sandbox', mayImport: ['contract'] },
];

/**
 * The folders beside `src`, and what each may import.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const rootFolders = {
  src: [],
  scripts: ['src', 'bench'],
  bench: ['src', 'scripts', 'test'],
  test: ['src', 'scripts', 'bench'],
};

/** @type {Readonly<Record<string, readonly string[]>>} a package, and the only folders that may import it */
export const packageHomes = {
  got: ['client'],
  hpagent: ['client'],
  'better-sqlite3': ['store/sqlite', 'sandbox', 'config'],
  pg: ['store/postgres'],
  '@aws-sdk/client-s3': ['archive/s3'],
  conf: ['config'],
  inquirer: ['io'],
  ora: ['io'],
  chalk: ['io', 'presenters'],
  'cli-table3': ['presenters'],
  'fast-string-width': ['presenters'],
  'd3-scale': ['report'],
  commander: ['cli'],
  'fastest-levenshtein': ['cli'],
  '@bomb.sh/tab': ['io'],
  hono: ['sandbox'],
  '@hono/node-server': ['sandbox'],
  'lossless-json': ['domain', 'sandbox'],
  'node-forge': ['sandbox/company', 'services/company'],
  hucre: ['io'],
  yauzl: ['services/input/xlsx'],
  yazl: ['commands/export'],
};

/** @param {string} folder @param {string} target */
export function layerMessage(folder, target) {
  return `imports point down only: src/${folder} may not import src/${target} (docs/architecture.md)`;
}

/** @param {string} folder @param {string} target */
export function rootFolderMessage(folder, target) {
  return `${folder} may not import ${target} (docs/architecture.md)`;
}

/** @param {string} name @param {readonly string[]} homes */
export function packageMessage(name, homes) {
  return `only ${homes.map((home) => `src/${home}`).join(' and ')} may import ${name} (docs/architecture.md)`;
}
