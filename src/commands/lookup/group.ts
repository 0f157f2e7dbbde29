import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Queries of public registries', pt: 'Consultas a cadastros públicos' },
  verbs: {
    cnpj: () => import('./cnpj.command.js'),
    cpf: () => import('./cpf.command.js'),
    address: () => import('./address.command.js'),
    nfe: () => import('./nfe.command.js'),
    cte: () => import('./cte.command.js'),
  },
  aliases: { cep: 'address' },
};
