import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: {
    en: 'What this machine knows of earlier sends',
    pt: 'O que esta máquina sabe de envios anteriores',
  },
  verbs: {
    status: () => import('./status.command.js'),
    adopt: () => import('./adopt.command.js'),
  },
};
