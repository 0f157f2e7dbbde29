import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { documentArgument, typeOption } from './document-argument.js';

export const command = defineCommand({
  summary: { en: 'What the service knows of a document', pt: 'O que o serviço sabe de um documento' },
  arguments: [documentArgument],
  options: typeOption,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound get 35250530057049000141550010000280181030656857',
      summary: { en: 'One NF-e', pt: 'Uma NF-e' },
    },
    {
      command: 'fiscal inbound get 6f1c0a2e --type nfse --query status -o json',
      summary: { en: 'The state of an NFS-e, by its id', pt: 'O estado de uma NFS-e, pelo id' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'accessKey',
  async run({ context, options: { type }, arguments: { key = '' } }) {
    const { getDocument } = await import('./get.js');
    return getDocument(context, { key, type });
  },
});
