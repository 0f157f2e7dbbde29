import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Show the figures of the capture of NFS-e', pt: 'Mostra os números da captura de NFS-e' },
  description: {
    en: 'Documents, hidden ones among them, the last NSU and when the last document was captured, as the service gives them. Needs the role Management.',
    pt: 'Documentos, quantos deles ocultos, o último NSU e quando o último documento foi capturado, como o serviço os informa. Precisa do papel Management.',
  },
  options: {},
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound maintenance statistics --company c1',
      summary: { en: 'Of one company', pt: 'De uma empresa' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'companyId',
  async run({ context }) {
    const { captureStatistics } = await import('../maintenance-statistics.js');
    return captureStatistics(context);
  },
});
