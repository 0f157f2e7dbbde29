import { defineCommand } from '../../cli/command.js';
import { lookupExitCodes } from './lookup-exit-codes.js';
import { lookupOptions, numberArgument } from './lookup-options.js';
import { runLookup } from './run-lookup.js';

export const command = defineCommand({
  summary: { en: 'Query the addresses of a CEP', pt: 'Consulta os endereços de um CEP' },
  description: {
    en: 'Uses the data key. An answer is kept on this machine and taken for 30 days (--max-age, --refresh).',
    pt: 'Usa a chave data. A resposta fica guardada nesta máquina e vale por 30 dias (--max-age, --refresh).',
  },
  arguments: [numberArgument('cep', { en: 'CEP, 8 digits', pt: 'CEP, 8 dígitos' })],
  options: lookupOptions,
  examples: [
    {
      command: 'fiscal lookup address 01310-100',
      summary: { en: 'One CEP', pt: 'Um CEP' },
    },
    {
      command: 'fiscal lookup cep 01310-100',
      summary: {
        en: 'The same: cep is another word for address',
        pt: 'O mesmo: cep é outra palavra para address',
      },
    },
  ],
  exitCodes: lookupExitCodes,
  view: async () => (await import('../../presenters/lookup.js')).lookupView,
  async run({ context, options, arguments: { cep: number } }) {
    return await runLookup(context, { name: 'address', number, options });
  },
});
