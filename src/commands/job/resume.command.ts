import { defineCommand } from '../../cli/command.js';
import { batchOptions, batchOptionsOf } from '../../cli/options.js';
import { jobArgument, workExitCodes } from './job-argument.js';

export const command = defineCommand({
  summary: { en: 'Go on with a job where it stopped', pt: 'Continua um trabalho de onde parou' },
  description: {
    en: 'Sends what was not sent, looks after what is pending with --wait, and touches nothing that is settled.',
    pt: 'Envia o que não foi enviado, acompanha o que está pendente com --wait e não toca no que já terminou.',
  },
  arguments: [jobArgument],
  options: batchOptions,
  examples: [
    {
      command: 'fiscal job resume 261121-0800-3f2c91 --wait',
      summary: { en: 'Until everything is settled', pt: 'Até tudo terminar' },
    },
  ],
  exitCodes: workExitCodes,
  view: async () => (await import('../../presenters/batch.js')).batchView,
  async run({ context, options, arguments: { id = '' } }) {
    const { resumeJob } = await import('./resume.js');
    return await resumeJob(context, id, batchOptionsOf(options));
  },
});
