import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: {
    en: 'Access keys, CNPJ, CPF and CEP, without network',
    pt: 'Chaves de acesso, CNPJ, CPF e CEP, sem rede',
  },
  verbs: {
    check: () => import('./check.command.js'),
    parse: () => import('./parse.command.js'),
  },
};
