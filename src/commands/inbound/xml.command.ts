import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { giveBytes, outOption } from '../give-bytes.js';
import { documentArgument, typeOption } from './document-argument.js';

export const command = defineCommand({
  summary: { en: 'The XML of a document, byte for byte', pt: 'O XML de um documento, byte a byte' },
  arguments: [documentArgument],
  options: { ...typeOption, ...outOption },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound xml 35250530057049000141550010000280181030656857 --out nota.xml',
      summary: { en: 'Into a file', pt: 'Para um arquivo' },
    },
  ],
  exitCodes: callExitCodes,
  async run({ context, io, options: { type, out }, arguments: { key = '' } }) {
    const { readXml } = await import('./xml.js');
    return giveBytes(await readXml(context, { key, type, out }), io, 'xml');
  },
});
