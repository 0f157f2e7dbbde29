import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'The service itself, on this machine', pt: 'O próprio serviço, nesta máquina' },
  verbs: {
    start: () => import('./start.command.js'),
    status: () => import('./status.command.js'),
    exec: () => import('./exec.command.js'),
    reset: () => import('./reset.command.js'),
    clock: () => import('./clock.command.js'),
    mode: () => import('./mode.command.js'),
    authority: () => import('./authority.command.js'),
    outcome: () => import('./outcome.command.js'),
    fault: () => import('./fault.command.js'),
    deliver: () => import('./deliver.command.js'),
    ledger: () => import('./ledger.command.js'),
    seed: () => import('./seed.command.js'),
    routes: () => import('./routes.command.js'),
  },
};
