import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';

export const command = defineCommand({
  summary: { en: 'Check this installation', pt: 'Verifica esta instalação' },
  description: {
    en: 'Checks Node, configuration, state folder, store, keys and addresses, and shows what to do. Changes nothing; without --online nothing is sent. --probe asks a real account what it has, only by reads that cost nothing and change nothing, and shows what differs from the published interface.',
    pt: 'Examina o Node, a configuração, a pasta de estado, o banco de dados local, as chaves e os endereços, e indica o que fazer. Não altera nada; sem --online nada é enviado. --probe consulta o que uma conta real oferece, só com leituras sem custo e sem efeito, e mostra o que difere da interface publicada.',
  },
  options: {
    online: {
      kind: 'toggle',
      summary: {
        en: 'Also call the service: does it answer, does it accept the key, is the clock right, what does the company capture, until when is its certificate valid',
        pt: 'Também consulta o serviço: se responde, se aceita a chave, se o relógio está certo, o que a empresa captura e até quando vale o certificado dela',
      },
      notWith: ['probe'],
    },
    probe: {
      kind: 'toggle',
      summary: {
        en: 'Ask each host, list and route once: keys, roles, forms of the lists, clock, limits',
        pt: 'Consulta uma vez cada host, lista e rota: chaves, papéis, forma das listas, relógio, limites',
      },
    },
    write: {
      kind: 'toggle',
      onlyWith: ['probe'],
      summary: {
        en: 'Store in the profile the paths and shapes that the probe finds, after asking',
        pt: 'Grava no perfil os caminhos e formatos que a verificação encontra, depois de perguntar',
      },
    },
  },
  examples: [
    { command: 'fiscal doctor', summary: { en: 'Without network', pt: 'Sem rede' } },
    { command: 'fiscal doctor --online', summary: { en: 'With the service', pt: 'Com o serviço' } },
    {
      command: 'fiscal doctor --probe --profile acme',
      summary: { en: 'What a new account has', pt: 'O que uma conta nova oferece' },
    },
    {
      command: 'fiscal doctor --probe --dry-run',
      summary: { en: 'What would be asked', pt: 'O que seria consultado' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.endedBadly],
  exitMeanings: {
    [ExitCode.endedBadly]: { en: 'a check failed', pt: 'uma verificação falhou' },
  },
  idField: 'check',
  view: async () => (await import('../../presenters/doctor.js')).doctorView,
  async run({ context, options: { online, probe, write } }) {
    const { examine } = await import('./examine.js');
    return await examine(context, { online, company: online, probe, write });
  },
});
