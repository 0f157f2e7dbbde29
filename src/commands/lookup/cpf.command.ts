import { defineCommand } from '../../cli/command.js';
import { lookupExitCodes } from './lookup-exit-codes.js';
import { lookupOptions, numberArgument } from './lookup-options.js';
import { runLookup } from './run-lookup.js';

export const command = defineCommand({
  summary: { en: 'Query the status of a CPF', pt: 'Consulta a situação de um CPF' },
  description: {
    en: 'Uses the data key; the date of birth is needed. No file of this machine holds the number: rows, errors and --debug-http show it masked, the kept answer (one day) goes by a digest, and the job of a list goes on only with its list.',
    pt: 'Usa a chave data; a data de nascimento é necessária. Nenhum arquivo desta máquina guarda o número: linhas, erros e --debug-http o mostram mascarado, a resposta guardada (um dia) é achada por um resumo criptográfico, e o trabalho de uma lista só continua com a lista.',
  },
  arguments: [numberArgument('cpf', { en: 'CPF of the person', pt: 'CPF da pessoa' })],
  options: {
    birthDate: {
      notWith: ['file', '-'],
      kind: 'text',
      value: 'yyyy-mm-dd',
      summary: {
        en: 'Date of birth; in a list the second column, or birthDate',
        pt: 'Data de nascimento; numa lista, a segunda coluna ou birthDate',
      },
    },
    ...lookupOptions,
  },
  examples: [
    {
      command: 'fiscal lookup cpf 529.982.247-25 --birth-date 1990-12-31',
      summary: { en: 'One person', pt: 'Uma pessoa' },
    },
    {
      command: 'fiscal lookup cpf - -o ndjson < people.csv',
      summary: { en: 'A list from stdin', pt: 'Uma lista pelo stdin' },
    },
  ],
  exitCodes: lookupExitCodes,
  view: async () => (await import('../../presenters/lookup.js')).lookupView,
  async run({ context, options, arguments: { cpf: number } }) {
    return await runLookup(context, { name: 'cpf', number, birthDate: options.birthDate, options });
  },
});
