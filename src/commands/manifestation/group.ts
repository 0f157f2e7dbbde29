import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: {
    en: 'Events of the recipient (NF-e) and the taker (NFS-e)',
    pt: 'Eventos do destinatário (NF-e) e do tomador (NFS-e)',
  },
  verbs: {
    submit: () => import('./submit.js'),
    get: () => import('./get.js'),
    poll: () => import('./poll.js'),
    list: () => import('./list.js'),
    import: () => import('./import.js'),
    plan: () => import('./plan.js'),
    apply: () => import('./apply.js'),
    due: () => import('./due.js'),
    codes: () => import('./codes.js'),
  },
};
