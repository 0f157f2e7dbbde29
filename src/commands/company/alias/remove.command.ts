import { defineCommand } from '../../../cli/command.js';
import { ExitCode } from '../../../errors/exit-code.js';
import { aliasArgument } from './alias-argument.js';

export const command = defineCommand({
  summary: { en: 'Remove an alias from the profile', pt: 'Remove um apelido do perfil' },
  description: {
    en: 'The company itself is not changed.',
    pt: 'A empresa em si não é alterada.',
  },
  arguments: [aliasArgument],
  options: {},
  examples: [
    {
      command: 'fiscal company alias remove padaria',
      summary: { en: 'The word is free again', pt: 'A palavra fica livre' },
    },
  ],
  exitCodes: [ExitCode.credentials, ExitCode.notFound],
  idField: 'companyId',
  async run({ context, arguments: { alias = '' } }) {
    const { removeAlias } = await import('../alias.js');
    return await removeAlias(context, alias);
  },
});
