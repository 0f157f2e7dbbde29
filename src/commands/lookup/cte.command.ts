import { defineCommand } from '../../cli/command.js';
import { lookupExitCodes } from './lookup-exit-codes.js';
import { lookupOptions, numberArgument } from './lookup-options.js';
import { runLookup } from './run-lookup.js';

export const command = defineCommand({
  summary: { en: 'Query a captured CT-e', pt: 'Consulta um CT-e capturado' },
  description: {
    en: 'The service queries a CT-e among those that it has captured for a company, so it takes the invoice key and --company. Asked anew each time, unless --max-age is given.',
    pt: 'O serviço consulta o CT-e entre os que capturou para uma empresa, por isso usa a chave invoice e --company. Consultado a cada vez, salvo com --max-age.',
  },
  arguments: [numberArgument('key', { en: 'Access key of the CT-e', pt: 'Chave de acesso do CT-e' })],
  options: lookupOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal lookup cte 35150268252816000146570010000016161002008472 --company c1',
      summary: { en: 'One CT-e', pt: 'Um CT-e' },
    },
  ],
  exitCodes: lookupExitCodes,
  idField: 'accessKey',
  view: async () => (await import('../../presenters/lookup.js')).lookupView,
  async run({ context, options, arguments: { key: number } }) {
    return await runLookup(context, { name: 'cte', number, options });
  },
});
