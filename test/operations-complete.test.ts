import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../src/contract/operations.js';
import { handlers } from '../src/sandbox/routes/handlers.js';
import { conformanceCases } from './conformance/cases.js';
import { operationIds } from './facts/operation-ids.js';

const root = join(import.meta.dirname, '..');
const ids = Object.keys(operations);

interface Text {
  readonly path: string;
  readonly text: string;
}

function textsBelow(folder: string, ending = '.ts'): readonly Text[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

/** The ids that a source names: written out, or as a template whose holes are one word, such as `${model}.issue`. */
function namesIn(texts: readonly Text[]): (id: string) => boolean {
  const literals = texts.flatMap(
    ({ text }) => text.match(/'[a-z]+(?:\.[a-zA-Z]+)+'|`[^`\s]*\.[^`\s]*`/g) ?? [],
  );
  const plain = new Set(literals.map((literal) => literal.slice(1, -1)));
  const patterns = [...plain]
    .filter((literal) => literal.includes('${') && /^[\w.]*$/.test(literal.replaceAll(/\$\{\w+\}/g, '')))
    .map(
      (literal) =>
        new RegExp(`^${literal.replaceAll('.', String.raw`\.`).replaceAll(/\$\{\w+\}/g, String.raw`\w+`)}$`),
    );
  return (id) => plain.has(id) || patterns.some((pattern) => pattern.test(id));
}

test('every operation of the document has its row, and every row stands in the document', () => {
  expect(ids.toSorted()).toEqual(operationIds.toSorted());
});

test('every row has its handler in the sandbox', () => {
  expect(Object.keys(handlers).toSorted()).toEqual(ids.toSorted());
});

test('every row is called by a service or a job, which a command leads to', () => {
  const isNamed = namesIn(['src/commands', 'src/services', 'src/jobs'].flatMap((path) => textsBelow(path)));
  expect(ids.filter((id) => !isNamed(id))).toEqual([]);
});

test('every row has one conformance case', () => {
  expect(Object.values(conformanceCases).flat().toSorted()).toEqual(ids.toSorted());
  const files = readdirSync(join(root, 'test/conformance'));
  expect(Object.keys(conformanceCases).filter((name) => !files.includes(`${name}.test.ts`))).toEqual([]);
});

test('every row has its line in the reference, and every noun its page', () => {
  const reference = readFileSync(join(root, 'docs/reference/operations.md'), 'utf8');
  expect(ids.filter((id) => !reference.includes(`| \`${id}\` |`))).toEqual([]);
  const pages = readdirSync(join(root, 'docs/reference/commands'));
  const nouns = [
    'product',
    'manifestation',
    'inbound',
    'backfill',
    'invoice',
    'tax',
    'lookup',
    'company',
    'certificate',
  ];
  expect(nouns.filter((noun) => !pages.some((page) => page.startsWith(`${noun}-`)))).toEqual([]);
});
