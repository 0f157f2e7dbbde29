import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'List the webhooks of the account', pt: 'Lista os webhooks da conta' },
  options: {},
  examples: [
    { command: 'fiscal webhook list', summary: { en: 'All of them', pt: 'Todos eles' } },
    {
      command: 'fiscal webhook list --query "[?status!=\'Active\'].id"',
      summary: { en: 'The ids of the inactive ones', pt: 'Os ids dos inativos' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView(['id', 'status', 'uri', 'filters', 'modifiedOn']);
  },
  async run({ context }) {
    const { listWebhooks } = await import('./list.js');
    return listWebhooks(context);
  },
});
