import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { documentArgument, typeOption } from './document-argument.js';

export const command = defineCommand({
  summary: { en: 'Have the service process an NFS-e again', pt: 'Faz o serviço processar de novo uma NFS-e' },
  arguments: [documentArgument],
  options: typeOption,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound reprocess 33045572211905971000105000000000014625124504258429',
      summary: { en: 'One NFS-e', pt: 'Uma NFS-e' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict],
  idField: 'id',
  async run({ context, options: { type }, arguments: { key = '' } }) {
    const { reprocessDocument } = await import('./reprocess.js');
    return reprocessDocument(context, { key, type });
  },
});
