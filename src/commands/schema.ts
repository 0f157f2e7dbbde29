import type { Given } from '../cli/command.js';
import type { Outcome } from '../domain/outcome.js';
import type { Context } from '../services/context.js';
import { argumentsOf, define, does, example, optional } from '../cli/define.js';

const definition = define('The JSON Schema of an output', 'O JSON Schema de um resultado', {
  description: {
    en: 'Prints the JSON Schema (2020-12) of what a command prints with -o json; $defs has the records by type, each a line of -o ndjson. Without a command, lists all of them. Fields are only ever added; fields that the service gives pass through unchanged, also those that the schema does not name.',
    pt: 'Imprime o JSON Schema (2020-12) do que um comando imprime com -o json; $defs traz os registros por tipo, cada um uma linha de -o ndjson. Sem comando, lista todos. Campos só são acrescentados; os campos que o serviço devolve passam sem alteração, inclusive os que o schema não cita.',
  },
  takes: {
    command: optional(argumentsOf('The words of the command, without fiscal', 'As palavras do comando, sem fiscal')),
  },
  options: {},
  examples: [
    example('job list', 'Of one command', 'De um comando'),
    example('-o json', 'The commands with the types of their records', 'Os comandos com os tipos dos seus registros'),
  ],
  id: 'command',
  view: async () => {
    const { columnsView } = await import('../presenters/generic.js');
    const { jsonText } = await import('../presenters/json.js');
    const table = columnsView(['command', 'prints', 'records'], { required: ['command', 'prints'] });
    return (data, options) => (Array.isArray(data) ? table(data, options) : jsonText(data).split('\n'));
  },
});

async function showSchema(_context: Context, { command: words }: Given<typeof definition>): Promise<Outcome> {
  const [{ allOutputs }, { jsonSchema }] = await Promise.all([import('./outputs.js'), import('../cli/json-schema.js')]);
  const outputs = await allOutputs();
  const name = words.join(' ').replace(/^fiscal /, '');
  if (name === '') {
    const rows = Object.entries(outputs).map(([command, { prints, records }]) => ({
      command,
      prints,
      records: Object.keys(records),
    }));
    return { data: rows.toSorted((one, other) => (one.command < other.command ? -1 : 1)) };
  }
  const output = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
  if (output !== undefined) return { data: jsonSchema(name, output) };
  const { invalidValue } = await import('../errors/invalid-value.js');
  throw invalidValue('<command>', name, {
    en: 'a command is expected, e.g. job list; all of them: fiscal schema',
    pt: 'espera-se um comando, p. ex. job list; todos: fiscal schema',
  });
}

export const command = does(definition, () => Promise.resolve(showSchema));
