import type { Text } from '../../src/contract/text.js';
import { fileOf } from './command-page.js';
import type { NamedCommand } from './commands.js';
import { page, table } from './markdown.js';

export interface TopicPage {
  readonly name: string;
  readonly summary: Text;
  readonly text: Text;
}

/** A help topic in both languages, as the program prints it. */
export function topicPage({ name, text }: TopicPage): string {
  return page(`# fiscal help ${name}`, fenced(text.en), '## Português', fenced(text.pt));
}

export function indexPage(commands: readonly NamedCommand[], topics: readonly TopicPage[]): string {
  const rows = commands.map((command) => [
    `[${command.name}](commands/${fileOf(command)})`,
    command.definition.summary.en,
    command.definition.summary.pt,
  ]);
  return page(
    '# Reference',
    'Written by `npm run docs` from the definitions of the program; do not edit it by hand.',
    [
      '- [Shared flags](flags.md)',
      '- [The record of --dry-run](dry-run.md)',
      '- [Exit codes](exit-codes.md)',
      '- [Error codes](errors.md)',
      '- [Operations of the service](operations.md)',
      '- [Columns of the exported tables](tables.md)',
    ].join('\n'),
    '## Help topics',
    topics.map(({ name, summary }) => `- [${name}](topics/${name}.md): ${summary.en}`).join('\n'),
    '## Commands',
    table(['command', 'what', 'o que faz'], rows),
  );
}

function fenced(text: string): string {
  return `\`\`\`\n${text.trim()}\n\`\`\``;
}
