import { readFile } from 'node:fs/promises';
import type { Operation } from '../../src/contract/operation.js';
import { operations } from '../../src/contract/operations.js';
import { differences } from './differences.js';
import { code, page, table } from './markdown.js';

const cases = 'test/conformance/cases.ts';

/** The conformance file of each operation. The list is read as text: no script imports a test. */
async function readTests(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(cases, 'utf8');
  const files = [...text.matchAll(/^ {2}'?([\w-]+)'?: \[([^\]]*)\]/gm)];
  return new Map(
    files.flatMap(([, file = '', ids = '']) =>
      [...ids.matchAll(/'([\w.]+)'/g)].map(([, id = '']) => [id, file] as const),
    ),
  );
}

function linkTo(file: string | undefined, id: string): string {
  if (file === undefined) throw new Error(`${cases} names no test of ${id}`);
  return `[${file}](../../test/conformance/${file}.test.ts)`;
}

export async function operationsPage(): Promise<string> {
  const tests = await readTests();
  const rows = Object.entries<Operation>(operations).map(([id, row]) => [
    code(id),
    code(`${row.method} ${row.path}`),
    row.host,
    row.role === null ? row.key : `${row.key} (${row.role})`,
    row.success.join(', '),
    row.replay,
    row.billed ?? '',
    row.mark,
    linkTo(tests.get(id), id),
    row.summary.en,
  ]);
  return page(
    '# Operations',
    'Every call of the service that the program knows.',
    [
      '- **replay**: what may be done when the outcome of a call is unknown. *safe*: repeat freely. *keyed*: repeat with the same Idempotency-Key. *natural*: a repeat answers 409 or the same resource. *unsafe*: never repeated by the program alone.',
      '- **billed**: what the service bills for the call; for a product, only when it has tax rules.',
      '- **mark**: where the row comes from. *doc* is promised by the service document, in the section named; *public* was published by an existing service of this kind; *assumed* was published nowhere. A profile may override each path, `paths.<operation>`, and where an answer holds its list, `shapes.<operation>`: the name of a field, or `array`.',
      '- **test**: the file that calls the operation with success against the sandbox.',
    ].join('\n'),
    table(['operation', 'request', 'host', 'key', 'success', 'replay', 'billed', 'mark', 'test', 'what'], rows),
    ...differences(),
  );
}
