import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Companies of the account', pt: 'Empresas da conta' },
  verbs: {
    list: () => import('./list.command.js'),
    get: () => import('./get.command.js'),
    create: () => import('./create.command.js'),
    update: () => import('./update.command.js'),
    delete: () => import('./delete.command.js'),
    'alias set': () => import('./alias/set.command.js'),
    'alias list': () => import('./alias/list.command.js'),
    'alias remove': () => import('./alias/remove.command.js'),
  },
};
