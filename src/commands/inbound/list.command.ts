import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { listOptions } from './list-options.js';

export const command = defineCommand({
  summary: { en: 'List the captured documents', pt: 'Lista os documentos capturados' },
  description: {
    en: 'Page by page, each document once with all its fields, also while others arrive. With --local, the documents that this machine knows from fiscal inbound sync, without network.',
    pt: 'Página a página, cada documento uma vez com todos os campos, mesmo enquanto outros chegam. Com --local, os documentos que esta máquina conhece por fiscal inbound sync, sem rede.',
  },
  options: listOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound list --type nfe --since 2026-10-01 --until 2026-11-01 --all',
      summary: { en: 'All NF-e issued in October', pt: 'Todas as NF-e emitidas em outubro' },
    },
    {
      command: 'fiscal inbound list --type cte --filter "startswith(accessKey,\'35\')" -o id',
      summary: { en: 'The keys of CT-e from São Paulo', pt: 'As chaves dos CT-e de São Paulo' },
    },
    {
      command: 'fiscal inbound list --summaries',
      summary: {
        en: 'NF-e that wait for the acknowledgement or their full XML',
        pt: 'NF-e que aguardam a ciência ou o XML completo',
      },
    },
    {
      command: 'fiscal inbound list --local --status Failed',
      summary: { en: 'Offline, of all families', pt: 'Sem rede, de todas as famílias' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.limitReached],
  idField: 'accessKey',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    const days = ['awareness.state', 'awareness.daysLeft', 'fullXml.daysLeft'];
    const own = [
      'companyName',
      'family',
      'accessKey',
      ...days,
      'issuedOn',
      'issuer.name',
      'totalInvoiceAmount',
      'totalAmount',
    ];
    return columnsView([...own, 'status', 'webhookStatus', 'nsu', 'archive.state', 'archive.xmlKind']);
  },
  async run({ context, options }) {
    const { listInbound } = await import('./list.js');
    return listInbound(context, options);
  },
});
