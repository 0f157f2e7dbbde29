import type { Given } from '../cli/command.js';
import type { Outcome } from '../domain/outcome.js';
import type { Context } from '../services/context.js';
import { argumentsOf, define, does, example, optional, toggle } from '../cli/define.js';

const definition = define('The JSON Schema of an output', 'O JSON Schema de um resultado', {
  description: {
    en: 'Prints the JSON Schema (2020-12) of what a command prints with -o json; $defs has the records by type, each a line of -o ndjson. Without a command, lists all of them. Fields are only ever added; fields that the service gives pass through unchanged, also those that the schema does not name. With --openapi, the operations of the service that this program and its sandbox know, for generators and validators: paths, parameters, bodies, keys, statuses and what an answer must have (x-mark: doc, in the service document; public, published by services of this kind; assumed by this program); a schema {} takes any JSON.',
    pt: 'Imprime o JSON Schema (2020-12) do que um comando imprime com -o json; $defs traz os registros por tipo, cada um uma linha de -o ndjson. Sem comando, lista todos. Campos só são acrescentados; os campos que o serviço devolve passam sem alteração, inclusive os que o schema não cita. Com --openapi, as operações do serviço que este programa e seu sandbox conhecem, para geradores e validadores: caminhos, parâmetros, corpos, chaves, status e o que uma resposta deve ter (x-mark: doc, no documento do serviço; public, publicado por serviços deste tipo; assumed, suposição deste programa); um schema {} aceita qualquer JSON.',
  },
  takes: {
    command: optional(argumentsOf('The words of the command, without fiscal', 'As palavras do comando, sem fiscal')),
  },
  options: {
    openapi: toggle(
      'Instead, the routes of the service and their sources, as OpenAPI 3.1',
      'Em vez disso, as rotas do serviço e a origem de cada uma, em OpenAPI 3.1',
      { notWith: ['<command>'] },
    ),
  },
  examples: [
    example('job list', 'Of one command', 'De um comando'),
    example('-o json', 'The commands with the types of their records', 'Os comandos com os tipos dos seus registros'),
    example('--openapi > openapi.json', 'The routes of the service, as a file', 'As rotas do serviço, em um arquivo'),
  ],
  id: 'command',
  view: async () => {
    const { columnsView } = await import('../presenters/generic.js');
    const { jsonText } = await import('../presenters/json.js');
    const table = columnsView(['command', 'prints', 'records'], { required: ['command', 'prints'] });
    return (data, options) => (Array.isArray(data) ? table(data, options) : jsonText(data).split('\n'));
  },
});

async function showSchema(_context: Context, { command: words, openapi }: Given<typeof definition>): Promise<Outcome> {
  if (openapi) return { data: (await import('./openapi.js')).openApiDocument() };
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
