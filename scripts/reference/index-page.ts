import type { CommandPage } from './command-page.js';
import { page, table } from './markdown.js';

export function indexPage(commands: readonly CommandPage[]): string {
  const rows = commands.map(({ name, file, definition }) => [
    `[${name}](commands/${file})`,
    definition.summary.en,
    definition.summary.pt,
  ]);
  return page(
    '# Reference',
    'Written by `npm run docs` from the definitions of the program; do not edit it by hand.',
    [
      '- [Shared flags](flags.md)',
      '- [Exit codes](exit-codes.md)',
      '- [Error codes](errors.md)',
      '- [Operations of the service](operations.md)',
    ].join('\n'),
    '## Commands',
    table(['command', 'what', 'o que faz'], rows),
  );
}
