import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { jobArgument } from './job-argument.js';

export const command = defineCommand({
  summary: {
    en: 'Write everything that is kept of a job, for an audit',
    pt: 'Escreve tudo o que se guarda de um trabalho, para auditoria',
  },
  description: {
    en: 'NDJSON: the job, every item with its input and its steps (earlier tries first), and a summary.',
    pt: 'NDJSON: o trabalho, cada item com a entrada e os passos (tentativas anteriores primeiro) e um resumo.',
  },
  arguments: [jobArgument],
  options: {},
  examples: [
    {
      command: 'fiscal job export 261121-0800-3f2c91 > job.ndjson',
      summary: { en: 'Into a file', pt: 'Para um arquivo' },
    },
  ],
  exitCodes: [ExitCode.notFound],
  view: async () => (await import('../../presenters/lines.js')).linesView,
  async run({ context, arguments: { id = '' } }) {
    const { exportJob } = await import('./export.js');
    return await exportJob(context, id);
  },
});
