import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { jobArgument } from './job-argument.js';

export const command = defineCommand({
  summary: { en: 'Compare a job with the service', pt: 'Compara um trabalho com o serviço' },
  description: {
    en: 'Reads what every item left at the service and shows what differs from the local record. Sends nothing else.',
    pt: 'Lê o que cada item deixou no serviço e mostra o que difere do registro local. Não envia mais nada.',
  },
  arguments: [jobArgument],
  options: {},
  examples: [
    {
      command: 'fiscal job check 261121-0800-3f2c91',
      summary: { en: 'Nothing but the summary: all is the same', pt: 'Só o resumo: está tudo igual' },
    },
  ],
  exitCodes: [
    ExitCode.partial,
    ExitCode.credentials,
    ExitCode.temporary,
    ExitCode.forbidden,
    ExitCode.notFound,
    ExitCode.rateLimited,
  ],
  idField: 'id',
  async run({ context, arguments: { id = '' } }) {
    const { checkJob } = await import('./check.js');
    return await checkJob(context, id);
  },
});
