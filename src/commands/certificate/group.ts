import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'Digital certificates of the companies', pt: 'Certificados digitais das empresas' },
  verbs: {
    list: () => import('./list.js'),
    upload: () => import('./upload.js'),
    delete: () => import('./delete.js'),
    check: () => import('./check.js'),
  },
};
