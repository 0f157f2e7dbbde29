import type { ArgumentSpec } from '../../../cli/command.js';

export const aliasArgument: ArgumentSpec = {
  name: 'alias',
  required: true,
  summary: {
    en: 'A word that begins with a letter, without commas; no id and no CNPJ',
    pt: 'Uma palavra que começa com letra, sem vírgulas; nem id nem CNPJ',
  },
};
