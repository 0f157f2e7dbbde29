import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';

export const command = defineCommand({
  summary: { en: 'Set up a profile, step by step', pt: 'Configura um perfil, passo a passo' },
  description: {
    en: 'Asks at a terminal for the service, the keys, the company, the folder of the archive and the completion of your shell, and checks the result. Every step has an option; what is not answered does not change. Nothing is stored before the last answer and before the service has accepted the invoice key. The profile (--profile, else the one in use, else "default") becomes the one in use. Keys are never an argument: lines invoice=…, data=…, jwt=…, or one line with the invoice key.',
    pt: 'No terminal, pergunta o serviço, as chaves, a empresa, a pasta de documentos e o completar do seu shell, e verifica o resultado. Cada passo tem uma opção; o que não é respondido não muda. Nada é gravado antes da última resposta e antes de o serviço aceitar a chave de emissão. O perfil (--profile, senão o que está em uso, senão "default") passa a ser o que está em uso. Uma chave nunca é argumento: linhas invoice=…, data=…, jwt=…, ou uma linha só com a chave de emissão.',
  },
  options: {
    service: {
      kind: 'choice',
      choices: ['nfe.io', 'sandbox'],
      notWith: ['productUrl', 'queryUrl', 'serviceUrl'],
      summary: {
        en: 'A known service, or the sandbox of this machine',
        pt: 'Um serviço conhecido, ou o sandbox desta máquina',
      },
    },
    productUrl: {
      kind: 'text',
      value: 'https://…',
      summary: { en: 'Another address of the product API', pt: 'Outro endereço da API de produto' },
    },
    queryUrl: {
      kind: 'text',
      value: 'https://…',
      summary: { en: 'Another address of the query API', pt: 'Outro endereço da API de consultas' },
    },
    serviceUrl: {
      kind: 'text',
      value: 'https://…',
      summary: { en: 'Another address of the service API', pt: 'Outro endereço da API de serviço' },
    },
    keysFile: {
      kind: 'text',
      value: 'file',
      summary: { en: 'File with the keys; - for stdin', pt: 'Arquivo com as chaves; - para o stdin' },
    },
    company: {
      kind: 'text',
      value: 'company',
      summary: {
        en: 'Company to use: id, CNPJ or beginning of the name',
        pt: 'Empresa a usar: id, CNPJ ou início do nome',
      },
    },
    archive: {
      kind: 'text',
      value: 'folder',
      summary: { en: 'Folder of the archive', pt: 'Pasta de documentos' },
    },
    completion: {
      kind: 'choice',
      choices: ['bash', 'zsh', 'fish', 'none'],
      summary: {
        en: 'Add completion to the start file of this shell',
        pt: 'Acrescenta o completar ao arquivo de início deste shell',
      },
    },
  },
  examples: [
    { command: 'fiscal setup', summary: { en: 'Asks everything', pt: 'Pergunta tudo' } },
    {
      command: 'fiscal setup --service sandbox --completion bash',
      summary: { en: 'Without an account', pt: 'Sem conta' },
    },
    {
      command:
        'fiscal setup --profile acme --service nfe.io --keys-file keys.txt --company 12.345.678/0001-95',
      summary: { en: 'Without a terminal', pt: 'Sem terminal' },
    },
    {
      command: 'fiscal setup --archive ~/notas',
      summary: { en: 'Change one answer only', pt: 'Altera só uma resposta' },
    },
  ],
  exitCodes: [
    ExitCode.credentials,
    ExitCode.temporary,
    ExitCode.refused,
    ExitCode.forbidden,
    ExitCode.notFound,
    ExitCode.rateLimited,
    ExitCode.endedBadly,
  ],
  exitMeanings: {
    [ExitCode.endedBadly]: {
      en: 'the answers are stored, and a check failed',
      pt: 'as respostas foram gravadas, e uma verificação falhou',
    },
  },
  idField: 'profile',
  view: async () => (await import('../../presenters/setup.js')).setupView,
  async run({ context, io, options }) {
    const { setUp } = await import('./set-up.js');
    return await setUp({ context, io }, options);
  },
});
