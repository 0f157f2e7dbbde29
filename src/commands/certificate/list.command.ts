import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'List the certificates of a company', pt: 'Lista os certificados de uma empresa' },
  options: {},
  scope: ['company'],
  examples: [
    {
      command: 'fiscal certificate list --company 55df4dc6b6cd9007e4f13ee8',
      summary: { en: 'Of one company', pt: 'De uma empresa' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'thumbprint',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView(['status', 'validUntil', 'thumbprint', 'subject']);
  },
  async run({ context }) {
    const { listCertificates } = await import('./list.js');
    return listCertificates(context);
  },
});
