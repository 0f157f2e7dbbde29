import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { jobArgument } from './job-argument.js';

export const command = defineCommand({
  summary: { en: 'Show one job', pt: 'Mostra um trabalho' },
  description: {
    en: 'Its counts, its times, who works on it now, and the next command to type.',
    pt: 'As contagens, os horários, quem trabalha nele agora e o próximo comando a digitar.',
  },
  arguments: [jobArgument],
  options: {},
  examples: [
    {
      command: 'fiscal job show 261121-0800-3f2c91',
      summary: { en: 'By the beginning of its id', pt: 'Pelo começo do id' },
    },
  ],
  exitCodes: [ExitCode.notFound],
  idField: 'id',
  async run({ context, arguments: { id = '' } }) {
    const { showJob } = await import('./show.js');
    return await showJob(context, id);
  },
});
