import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { jobArgument } from './job-argument.js';

export const command = defineCommand({
  summary: { en: 'Take back what was not sent yet', pt: 'Retira o que ainda não foi enviado' },
  description: {
    en: 'What is on its way or already at the service stays as it is.',
    pt: 'O que está a caminho ou já está no serviço fica como está.',
  },
  arguments: [jobArgument],
  options: {},
  examples: [
    {
      command: 'fiscal job cancel 261121-0800-3f2c91 --yes',
      summary: { en: 'Without being asked', pt: 'Sem perguntar' },
    },
  ],
  exitCodes: [ExitCode.notFound, ExitCode.held],
  idField: 'id',
  async run({ context, arguments: { id = '' } }) {
    const { cancelJob } = await import('./cancel.js');
    return await cancelJob(context, id);
  },
});
