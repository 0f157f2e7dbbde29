import { defineCommand } from '../../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'List the aliases of the profile', pt: 'Lista os apelidos do perfil' },
  options: {},
  examples: [
    {
      command: 'fiscal company alias list',
      summary: { en: 'Each with its company', pt: 'Cada um com a sua empresa' },
    },
  ],
  exitCodes: [],
  idField: 'companyId',
  view: async () => {
    const { columnsView } = await import('../../../presenters/columns.js');
    return columnsView(['alias', 'companyId', 'companyName', 'companyTaxNumber']);
  },
  async run({ context }) {
    const { listAliases } = await import('../alias.js');
    return await listAliases(context);
  },
});
