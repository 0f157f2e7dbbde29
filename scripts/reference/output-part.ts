import { jsonSchema } from '../../src/cli/json-schema.js';
import type { Output, OutputSchema } from '../../src/cli/output-schema.js';
import type { NamedCommand } from './commands.js';
import { code, table } from './markdown.js';

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
  const rows = Object.entries($defs).flatMap(([type, { properties = {}, required = [] }]) =>
    Object.entries(properties).map(([field, schema]) => [
      code(type),
      code(field),
      typeOf(schema),
      required.includes(field) ? 'yes' : '',
    ]),
  );
  const link = `[JSON Schema](../${schemaFileOf(command)})`;
  const parts = [`## Output\n\n${description} ${link}.`];
  if (rows.length > 0) parts.push(table(['record', 'field', 'type', 'always'], rows));
  return parts.join('\n\n');
}

function typeOf({ type, format, items, anyOf, const: only }: OutputSchema): string {
  if (only !== undefined) return code(only);
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  const types = [type ?? 'any'].flat();
  const words = types.map((word) => (word === 'string' ? (format ?? 'text') : word));
  return items === undefined ? words.join(' or ') : `list of ${typeOf(items)}`;
}
