import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Delete a certificate of a company', pt: 'Exclui um certificado de uma empresa' },
  description: {
    en: 'Without a usable certificate the captures of the company are spaced. The thumbprint is asked for once more; without a terminal it needs --yes and --confirm.',
    pt: 'Sem certificado utilizável as capturas da empresa ficam espaçadas. O thumbprint é pedido outra vez; sem terminal precisa de --yes e --confirm.',
  },
  arguments: [
    {
      name: 'thumbprint',
      required: true,
      summary: { en: 'SHA-1 of the certificate', pt: 'SHA-1 do certificado' },
    },
  ],
  options: {
    confirm: {
      kind: 'text',
      value: 'thumbprint',
      summary: { en: 'The thumbprint once more', pt: 'O thumbprint outra vez' },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal certificate delete 3F5A9C0E7B1D2468ACE013579BDF02468ACE1357',
      summary: { en: 'Asks for the thumbprint', pt: 'Pede o thumbprint' },
    },
  ],
  exitCodes: callExitCodes,
  async run({ context, options: { confirm }, arguments: { thumbprint = '' } }) {
    const { deleteCertificate } = await import('./delete.js');
    return deleteCertificate(context, { thumbprint, confirm });
  },
});
