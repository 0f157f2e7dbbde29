import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'All companies of the account', pt: 'Todas as empresas da conta' },
  verbs: { check: () => import('./check.command.js') },
};
