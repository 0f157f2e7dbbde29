import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'The tax engine', pt: 'O motor de cálculo de tributos' },
  verbs: {
    calculate: () => import('./calculate.command.js'),
    codes: () => import('./codes.command.js'),
  },
};
