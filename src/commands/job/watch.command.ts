import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { jobArgument } from './job-argument.js';

export const command = defineCommand({
  summary: {
    en: 'Follow a job that another process works on',
    pt: 'Acompanha um trabalho feito por outro processo',
  },
  description: {
    en: 'Sends nothing. Ends when nobody works on the job any more.',
    pt: 'Não envia nada. Termina quando ninguém mais trabalha nele.',
  },
  arguments: [jobArgument],
  options: {
    timeout: {
      kind: 'duration',
      value: 'time',
      default: '10m',
      summary: { en: 'How long to follow it', pt: 'Por quanto tempo acompanhar' },
    },
  },
  examples: [
    {
      command: 'fiscal job watch 261121-0800-3f2c91',
      summary: { en: 'Until its end', pt: 'Até o fim' },
    },
  ],
  exitCodes: [ExitCode.partial, ExitCode.pending, ExitCode.notFound],
  idField: 'id',
  async run({ context, options, arguments: { id = '' } }) {
    const { watchJob } = await import('./watch.js');
    return await watchJob(context, id, options.timeout);
  },
});
