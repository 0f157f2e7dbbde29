import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'What was sent, what is under way', pt: 'O que foi enviado, o que está em andamento' },
  verbs: {
    list: () => import('./list.command.js'),
    show: () => import('./show.command.js'),
    items: () => import('./items.command.js'),
    resume: () => import('./resume.command.js'),
    retry: () => import('./retry.command.js'),
    cancel: () => import('./cancel.command.js'),
    watch: () => import('./watch.command.js'),
    check: () => import('./check.command.js'),
    resolve: () => import('./resolve.command.js'),
    export: () => import('./export.command.js'),
    prune: () => import('./prune.command.js'),
  },
};
