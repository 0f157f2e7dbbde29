import { defineCommand } from '../../cli/command.js';
import { FiscalError } from '../../errors/fiscal-error.js';

export const command = defineCommand({
  summary: { en: 'Forget jobs that ended long ago', pt: 'Esquece trabalhos que terminaram há muito tempo' },
  description: {
    en: 'Removes them with their items and requests, and received webhooks that were delivered, or kept unasked for, as long ago. Jobs with an uncertain item stay, as do webhooks that wait or were given up. What is removed no longer keeps the same input from being sent again, nor a late copy of a webhook from being new.',
    pt: 'Remove-os com itens e requisições, e também os webhooks recebidos que foram entregues, ou guardados sem que ninguém os pedisse, há tanto tempo quanto. Trabalhos com item incerto ficam, assim como webhooks que esperam ou dos quais se desistiu. O que é removido já não impede que a mesma entrada seja enviada de novo, nem que uma cópia tardia de um webhook conte como nova.',
  },
  options: {
    olderThan: {
      kind: 'duration',
      value: 'age',
      summary: {
        en: 'Age of the end of the job or webhook, such as 90d',
        pt: 'Idade do fim do trabalho ou do webhook, como 90d',
      },
    },
  },
  examples: [
    {
      command: 'fiscal job prune --older-than 90d --dry-run',
      summary: { en: 'How much would go', pt: 'Quanto seria removido' },
    },
  ],
  exitCodes: [],
  async run({ context, options: { olderThan } }) {
    if (olderThan === undefined) throw new FiscalError('usage.missing', { names: '--older-than' });
    const { pruneJobs } = await import('./prune.js');
    return await pruneJobs(context, olderThan);
  },
});
