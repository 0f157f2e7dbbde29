import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Retained history of NFS-e', pt: 'Histórico retido de NFS-e' },
  verbs: {
    show: () => import('./show.js'),
    plan: () => import('./plan.js'),
    release: () => import('./release.js'),
    revoke: () => import('./revoke.js'),
    wait: () => import('./wait.js'),
    'start-from': () => import('./start-from.js'),
  },
};
