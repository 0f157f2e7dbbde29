import { jsonSchema } from '../../src/cli/json-schema.js';
import type { Output, OutputSchema } from '../../src/presenters/record.js';
import { dryRun } from '../../src/commands/shared-records.js';
import type { NamedCommand } from './commands.js';
import { code, page, table } from './markdown.js';

/** `product create` → `schemas/product-create.json`. */
export function schemaFileOf({ name }: NamedCommand): string {
  return `schemas/${name.replaceAll(' ', '-')}.json`;
}

/** What `fiscal schema` prints. */
export function schemaText({ name }: NamedCommand, output: Output): string {
  return `${JSON.stringify(jsonSchema(name, output), undefined, 2)}\n`;
}

/** The fields of the records of a command. */
export function outputPart(command: NamedCommand, output: Output): string {
  const { description, $defs = {} } = jsonSchema(command.name, output);
  const records = Object.entries($defs);
  const own = records.filter(([type]) => output.records[type] !== dryRun);
  const link = `[JSON Schema](../${schemaFileOf(command)})`;
  const shared = own.length === records.length ? '' : ' `--dry-run` prints a [dry-run record](../dry-run.md).';
  const parts = [`## Output\n\n${description}${shared} ${link}.`];
  if (own.length > 0) parts.push(recordTable(own));
  return parts.join('\n\n');
}

/** The record of `--dry-run`, which the commands share. */
export function dryRunPage(): string {
  return page(
    '# The record of --dry-run',
    'What would be sent and changed. Nothing is. A command fills the fields that it has something to say in.',
    recordTable([['dry-run', dryRun]]),
  );
}

function recordTable(records: readonly (readonly [type: string, schema: OutputSchema])[]): string {
  const rows = records.flatMap(([type, { properties = {}, required = [] }]) =>
    Object.entries(properties).map(([field, schema]) => [
      code(type),
      code(field),
      typeOf(schema),
      required.includes(field) ? 'yes' : '',
    ]),
  );
  return table(['record', 'field', 'type', 'always'], rows);
}

function typeOf({ type, format, items, anyOf, const: only }: OutputSchema): string {
  if (only !== undefined) return code(only);
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  const types = [type ?? 'any'].flat();
  const words = types.map((word) => (word === 'string' ? (format ?? 'text') : word));
  return items === undefined ? words.join(' or ') : `list of ${typeOf(items)}`;
}
