// @ts-check
import { defineConfig } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import {
  layerMessage,
  layers,
  packageHomes,
  packageMessage,
  rootFolderMessage,
  rootFolders,
} from './scripts/layers.js';

/**
 * @param {import('./scripts/layers.js').Layer} layer
 * @returns {import('eslint').Linter.Config}
 */
function importRules({ folder, mayImport, typesOnly = [] }) {
  const others = layers.map((layer) => layer.folder).filter((other) => other !== folder && !mayImport.includes(other));
  const patterns = others.map((other) => ({
    regex: `^(\\.\\./)+${other}/`,
    message: layerMessage(folder, other),
    allowTypeImports: typesOnly.includes(other),
  }));
  const paths = Object.entries(packageHomes)
    .filter(([, homes]) => !homes.some((home) => home === folder || home.startsWith(`${folder}/`)))
    .map(([name, homes]) => ({ name, message: packageMessage(name, homes) }));
  return {
    files: [`src/${folder}/**/*.ts`],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns, paths }] },
  };
}

/**
 * @param {string} folder
 * @returns {import('eslint').Linter.Config}
 */
function rootImportRules(folder) {
  const others = Object.keys(rootFolders).filter(
    (other) => other !== folder && rootFolders[folder]?.includes(other) !== true,
  );
  const patterns = others.map((other) => ({
    regex: `^(\\.\\./)+${other}/`,
    message: rootFolderMessage(folder, other),
  }));
  return { files: [`${folder}/**/*.{ts,js}`], rules: { 'no-restricted-imports': ['error', { patterns }] } };
}

export default defineConfig(
  { ignores: ['dist/', 'coverage/', '.nodes/', 'bin/', 'node_modules/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.js'],
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      eqeqeq: 'error',
      'max-params': ['error', 4],
      'no-nested-ternary': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/no-deprecated': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
    },
  },
  {
    // A hostile text must cost linear time; these rules find most expressions that look at it again and again.
    files: ['src/**/*.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    // SQLite reads the value of a bare `LIMIT @limit` when it plans, and so prepares the statement again for each run.
    files: ['src/store/sqlite/**/*.ts', 'src/sandbox/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...['TemplateElement[value.raw', 'Literal[value'].map((text) => ({
          selector: `${text}=/LIMIT [?@]/]`,
          message: 'Write `LIMIT +@limit` or `LIMIT +?`: without the plus, SQLite prepares the statement for each run.',
        })),
      ],
    },
  },
  { files: ['src/**/*.ts'], rules: { complexity: ['warn', 20], 'max-depth': ['warn', 4] } },
  ...layers.map(importRules),
  ...Object.keys(rootFolders).map(rootImportRules),
);
