import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Keys and profiles', pt: 'Chaves e perfis' },
  verbs: {
    login: () => import('./login.js'),
    status: () => import('./status.js'),
    logout: () => import('./logout.js'),
    list: () => import('./list.js'),
    use: () => import('./use.js'),
  },
};
