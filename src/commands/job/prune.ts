import { defineCommand } from '../../cli/command.js';
import { FiscalError } from '../../errors/fiscal-error.js';

export const command = defineCommand({
  summary: { en: 'Forget jobs that ended long ago', pt: 'Esquece trabalhos que terminaram há muito tempo' },
  description: {
    en: 'Removes them with their items and requests. Jobs with an uncertain item stay. What is removed no longer keeps the same input from being sent again.',
    pt: 'Remove-os com itens e requisições. Trabalhos com item incerto ficam. O que é removido já não impede que a mesma entrada seja enviada de novo.',
  },
  options: {
    olderThan: {
      kind: 'duration',
      value: 'age',
      summary: { en: 'Age of the end of the job, such as 90d', pt: 'Idade do fim do trabalho, como 90d' },
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
    const { pruneJobs } = await import('../../services/job/prune.js');
    return await pruneJobs(context, olderThan);
  },
});
