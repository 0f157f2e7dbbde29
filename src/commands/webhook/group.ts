import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Events that the service sends you', pt: 'Eventos que o serviço envia a você' },
  verbs: {
    list: () => import('./list.command.js'),
    create: () => import('./create.command.js'),
    get: () => import('./get.command.js'),
    update: () => import('./update.command.js'),
    delete: () => import('./delete.command.js'),
    ping: () => import('./ping.command.js'),
    'event-types': () => import('./event-types.command.js'),
    listen: () => import('./listen.command.js'),
    verify: () => import('./verify.command.js'),
    events: () => import('./events.command.js'),
    resend: () => import('./resend.command.js'),
    missed: () => import('./missed.command.js'),
  },
};
