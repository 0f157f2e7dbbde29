import { waitTimes } from '../../cli/batch-options.js';
import { defineCommand } from '../../cli/command.js';
import { sweepExitCodes } from './backfill-options.js';

export const command = defineCommand({
  summary: {
    en: 'Follow a release or a revoke to its end',
    pt: 'Acompanha uma liberação ou revogação até o fim',
  },
  description: {
    en: 'What this machine asked for stands in its jobs, so a wait that was killed is taken up by the next one; a job of several companies is followed whole. A company that no job asks for is followed by its summary. Ends 0 when all has settled, 8 when the time is up, 13 when another request overtook it.',
    pt: 'O que esta máquina pediu está nos seus trabalhos, por isso uma espera interrompida é retomada pela próxima; um trabalho de várias empresas é acompanhado inteiro. Uma empresa sem trabalho é acompanhada pelo resumo. Termina em 0 quando tudo se assentou, em 8 quando o tempo acaba, em 13 quando outro pedido o superou.',
  },
  options: {
    all: {
      notWith: ['company'],
      kind: 'toggle',
      summary: {
        en: 'Everything that this machine asked for',
        pt: 'Tudo o que esta máquina pediu',
      },
    },
    ...waitTimes,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal backfill wait --company c1 --timeout 1h',
      summary: { en: 'At most one hour', pt: 'No máximo uma hora' },
    },
    { command: 'fiscal backfill wait --all', summary: { en: 'All requests', pt: 'Todos os pedidos' } },
  ],
  exitCodes: sweepExitCodes,
  idField: 'companyId',
  view: async () => (await import('../../presenters/batch.js')).batchView,
  async run({ context, options: { all, timeout: timeoutMs, interval: intervalMs } }) {
    const { waitForBackfill } = await import('./wait.js');
    return waitForBackfill(context, { all, timeoutMs, intervalMs });
  },
});
