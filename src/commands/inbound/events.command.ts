import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { documentArgument, typeOption } from './document-argument.js';

export const command = defineCommand({
  summary: { en: 'The events of an NF-e or CT-e', pt: 'Os eventos de uma NF-e ou CT-e' },
  arguments: [documentArgument],
  options: typeOption,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound events 35250530057049000141550010000280181030656857',
      summary: { en: 'All, as the service lists them', pt: 'Todos, como o serviço os lista' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'eventKey',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView(['eventKey', 'type', 'description', 'sequence', 'issuedOn', 'nsu']);
  },
  async run({ context, options: { type }, arguments: { key = '' } }) {
    const { showEvents } = await import('./events.js');
    return showEvents(context, { key, type });
  },
});
