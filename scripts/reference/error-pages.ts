import { exitCodeMeanings } from '../../src/cli/exit-codes.js';
import { errorCatalogue, type CatalogueEntry } from '../../src/errors/catalogue.js';
import { code, page, table } from './markdown.js';

export function exitCodesPage(): string {
  return page(
    '# Exit codes',
    'The numbers are part of the interface: none ever changes its meaning.',
    table(
      ['code', 'meaning', 'significado'],
      Object.entries(exitCodeMeanings).map(([value, { en, pt }]) => [code(value), en, pt]),
    ),
  );
}

export function errorsPage(): string {
  const rows = Object.entries(errorCatalogue())
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, entry]) => [code(name), code(exitOf(entry)), entry.en, entry.pt]);
  return page(
    '# Error codes',
    'The field `error.code` of a JSON error. Braces stand for what the error names. Of two exit codes the second one says that a later try may help. A code is never given another meaning.',
    table(['code', 'exit', 'English', 'Português'], rows),
  );
}

/** The second one: when a later try of the same request may help. */
function exitOf({ exitCode, exitCodeWhenRetryable }: CatalogueEntry): string {
  return exitCodeWhenRetryable === undefined ? String(exitCode) : `${exitCode}, ${exitCodeWhenRetryable}`;
}
