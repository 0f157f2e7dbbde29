import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Companies of the account', pt: 'Empresas da conta' },
  verbs: {
    list: () => import('./list.js'),
    get: () => import('./get.js'),
    create: () => import('./create.js'),
    update: () => import('./update.js'),
    delete: () => import('./delete.js'),
    'alias set': () => import('./alias/set.js'),
    'alias list': () => import('./alias/list.js'),
    'alias remove': () => import('./alias/remove.js'),
  },
};
