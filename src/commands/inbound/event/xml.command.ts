import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';
import { giveBytes, outOption } from '../../give-bytes.js';
import { documentArgument, typeOption } from '../document-argument.js';

export const command = defineCommand({
  summary: { en: 'The XML of one event, byte for byte', pt: 'O XML de um evento, byte a byte' },
  arguments: [
    documentArgument,
    {
      name: 'eventKey',
      required: true,
      summary: {
        en: 'Key of the event (fiscal inbound events)',
        pt: 'Chave do evento (fiscal inbound events)',
      },
    },
  ],
  options: { ...typeOption, ...outOption },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound event xml 35250530057049000141550010000280181030656857 e1 --out evento.xml',
      summary: { en: 'Into a file', pt: 'Para um arquivo' },
    },
  ],
  exitCodes: callExitCodes,
  async run({ context, io, options: { type, out }, arguments: { key = '', eventKey = '' } }) {
    const { readEventXml } = await import('../event-xml.js');
    return giveBytes(await readEventXml(context, { key, eventKey, type, out }), io, 'xml');
  },
});
