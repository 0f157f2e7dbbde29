import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Events that the service sends you', pt: 'Eventos que o serviço envia a você' },
  verbs: { listen: () => import('./listen.js') },
};
