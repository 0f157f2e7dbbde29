import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { contentOptions, writtenOf } from './company-argument.js';

export const command = defineCommand({
  summary: { en: 'Create a company', pt: 'Cria uma empresa' },
  description: {
    en: 'From a file, from flags, or both (flags win). The digits of the CNPJ are checked here first. A create whose outcome is unknown is looked up by its CNPJ before anything is sent again.',
    pt: 'De um arquivo, de opções ou de ambos (as opções vencem). Os dígitos do CNPJ são conferidos aqui antes do envio. Uma criação de resultado desconhecido é procurada pelo CNPJ antes de qualquer novo envio.',
  },
  options: {
    ...contentOptions,
    cnpj: {
      kind: 'text',
      value: 'cnpj',
      summary: { en: 'CNPJ, with or without punctuation', pt: 'CNPJ, com ou sem pontuação' },
    },
  },
  examples: [
    {
      command:
        'fiscal company create --name "Padaria Sol Ltda" --cnpj 12.ABC.345/01DE-35 --tax-regime NationalSimple',
      summary: { en: 'From flags', pt: 'A partir de opções' },
    },
    {
      command: 'fiscal company create --file padaria.yaml --dry-run',
      summary: { en: 'Show the request only', pt: 'Só mostra a requisição' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.conflict, ExitCode.held, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, options }) {
    const { createCompany } = await import('./create.js');
    return createCompany(context, writtenOf(options, options.cnpj));
  },
});
