import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';

export const command = defineCommand({
  summary: {
    en: 'Forward stored events again',
    pt: 'Encaminha de novo eventos guardados',
  },
  description: {
    en: 'Puts them back into the queue of this machine, from which a running listener forwards them. The service is not asked: what never arrived is found by fiscal webhook missed.',
    pt: 'Devolve-os à fila desta máquina, de onde um receptor em execução os encaminha. O serviço não é chamado: o que nunca chegou é encontrado por fiscal webhook missed.',
  },
  arguments: [
    {
      name: 'id',
      summary: { en: 'One event', pt: 'Um evento' },
      required: false,
    },
  ],
  options: {
    since: {
      kind: 'text',
      value: 'time',
      summary: {
        en: 'All delivered and given up since this day, UTC time, or age (30d)',
        pt: 'Todos os entregues e abandonados desde este dia, horário UTC ou idade (30d)',
      },
    },
    failed: {
      kind: 'toggle',
      summary: { en: 'Only those that were given up', pt: 'Só os que foram abandonados' },
    },
  },
  examples: [
    {
      command: 'fiscal webhook resend --since 2d --failed --yes',
      summary: {
        en: 'What was given up since the day before yesterday',
        pt: 'O que foi abandonado desde anteontem',
      },
    },
    { command: 'fiscal webhook resend 6f1c0a2e', summary: { en: 'One event', pt: 'Um evento' } },
  ],
  exitCodes: [ExitCode.notFound],
  async run({ context, options, arguments: { id } }) {
    const { resendEvents } = await import('./resend.js');
    return resendEvents(context, { id, ...options });
  },
});
