import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';

export const command = defineCommand({
  summary: {
    en: 'Show what happened to the capture of NFS-e',
    pt: 'Mostra o que aconteceu com a captura de NFS-e',
  },
  description: {
    en: 'The service’s own notices, the newest first: spaced, a certificate that is missing or expired, reactivated, reset, history released or revoked. Needs the role Management.',
    pt: 'Os avisos do próprio serviço, do mais novo ao mais antigo: espaçada, certificado ausente ou vencido, reativada, recomeçada, histórico liberado ou revogado. Precisa do papel Management.',
  },
  options: {},
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound maintenance notifications --company c1',
      summary: { en: 'Of one company', pt: 'De uma empresa' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../../presenters/columns.js');
    return columnsView(['createdOn', 'type', 'message']);
  },
  async run({ context }) {
    const { captureNotifications } = await import('../maintenance-notifications.js');
    return captureNotifications(context);
  },
});
