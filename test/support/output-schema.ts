import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { jsonSchema } from '../../src/cli/json-schema.js';
import type { Output, OutputSchema } from '../../src/presenters/record.js';
import { readCommandLine } from '../../src/cli/tree.js';
import { allOutputs } from '../../src/commands/outputs.js';
import { isRecord } from '../../src/domain/record.js';
import type { Host } from '../../src/io/io.js';
import { catalogue } from './commands.js';

/** One run of the program with what it wrote. */
interface Written {
  readonly argv: readonly string[];
  readonly host: Pick<Host, 'env' | 'stdout'>;
  readonly stdout: string;
}

interface Verdict {
  readonly command?: string;
  /** False where the output is none that a schema describes: a table, text, fields that were chosen. */
  readonly checked: boolean;
  readonly problems: readonly string[];
}

const outputs = await allOutputs();
// `output-schema.test.ts` compares the schemas with the meta-schema; code that runs a few times need not be optimized.
const ajv = formats.default(
  new Ajv2020({ allowUnionTypes: true, strictTypes: false, validateSchema: false, code: { optimize: false } }),
);
const validators = new Map<string, ValidateFunction>();
const unchecked = (command?: string): Verdict => ({ ...(command && { command }), checked: false, problems: [] });

/** Compares what a run wrote as JSON with the schema of its command, which must name every field that is not the service's. */
export async function checkOutput({ argv, host: { env, stdout: stream }, stdout }: Written): Promise<Verdict> {
  if (!/^\s*[[{"]/.test(stdout)) return unchecked();
  const { nodes, options } = await readCommandLine(argv, catalogue, { isLenient: true }).catch(() => nothing);
  const command = nodes.at(-1)?.path.split(' ').slice(1).join(' ') ?? '';
  const output = outputs[nameOf(command)];
  const isChosen = ['fields', 'query'].some((name) => options.has(name) || env[`FISCAL_${name.toUpperCase()}`]);
  const typed = options.get('output') ?? env['FISCAL_OUTPUT'];
  const format = typeof typed === 'object' ? typed.at(-1) : typed;
  if (output === undefined || isChosen || (format === undefined && stream.isTerminal)) return unchecked(command);
  if (!['json', 'ndjson', undefined].includes(format === true ? undefined : format)) return unchecked(command);
  const document = documentOf(stdout);
  if (document === undefined) return unchecked(command);
  return { command, checked: true, problems: problemsOf(nameOf(command), output, document) };
}

const nothing = { nodes: [], options: new Map<string, true>() } as const;

/** Aliases of verbs have the output of their verb. */
function nameOf(command: string): string {
  return aliases.get(command) ?? command;
}

const aliases = new Map<string, string>();
for (const [noun, { load }] of Object.entries(catalogue.groups)) {
  for (const [alias, verb] of Object.entries((await load()).group.aliases ?? {}))
    aliases.set(`${noun} ${alias}`, `${noun} ${verb}`);
}

/** One document, or a list of lines; `undefined` where it is neither. */
function documentOf(stdout: string): unknown {
  const texts = [stdout, `[${stdout.trim().replaceAll('\n', ',')}]`];
  for (const text of texts) {
    try {
      return JSON.parse(text);
    } catch {
      // The next form, or none.
    }
  }
  return undefined;
}

function problemsOf(command: string, output: Output, document: unknown): readonly string[] {
  const validate = validatorOf(command, output);
  // A list of one line of NDJSON looks like one document.
  if (validate(document) || (output.prints === 'list' && validate([document]))) return [];
  const rows = Array.isArray(document) ? document : [document];
  const found = rows.flatMap((row: unknown) => {
    const type = isRecord(row) && typeof row['type'] === 'string' ? row['type'] : '';
    const name = type in output.records ? type : (Object.keys(output.records)[0] ?? '');
    const check = validatorOf(command, output, name);
    return check(row) ? [] : [`${name} ${ajv.errorsText(check.errors?.slice(0, 1))} ${extra(check)}`];
  });
  return found.length === 0 ? [`the document is not what ${output.prints} says`] : [...new Set(found)];
}

function extra({ errors }: ValidateFunction): string {
  return JSON.stringify(errors?.[0]?.params ?? {});
}

/** The validator of the document, or of one type of record. */
function validatorOf(command: string, output: Output, type?: string): ValidateFunction {
  const key = `${command} ${type ?? ''}`;
  const known = validators.get(key);
  if (known !== undefined) return known;
  const schema = closed(jsonSchema(command, output));
  const { $defs } = jsonSchema(command, output);
  const one = type === undefined || $defs === undefined ? schema : closed($defs[type] ?? {});
  const made = ajv.compile(one);
  validators.set(key, made);
  return made;
}

/** Only what comes from the service may have fields that the schema does not name. */
function closed(schema: object): OutputSchema {
  const entries = Object.entries(schema).map(([name, value]) => [name, closedValue(name, value)]);
  const isOpen = !('properties' in schema) || 'additionalProperties' in schema;
  return { ...Object.fromEntries(entries), ...(isOpen ? {} : { additionalProperties: false }) };
}

function closedValue(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => (isRecord(entry) ? closed(entry) : entry));
  if (!isRecord(value)) return value;
  if (name !== 'properties' && name !== '$defs') return closed(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isRecord(inner) ? closed(inner) : inner]),
  );
}
