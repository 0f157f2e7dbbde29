import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';
import { ExitCode } from '../../../errors/exit-code.js';

export const command = defineCommand({
  summary: {
    en: 'Begin the capture of NFS-e again after an NSU',
    pt: 'Recomeça a captura de NFS-e depois de um NSU',
  },
  description: {
    en: 'Documents behind that NSU may be captured and billed again; an NSU ahead of the last one leaves documents out for ever. Sent once, never repeated. Needs the role Management, consent (--yes) and the company named once more (--confirm).',
    pt: 'Os documentos depois desse NSU podem ser capturados e cobrados de novo; um NSU à frente do último deixa documentos de fora para sempre. Enviado uma vez, nunca repetido. Precisa do papel Management, de consentimento (--yes) e da empresa indicada mais uma vez (--confirm).',
  },
  arguments: [
    {
      name: 'nsu',
      required: true,
      summary: { en: 'Up to 15 digits; 0 for the beginning', pt: 'Até 15 algarismos; 0 para o começo' },
    },
  ],
  options: {
    confirm: {
      kind: 'text',
      value: 'companyId',
      summary: { en: 'The company, named again', pt: 'A empresa, indicada de novo' },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound maintenance reset-nsu 1200 --company c1 --confirm c1 --yes',
      summary: { en: 'After NSU 1200', pt: 'Depois do NSU 1200' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.conflict],
  idField: 'companyId',
  async run({ context, options: { confirm }, arguments: { nsu = '' } }) {
    const { resetNsu } = await import('../maintenance-reset-nsu.js');
    return resetNsu(context, { nsu, confirm });
  },
});
