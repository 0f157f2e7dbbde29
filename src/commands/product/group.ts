import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'The product registry', pt: 'O cadastro de produtos' },
  verbs: {
    create: () => import('./create.command.js'),
    get: () => import('./get.command.js'),
    update: () => import('./update.command.js'),
    revalidate: () => import('./revalidate.command.js'),
    wait: () => import('./wait.command.js'),
    apply: () => import('./apply.command.js'),
    import: () => import('./import.command.js'),
    list: () => import('./list.command.js'),
  },
};
