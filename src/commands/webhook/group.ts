import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Events that the service sends you', pt: 'Eventos que o serviço envia a você' },
  verbs: {
    list: () => import('./list.js'),
    create: () => import('./create.js'),
    get: () => import('./get.js'),
    update: () => import('./update.js'),
    delete: () => import('./delete.js'),
    ping: () => import('./ping.js'),
    'event-types': () => import('./event-types.js'),
    listen: () => import('./listen.js'),
    verify: () => import('./verify.js'),
    events: () => import('./events.js'),
    resend: () => import('./resend.js'),
    missed: () => import('./missed.js'),
  },
};
