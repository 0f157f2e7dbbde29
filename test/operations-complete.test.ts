import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operations } from '../src/contract/operations.js';
import { handlers } from '../src/sandbox/http/handlers.js';
import { conformanceCases } from './conformance/cases.js';
import { operationIds } from './facts/operation-ids.js';

const root = join(import.meta.dirname, '..');
const ids = Object.keys(operations);

test('the operations of the document and the rows of the table are the same', () => {
  expect(ids.toSorted()).toEqual(operationIds.toSorted());
});

test('every row has a handler in the sandbox', () => {
  expect(Object.keys(handlers).toSorted()).toEqual(ids.toSorted());
});

test('every row has one conformance case', () => {
  expect(Object.values(conformanceCases).flat().toSorted()).toEqual(ids.toSorted());
  const files = readdirSync(join(root, 'test/conformance'));
  expect(Object.keys(conformanceCases).filter((name) => !files.includes(`${name}.test.ts`))).toEqual([]);
});

test('every row is in the reference, and every noun has a page', () => {
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

test('the page of operations names the conformance file of each operation', () => {
  const rows = readFileSync('docs/reference/operations.md', 'utf8').split('\n');
  const wrong = Object.entries(conformanceCases).flatMap(([file, ids]) =>
    ids.filter((id) => {
      const row = rows.find((line) => line.startsWith(`| \`${id}\` |`));
      return row?.includes(`](../../test/conformance/${file}.test.ts)`) !== true;
    }),
  );
  expect(wrong).toEqual([]);
});
