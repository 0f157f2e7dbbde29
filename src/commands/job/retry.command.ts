import { defineCommand } from '../../cli/command.js';
import { batchOptions, batchOptionsOf } from '../../cli/options.js';
import { jobArgument, workExitCodes } from './job-argument.js';
import { ExitCode } from '../../errors/exit-code.js';

export const command = defineCommand({
  summary: { en: 'Send again what ended badly', pt: 'Envia de novo o que terminou mal' },
  description: {
    en: 'Every rejected, failed or cancelled item is sent as a fresh item that points at the old one. Items that an earlier run left open go on, so the same command continues a retry that was interrupted.',
    pt: 'Cada item rejeitado, com falha ou cancelado é enviado como um item novo que aponta para o antigo. Itens que uma execução anterior deixou abertos continuam, então o mesmo comando retoma um retry interrompido.',
  },
  arguments: [jobArgument],
  options: batchOptions,
  examples: [
    {
      command: 'fiscal job retry 261121-0800-3f2c91 --wait --yes',
      summary: { en: 'Until everything is settled', pt: 'Até tudo terminar' },
    },
  ],
  exitCodes: [...workExitCodes, ExitCode.conflict],
  view: async () => (await import('../../presenters/batch.js')).batchView,
  async run({ context, options, arguments: { id = '' } }) {
    const { retryJob } = await import('./retry.js');
    return await retryJob(context, id, batchOptionsOf(options));
  },
});
