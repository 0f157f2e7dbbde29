import { schemaOnly, type Output, type OutputSchema } from '../presenters/record.js';

/** A JSON Schema 2020-12 document; `$defs` has the records by type. */
export interface JsonSchema extends OutputSchema {
  readonly $schema: string;
  readonly title: string;
  readonly description: string;
  readonly $defs?: Output['records'];
}

const described: Readonly<Record<Output['prints'], string>> = {
  one: 'One object.',
  list: 'A list of records.',
  either: 'One object, or a list of records where several things are asked for.',
  text: 'One text.',
  bytes: 'The bytes of a document on stdout, which are no JSON; with --out, one record about the file.',
  any: 'What the service or another program gives, unchanged.',
};

const dryRun = 'dry-run';

/** The schema of what `-o json` prints. A line of `-o ndjson` is one of its `$defs`. */
export function jsonSchema(command: string, output: Output): JsonSchema {
  const { prints, records } = output;
  const [noun = ''] = command.split(' ', 1);
  const types = Object.entries(records);
  const lines = types.length === 0 ? '' : ' Lines of -o ndjson: $defs.';
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `fiscal ${command}`,
    description: `${described[prints]}${lines}`,
    ...documentOf(output),
    ...(types.length === 0
      ? {}
      : {
          $defs: Object.fromEntries(types.map(([type, schema]) => [type, typed(schemaOnly(schema), { type, noun })])),
        }),
  };
}

function documentOf({ prints, records }: Output): OutputSchema {
  const references = Object.keys(records).map((type) => ({ $ref: `#/$defs/${type}` }));
  const rows: OutputSchema = { type: 'array', items: anyOf(references) };
  switch (prints) {
    case 'text':
      return { type: 'string' };
    case 'any':
      return {};
    case 'list':
      return dryRun in records ? anyOf([rows, { $ref: `#/$defs/${dryRun}` }]) : rows;
    case 'one':
      return anyOf(references);
    case 'either':
    case 'bytes':
      return anyOf([...references, rows]);
  }
}

function anyOf(schemas: readonly OutputSchema[]): OutputSchema {
  const [only] = schemas;
  return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas };
}

/**
 * With its `type`. A record that is named for the noun has it in NDJSON, and not always in JSON; the `type` of a record of the
 * service is its own.
 */
function typed(schema: OutputSchema, { type, noun }: { readonly type: string; readonly noun: string }): OutputSchema {
  const { properties = {}, required = [] } = schema;
  if (properties['type'] !== undefined) return schema;
  return {
    ...schema,
    properties: { type: { const: type }, ...properties },
    ...(type === noun ? {} : { required: ['type', ...required] }),
  };
}
