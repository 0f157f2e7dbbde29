import { define, does, example, toggle } from '../../cli/define.js';

export const doctor = define('Check this installation', 'Verifica esta instalação', {
  description: {
    en: 'Checks Node, configuration, state folder, store, keys and addresses, and shows what to do. Changes nothing; without --online nothing is sent. --ci looks at what a pipeline needs, and writes only the probe object of the bucket. --probe asks a real account what it has, only by reads that cost nothing and change nothing, and shows what differs from the published interface.',
    pt: 'Examina o Node, a configuração, a pasta de estado, o banco de dados local, as chaves e os endereços, e indica o que fazer. Não altera nada; sem --online nada é enviado. --ci examina o que um pipeline precisa, e só grava o objeto de teste do bucket. --probe consulta o que uma conta real oferece, só com leituras sem custo e sem efeito, e mostra o que difere da interface publicada.',
  },
  options: {
    online: toggle(
      'Also call the service: does it answer, does it accept the key, is the clock right, what does the company capture, until when is its certificate valid',
      'Também consulta o serviço: se responde, se aceita a chave, se o relógio está certo, o que a empresa captura e até quando vale o certificado dela',
      { notWith: ['probe'] },
    ),
    ci: toggle(
      'For a pipeline, before it sends: --online, the role Management, a shared store, a writable bucket, variables, the step summary',
      'Para um pipeline, antes do envio: --online, o papel Management, estado compartilhado, bucket gravável, variáveis, resumo da etapa',
      { notWith: ['probe', 'online'] },
    ),
    probe: toggle(
      'Ask each host, list and route once: keys, roles, forms of the lists, clock, limits',
      'Consulta uma vez cada host, lista e rota: chaves, papéis, forma das listas, relógio, limites',
    ),
    write: toggle(
      'Store in the profile the paths and shapes that the probe finds, after asking',
      'Grava no perfil os caminhos e formatos que a verificação encontra, depois de perguntar',
      { onlyWith: ['probe'] },
    ),
  },
  examples: [
    example('', 'Without network', 'Sem rede'),
    example('--online', 'With the service', 'Com o serviço'),
    example('--ci', 'The first step of a pipeline', 'A primeira etapa de um pipeline'),
    example('--probe --profile acme', 'What a new account has', 'O que uma conta nova oferece'),
    example('--probe --dry-run', 'What would be asked', 'O que seria consultado'),
  ],
  exits: ['calls', 'endedBadly'],
  exitMeanings: { endedBadly: { en: 'a check failed', pt: 'uma verificação falhou' } },
  id: 'check',
  view: async () => (await import('../../presenters/doctor.js')).doctorView,
});

export const command = does(doctor, async () => (await import('./examine.js')).examine);
