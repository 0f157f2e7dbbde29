import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';
import { ExitCode } from '../../../errors/exit-code.js';

export const command = defineCommand({
  summary: { en: 'Take up the capture of NFS-e again', pt: 'Retoma a captura de NFS-e' },
  description: {
    en: 'For a capture that the service has stopped or spaced, after its cause is gone, e.g. once a new certificate is there. Needs the role Management and consent (--yes).',
    pt: 'Para uma captura que o serviço parou ou espaçou, depois de resolvida a causa, por exemplo com um certificado novo. Precisa do papel Management e de consentimento (--yes).',
  },
  options: {},
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound maintenance reactivate --company c1 --yes',
      summary: { en: 'Of one company', pt: 'De uma empresa' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict],
  idField: 'companyId',
  async run({ context }) {
    const { reactivate } = await import('../maintenance-reactivate.js');
    return reactivate(context);
  },
});
