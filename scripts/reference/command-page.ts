import {
  type ArgumentSpecs,
  type CommandDefinition,
  exampleLine,
  type OptionSpec,
  type OptionSpecs,
} from '../../src/cli/command.js';
import { exitsOf, ownExitsOf } from '../../src/cli/exit-codes.js';
import { argumentWord, flagWord } from '../../src/cli/option-value.js';
import type { Output } from '../../src/presenters/record.js';
import type { NamedCommand } from './commands.js';
import { outputPart } from './output-part.js';
import { code, page, table } from './markdown.js';

/** `product create` → `product-create.md`. */
export function fileOf({ name }: NamedCommand): string {
  return `${name.replaceAll(' ', '-')}.md`;
}

export function commandPage({ name, definition }: NamedCommand, output: Output | undefined): string {
  return page(
    `# fiscal ${name}`,
    `${definition.summary.en}.\n_${definition.summary.pt}._`,
    `\`\`\`\n${usageLine(name, definition)}\n\`\`\``,
    definition.description?.en ?? '',
    argumentsPart(definition.takes ?? {}),
    optionsPart(definition.options),
    sharedPart(definition),
    examplesPart(name, definition),
    output === undefined ? '' : outputPart({ name, definition }, output),
    exitCodesPart(definition),
  );
}

export function sharedFlagsPage(flags: OptionSpecs): string {
  return page(
    '# Shared flags',
    'Every command knows them, before or after its words. Each can be set in the environment: `--max-retry-wait` is `FISCAL_MAX_RETRY_WAIT`. No flag takes a secret.',
    flagTable(flags),
  );
}

function usageLine(name: string, definition: CommandDefinition): string {
  const words = Object.entries(definition.takes ?? {}).map(([argument, spec]) => argumentWord(argument, spec));
  return ['fiscal', name, ...words, '[flags]'].join(' ');
}

function argumentsPart(takes: ArgumentSpecs): string {
  const rows = Object.entries(takes).map(([name, { required, summary }]) => [
    code(name),
    required ? 'yes' : 'no',
    summary.en,
    summary.pt,
  ]);
  if (rows.length === 0) return '';
  return `## Arguments\n\n${table(['argument', 'required', 'what', 'o que é'], rows)}`;
}

function optionsPart(options: OptionSpecs): string {
  return Object.keys(options).length === 0 ? '' : `## Flags\n\n${flagTable(options)}`;
}

function sharedPart({ scope = [] }: CommandDefinition): string {
  const knows = 'Also the [shared flags](../flags.md)';
  if (scope.length === 0) return `${knows}.`;
  const flags = scope.map((name) => code(`--${name} <id>`)).join(', ');
  return `${knows}; ${flags} chooses whose things.`;
}

function flagTable(options: OptionSpecs): string {
  const rows = Object.entries(options).map(([name, spec]) => [
    flagOf(name, spec),
    defaultOf(spec),
    spec.summary.en,
    spec.summary.pt,
  ]);
  return table(['flag', 'default', 'what', 'o que é'], rows);
}

function flagOf(name: string, spec: OptionSpec): string {
  const short = spec.short === undefined ? '' : `-${spec.short}, `;
  return code(`${short}${flagWord(name)}${valueOf(spec)}`);
}

function valueOf(spec: OptionSpec): string {
  switch (spec.kind) {
    case 'toggle':
      return '';
    case 'choice':
      return ` ${spec.choices.join('|')}`;
    case 'list':
    case 'texts':
      return ` <${spec.value}>...`;
    case 'text':
    case 'count':
    case 'duration':
      return ` <${spec.value}>`;
  }
}

function defaultOf(spec: OptionSpec): string {
  return 'default' in spec && spec.default !== undefined ? code(String(spec.default)) : '';
}

function examplesPart(name: string, { examples }: CommandDefinition): string {
  if (examples.length === 0) return '';
  const blocks = examples.map((each) => `${each.summary.en}:\n\n\`\`\`\n${exampleLine(name, each)}\n\`\`\``);
  return ['## Examples', ...blocks].join('\n\n');
}

function exitCodesPart(definition: CommandDefinition): string {
  const all = [...exitsOf(definition).keys()].map((value) => code(String(value))).join(', ');
  const own = [...ownExitsOf(definition)].map(([value, { en, pt }]) => [code(String(value)), en, pt]);
  return [
    `## Exit codes\n\n${all}: [what they mean](../exit-codes.md).`,
    ...(own.length === 0 ? [] : [table(['code', 'meaning here', 'significado aqui'], own)]),
  ].join('\n\n');
}
