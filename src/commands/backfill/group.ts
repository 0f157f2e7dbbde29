import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Retained history of NFS-e', pt: 'Histórico retido de NFS-e' },
  verbs: {
    show: () => import('./show.command.js'),
    plan: () => import('./plan.command.js'),
    release: () => import('./release.command.js'),
    revoke: () => import('./revoke.command.js'),
    wait: () => import('./wait.command.js'),
    'start-from': () => import('./start-from.command.js'),
  },
};
