import { defineCommand } from '../../cli/command.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';
import { syncOptions } from './sync-options.js';

export const command = defineCommand({
  summary: {
    en: 'Bring received documents to the archive',
    pt: 'Traz os documentos recebidos para o arquivo',
  },
  description: {
    en: 'New and changed documents and their events, as files, byte for byte. Each run begins where the last one ended; killed at any moment, the same command goes on. A bad document is quarantined with its reason, and a company that fails does not stop the others. What is listed and does not come is outstanding: every sync tries it again, at growing intervals, counts it, and ends 3 while any is left.',
    pt: 'Documentos novos e alterados e seus eventos, em arquivos, byte a byte. Cada execução começa onde a última terminou; interrompido a qualquer momento, o mesmo comando continua. Um documento ruim vai para a quarentena com o motivo, e uma empresa que falha não para as outras. O que consta na lista e não chega fica pendente: cada sync tenta de novo, em intervalos crescentes, conta as pendências e termina com 3 enquanto houver alguma.',
  },
  options: syncOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound sync --all-companies',
      summary: { en: 'Everything that is enabled', pt: 'Tudo o que está habilitado' },
    },
    {
      command: 'fiscal inbound sync --company c1,c2 --type nfe --pdf --archive ./archive',
      summary: { en: 'NF-e of two companies, with PDF', pt: 'NF-e de duas empresas, com PDF' },
    },
    {
      command: 'fiscal inbound sync --company c1 --repair',
      summary: {
        en: 'Fetch again what is gone or changed on the disk',
        pt: 'Buscar de novo o que sumiu ou mudou no disco',
      },
    },
    {
      command: "fiscal inbound sync --layout '{cnpj}/{yyyy}/{mm}/{key}.xml'",
      summary: { en: 'Folders of your own', pt: 'Pastas do seu jeito' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.held],
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView([
      'companyName',
      'family',
      'state',
      'added',
      'changed',
      'archived',
      'summaries',
      'quarantined',
      'failed',
      'outstanding',
      'key',
      'reason',
    ]);
  },
  async run({ context, options }) {
    const { syncInbound } = await import('./sync.js');
    const { type, window, fullEvery, ...others } = options;
    return syncInbound(context, { ...others, families: type, windowMs: window, fullEveryMs: fullEvery });
  },
});
