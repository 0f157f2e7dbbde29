import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';

export const command = defineCommand({
  summary: {
    en: 'List the companies that capture NFS-e',
    pt: 'Lista as empresas que capturam NFS-e',
  },
  description: {
    en: 'With how it is set. The service has such a list for NFS-e only; all families of all companies: fiscal fleet check.',
    pt: 'Com a configuração de cada uma. O serviço só tem essa lista para NFS-e; todas as famílias de todas as empresas: fiscal fleet check.',
  },
  options: {},
  examples: [
    {
      command: 'fiscal inbound settings list -o csv',
      summary: { en: 'For a spreadsheet', pt: 'Para uma planilha' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'companyId',
  async run({ context }) {
    const { listCapturing } = await import('../settings-list.js');
    return listCapturing(context);
  },
});
