import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'List the companies of the account', pt: 'Lista as empresas da conta' },
  description: {
    en: 'Page by page, as a stream, each company once as it came.',
    pt: 'Página a página, em fluxo, cada empresa uma vez, como veio.',
  },
  options: {
    limit: {
      notWith: ['all'],
      kind: 'count',
      value: 'n',
      min: 1,
      summary: { en: 'At most so many (100)', pt: 'No máximo tantas (100)' },
    },
    all: { kind: 'toggle', summary: { en: 'Without a limit', pt: 'Sem limite' } },
  },
  examples: [
    {
      command: 'fiscal company list --all -o csv',
      summary: { en: 'All of them, for a spreadsheet', pt: 'Todas, para uma planilha' },
    },
    { command: 'fiscal company list -o id', summary: { en: 'Their ids', pt: 'Os ids' } },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView(['id', 'name', 'federalTaxNumber', 'alias', 'status']);
  },
  async run({ context, options: { limit, all } }) {
    const { listCompanies } = await import('./list.js');
    return listCompanies(context, { limit, all });
  },
});
