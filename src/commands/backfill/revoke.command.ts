import { batchOptionsOf } from '../../cli/batch-options.js';
import { defineCommand } from '../../cli/command.js';
import { sweepExitCodes, sweepOptions } from './backfill-options.js';

export const command = defineCommand({
  summary: { en: 'Take a release back', pt: 'Desfaz uma liberação' },
  description: {
    en: 'The NFS-e from before the cut-off are hidden again; what was archived stays where it is. It has settled when the hidden count stands still. During a running release it wins: the release ends as overtaken. Needs the role Management.',
    pt: 'As NFS-e anteriores à data de corte voltam a ficar ocultas; o que foi arquivado permanece. Termina quando a contagem de ocultas para de mudar. Durante uma liberação em curso ela prevalece: a liberação termina como superada. Precisa do papel Management.',
  },
  options: sweepOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal backfill revoke --company c1 --confirm c1 --yes --wait',
      summary: { en: 'One company, to the end', pt: 'Uma empresa, até o fim' },
    },
  ],
  exitCodes: sweepExitCodes,
  idField: 'companyId',
  view: async () => (await import('../../presenters/batch.js')).batchView,
  async run({ context, options }) {
    const { releaseHistory } = await import('./release.js');
    const { allCompanies, confirm } = options;
    return releaseHistory(context, {
      ...{ released: false, allCompanies, confirm },
      options: batchOptionsOf(options),
    });
  },
});
