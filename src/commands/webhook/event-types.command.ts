import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: {
    en: 'List the events that a webhook can ask for',
    pt: 'Lista os eventos que um webhook pode pedir',
  },
  options: {},
  examples: [
    { command: 'fiscal webhook event-types', summary: { en: 'All events', pt: 'Todos os eventos' } },
    { command: 'fiscal webhook event-types -o id', summary: { en: 'Their names', pt: 'Os nomes' } },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context }) {
    const { listEventTypes } = await import('./event-types.js');
    return listEventTypes(context);
  },
});
