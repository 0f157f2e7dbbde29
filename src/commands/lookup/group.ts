import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Queries of public registries', pt: 'Consultas a cadastros públicos' },
  verbs: {
    cnpj: () => import('./cnpj.js'),
    cpf: () => import('./cpf.js'),
    address: () => import('./address.js'),
    nfe: () => import('./nfe.js'),
    cte: () => import('./cte.js'),
  },
  aliases: { cep: 'address' },
};
