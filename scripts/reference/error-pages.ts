import { errorCatalogue } from '../../src/errors/catalogue.js';
import { exitCodeRow, exitCodes } from './exit-code-meanings.js';
import { code, page, table } from './markdown.js';

export function exitCodesPage(): string {
  return page(
    '# Exit codes',
    'The numbers are part of the interface: none ever changes its meaning.',
    table(
      ['code', 'meaning', 'does a later try help?'],
      exitCodes().map((value) => exitCodeRow(value)),
    ),
  );
}

export function errorsPage(): string {
  const rows = Object.entries(errorCatalogue)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, entry]) => [code(name), code(String(entry.exitCode)), entry.en, entry.pt]);
  return page(
    '# Error codes',
    'The field `error.code` of a JSON error. Braces stand for what the error names. A code is never given another meaning.',
    table(['code', 'exit', 'English', 'Português'], rows),
  );
}
