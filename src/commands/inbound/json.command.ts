import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { documentArgument } from './document-argument.js';

export const command = defineCommand({
  summary: { en: 'A captured NFS-e as JSON', pt: 'Uma NFS-e capturada como JSON' },
  description: {
    en: 'As the service renders it, for a quick look. The XML is the legal document: fiscal inbound xml.',
    pt: 'Como o serviço a apresenta, para uma consulta rápida. O documento legal é o XML: fiscal inbound xml.',
  },
  arguments: [documentArgument],
  options: {},
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound json 33045572211905971000105000000000014625124504258429',
      summary: { en: 'One NFS-e', pt: 'Uma NFS-e' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'accessKey',
  async run({ context, arguments: { key = '' } }) {
    const { readNfseJson } = await import('./json.js');
    return readNfseJson(context, key);
  },
});
