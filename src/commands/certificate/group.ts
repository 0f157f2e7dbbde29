import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Digital certificates of the companies', pt: 'Certificados digitais das empresas' },
  verbs: {
    list: () => import('./list.command.js'),
    upload: () => import('./upload.command.js'),
    delete: () => import('./delete.command.js'),
    check: () => import('./check.command.js'),
  },
};
