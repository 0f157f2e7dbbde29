import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'The product registry', pt: 'O cadastro de produtos' },
  verbs: {
    create: () => import('./create.js'),
    get: () => import('./get.js'),
    update: () => import('./update.js'),
    revalidate: () => import('./revalidate.js'),
    wait: () => import('./wait.js'),
    apply: () => import('./apply.js'),
    import: () => import('./import.js'),
    list: () => import('./list.js'),
  },
};
