import { choice, define, does, example, text } from '../../cli/define.js';

export const setup = define('Set up a profile, step by step', 'Configura um perfil, passo a passo', {
  description: {
    en: 'Asks at a terminal for the service, the keys, the company, the folder of the archive and the completion of your shell, and checks the result. Every step has an option; what is not answered does not change. Nothing is stored before the last answer and before the service has accepted the invoice key, except where it cannot be reached: then address and keys are kept, unchecked. The profile (--profile, else the one in use, else "default") becomes the one in use. Keys are never an argument: lines invoice=…, data=…, jwt=…, or one line with the invoice key.',
    pt: 'No terminal, pergunta o serviço, as chaves, a empresa, a pasta de documentos e o completar do seu shell, e verifica o resultado. Cada passo tem uma opção; o que não é respondido não muda. Nada é gravado antes da última resposta e antes de o serviço aceitar a chave de emissão, salvo se ele não puder ser alcançado: então endereço e chaves ficam gravados, sem verificação. O perfil (--profile, senão o que está em uso, senão "default") passa a ser o que está em uso. Uma chave nunca é argumento: linhas invoice=…, data=…, jwt=…, ou uma linha só com a chave de emissão.',
  },
  options: {
    service: choice(
      ['nfe.io', 'sandbox'],
      'A known service, or the sandbox of this machine',
      'Um serviço conhecido, ou o sandbox desta máquina',
      { notWith: ['productUrl', 'queryUrl', 'serviceUrl'] },
    ),
    productUrl: text('https://…', 'Another address of the product API', 'Outro endereço da API de produto'),
    queryUrl: text('https://…', 'Another address of the query API', 'Outro endereço da API de consultas'),
    serviceUrl: text('https://…', 'Another address of the service API', 'Outro endereço da API de serviço'),
    keysFile: text('file', 'File with the keys; - for stdin', 'Arquivo com as chaves; - para o stdin'),
    company: text(
      'company',
      'Company to use: id, CNPJ or beginning of the name',
      'Empresa a usar: id, CNPJ ou início do nome',
    ),
    archive: text('folder', 'Folder of the archive', 'Pasta de documentos'),
    completion: choice(
      ['bash', 'zsh', 'fish', 'none'],
      'Add completion to the start file of this shell',
      'Acrescenta o completar ao arquivo de início deste shell',
    ),
  },
  examples: [
    example('', 'Asks everything', 'Pergunta tudo'),
    example('--service sandbox --completion bash', 'Without an account', 'Sem conta'),
    example(
      '--profile acme --service nfe.io --keys-file keys.txt --company 12.345.678/0001-95',
      'Without a terminal',
      'Sem terminal',
    ),
    example('--archive ~/notas', 'Change one answer only', 'Altera só uma resposta'),
  ],
  exits: ['credentials', 'temporary', 'refused', 'forbidden', 'notFound', 'rateLimited', 'endedBadly'],
  exitMeanings: {
    endedBadly: {
      en: 'the answers are stored, and a check failed',
      pt: 'as respostas foram gravadas, e uma verificação falhou',
    },
  },
  id: 'profile',
  view: async () => (await import('../../presenters/setup.js')).setupView,
});

export const command = does(setup, async () => (await import('./set-up.js')).setUp);
