import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';
import { aliasArgument } from './alias-argument.js';

export const command = defineCommand({
  summary: { en: 'Name a company by a word of your own', pt: 'Dá um apelido a uma empresa' },
  description: {
    en: 'The alias stands for the company wherever one is named. It is kept in the profile, with the id of the company.',
    pt: 'O apelido vale onde quer que se indique uma empresa. Fica no perfil, com o id da empresa.',
  },
  arguments: [
    aliasArgument,
    {
      name: 'company',
      required: true,
      summary: { en: 'Id, CNPJ or beginning of the name', pt: 'Id, CNPJ ou início do nome' },
    },
  ],
  options: {},
  examples: [
    {
      command: 'fiscal company alias set padaria 12.345.678/0001-95',
      summary: { en: 'Then: --company padaria', pt: 'Depois: --company padaria' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'companyId',
  async run({ context, arguments: { alias = '', company = '' } }) {
    const { setAlias } = await import('../alias.js');
    return await setAlias(context, alias, company);
  },
});
