import type { Operation } from '../../src/contract/operation.js';
import { operations } from '../../src/contract/operations.js';
import { code, page, table } from './markdown.js';

export function operationsPage(): string {
  const rows = Object.entries<Operation>(operations).map(([id, row]) => [
    code(id),
    code(`${row.method} ${row.path}`),
    row.host,
    row.role === null ? row.key : `${row.key} (${row.role})`,
    row.success.join(', '),
    row.replay,
    row.billed ?? '',
    row.mark,
    row.summary.en,
  ]);
  return page(
    '# Operations',
    'Every call of the service that the program knows.',
    [
      '- **replay**: what may be done when the outcome of a call is unknown. *safe*: repeat freely. *keyed*: repeat with the same Idempotency-Key. *natural*: a repeat answers 409 or the same resource. *unsafe*: never repeated by the program alone.',
      '- **billed**: what the service bills for the call; for a product, only when it has tax rules.',
      '- **mark**: where the row comes from. *doc* is promised by the service document, in the section named; *public* was published by an existing service of this kind; *assumed* was published nowhere. A profile may override each path: `paths.<operation>`.',
    ].join('\n'),
    table(['operation', 'request', 'host', 'key', 'success', 'replay', 'billed', 'mark', 'what'], rows),
  );
}
