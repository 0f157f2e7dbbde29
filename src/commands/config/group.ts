import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Settings, and where each comes from', pt: 'Configurações, e de onde cada uma vem' },
  verbs: {
    list: () => import('./list.js'),
    get: () => import('./get.js'),
    set: () => import('./set.js'),
    unset: () => import('./unset.js'),
    path: () => import('./path.js'),
  },
};
