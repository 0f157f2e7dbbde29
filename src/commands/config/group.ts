import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Settings, and where each comes from', pt: 'Configurações, e de onde cada uma vem' },
  verbs: {
    list: () => import('./list.command.js'),
    get: () => import('./get.command.js'),
    set: () => import('./set.command.js'),
    unset: () => import('./unset.command.js'),
    path: () => import('./path.command.js'),
  },
};
