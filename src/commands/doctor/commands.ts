import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';

export const command = defineCommand({
  summary: { en: 'Check this installation', pt: 'Verifica esta instalação' },
  description: {
    en: 'Checks Node, configuration, state folder, store, keys and addresses, and shows what to do. Changes nothing; without --online nothing is sent.',
    pt: 'Examina o Node, a configuração, a pasta de estado, o banco de dados local, as chaves e os endereços, e indica o que fazer. Não altera nada; sem --online nada é enviado.',
  },
  options: {
    online: {
      kind: 'toggle',
      summary: {
        en: 'Also call the service: does it answer, does it accept the key, is the clock right',
        pt: 'Também consulta o serviço: se responde, se aceita a chave, se o relógio está certo',
      },
    },
  },
  examples: [
    { command: 'fiscal doctor', summary: { en: 'Without network', pt: 'Sem rede' } },
    { command: 'fiscal doctor --online', summary: { en: 'With the service', pt: 'Com o serviço' } },
  ],
  exitCodes: [ExitCode.endedBadly],
  idField: 'check',
  view: async () => (await import('../../presenters/doctor.js')).doctorView,
  async run({ context, options: { online } }) {
    const { examine } = await import('./examine.js');
    return await examine(context, { online });
  },
});
