import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';
import { ExitCode } from '../../../errors/exit-code.js';

export const command = defineCommand({
  summary: { en: 'Capture NFS-e now', pt: 'Captura as NFS-e agora' },
  description: {
    en: 'Instead of waiting for the service’s own turn. Accepted, the service goes on by itself. A capture that is spaced is waited for within --max-retry-wait, else it ends 12. Needs the role Management and consent (--yes).',
    pt: 'Em vez de esperar a vez do próprio serviço. Aceito o pedido, o serviço continua sozinho. Uma captura espaçada é aguardada até --max-retry-wait; além disso, termina em 12. Precisa do papel Management e de consentimento (--yes).',
  },
  options: {},
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound maintenance fetch-now --company c1 --yes',
      summary: { en: 'Of one company', pt: 'De uma empresa' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict],
  idField: 'companyId',
  async run({ context }) {
    const { fetchNow } = await import('../maintenance-fetch-now.js');
    return fetchNow(context);
  },
});
