import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Keys and profiles', pt: 'Chaves e perfis' },
  verbs: {
    login: () => import('./login.command.js'),
    status: () => import('./status.command.js'),
    logout: () => import('./logout.command.js'),
    list: () => import('./list.command.js'),
    use: () => import('./use.command.js'),
  },
};
