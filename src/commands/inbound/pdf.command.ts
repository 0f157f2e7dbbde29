import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { giveBytes, outOption } from '../give-bytes.js';
import { documentArgument, typeOption } from './document-argument.js';

export const command = defineCommand({
  summary: { en: 'The PDF of a document', pt: 'O PDF de um documento' },
  description: {
    en: 'While the service makes it (202), it is waited for. The PDF is a picture: the document in law is the XML. A CT-e has none.',
    pt: 'Enquanto o serviço o prepara (202), espera-se. O PDF é uma imagem: o documento legal é o XML. Um CT-e não tem PDF.',
  },
  arguments: [documentArgument],
  options: {
    ...typeOption,
    ...outOption,
    timeout: {
      kind: 'duration',
      value: 'time',
      default: '2m',
      summary: { en: 'Longest time to wait while it is made', pt: 'Tempo máximo de espera pelo preparo' },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound pdf 33045572211905971000105000000000014625124504258429 --out nota.pdf',
      summary: { en: 'Into a file', pt: 'Para um arquivo' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.pending],
  async run({ context, io, options: { type, out, timeout }, arguments: { key = '' } }) {
    const { readPdf } = await import('./pdf.js');
    return giveBytes(await readPdf(context, { key, type, out, timeoutMs: timeout }), io, 'pdf');
  },
});
