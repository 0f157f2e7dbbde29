import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'What was sent, what is under way', pt: 'O que foi enviado, o que está em andamento' },
  verbs: {
    list: () => import('./list.js'),
    show: () => import('./show.js'),
    items: () => import('./items.js'),
    resume: () => import('./resume.js'),
    retry: () => import('./retry.js'),
    cancel: () => import('./cancel.js'),
    watch: () => import('./watch.js'),
    check: () => import('./check.js'),
    resolve: () => import('./resolve.js'),
    export: () => import('./export.js'),
    prune: () => import('./prune.js'),
  },
};
