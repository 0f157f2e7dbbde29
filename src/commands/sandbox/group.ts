import type { CommandGroup } from '../../cli/command.js';

export const group: CommandGroup = {
  summary: { en: 'The service itself, on this machine', pt: 'O próprio serviço, nesta máquina' },
  verbs: {
    start: () => import('./start.js'),
    status: () => import('./status.js'),
    exec: () => import('./exec.js'),
    reset: () => import('./reset.js'),
    clock: () => import('./clock.js'),
    mode: () => import('./mode.js'),
    authority: () => import('./authority.js'),
    outcome: () => import('./outcome.js'),
    fault: () => import('./fault.js'),
    deliver: () => import('./deliver.js'),
    ledger: () => import('./ledger.js'),
    seed: () => import('./seed.js'),
    routes: () => import('./routes.js'),
  },
};
