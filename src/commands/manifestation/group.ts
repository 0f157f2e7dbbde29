import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: {
    en: 'Events of the recipient (NF-e) and the taker (NFS-e)',
    pt: 'Eventos do destinatário (NF-e) e do tomador (NFS-e)',
  },
  verbs: {
    submit: () => import('./submit.command.js'),
    get: () => import('./get.command.js'),
    poll: () => import('./poll.command.js'),
    list: () => import('./list.command.js'),
    import: () => import('./import.command.js'),
    plan: () => import('./plan.command.js'),
    apply: () => import('./apply.command.js'),
    due: () => import('./due.command.js'),
    codes: () => import('./codes.command.js'),
  },
};
