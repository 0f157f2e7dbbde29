import { defineCommand } from '../../cli/command.js';
import { lookupExitCodes } from './lookup-exit-codes.js';
import { lookupOptions, numberArgument } from './lookup-options.js';
import { runLookup } from './run-lookup.js';

export const command = defineCommand({
  summary: { en: 'Query the registry of a company', pt: 'Consulta o cadastro de uma empresa' },
  description: {
    en: 'Uses the data key. The number may have punctuation and, since 2026, letters. An answer is kept on this machine and taken for 30 days (--max-age, --refresh). A list becomes a job that the same list goes on with.',
    pt: 'Usa a chave data. O número pode ter pontuação e, desde 2026, letras. A resposta fica guardada nesta máquina e vale por 30 dias (--max-age, --refresh). Uma lista vira um trabalho que a mesma lista continua.',
  },
  arguments: [numberArgument('cnpj', { en: 'CNPJ of the company', pt: 'CNPJ da empresa' })],
  options: lookupOptions,
  examples: [
    {
      command: 'fiscal lookup cnpj 12.ABC.345/01DE-35',
      summary: { en: 'One company', pt: 'Uma empresa' },
    },
    {
      command: 'fiscal lookup cnpj --file suppliers.csv --max-age 90d -o ndjson',
      summary: { en: 'Those of a file, one record a line', pt: 'As de um arquivo, um registro por linha' },
    },
  ],
  exitCodes: lookupExitCodes,
  idField: 'federalTaxNumber',
  view: async () => (await import('../../presenters/lookup.js')).lookupView,
  async run({ context, options, arguments: { cnpj: number } }) {
    return await runLookup(context, { name: 'cnpj', number, options });
  },
});
