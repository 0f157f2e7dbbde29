import { defineCommand, inModes } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { eventOptions } from './event-options.js';

export const command = defineCommand({
  summary: {
    en: 'List the events that this machine received',
    pt: 'Lista os eventos que esta máquina recebeu',
  },
  description: {
    en: 'Newest first, without network. With an id: one event and its body. States: received (waits to be forwarded), forwarding, delivered, dead (given up), kept (nobody asked for its kind).',
    pt: 'Os mais novos primeiro, sem rede. Com um id: um evento e o corpo dele. Estados: received (aguarda encaminhamento), forwarding, delivered, dead (abandonado), kept (ninguém pediu esse tipo).',
  },
  arguments: [
    {
      name: 'id',
      summary: { en: 'One event, with its body', pt: 'Um evento, com o corpo' },
      required: false,
    },
  ],
  options: inModes(eventOptions, { notWith: ['<id>'] }),
  examples: [
    { command: 'fiscal webhook events', summary: { en: 'The newest hundred', pt: 'Os cem mais novos' } },
    {
      command: 'fiscal webhook events --failed --since 7d',
      summary: { en: 'What was given up this week', pt: 'O que foi abandonado nesta semana' },
    },
  ],
  exitCodes: [ExitCode.notFound],
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView(['receivedAt', 'state', 'event', 'resource', 'attempts', 'lastError', 'id']);
  },
  async run({ context, options, arguments: { id } }) {
    const { listEvents } = await import('./events.js');
    return listEvents(context, { id, ...options });
  },
});
