import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import { giveBytes, outOption } from '../give-bytes.js';
import { invoiceArgument, names } from './options.js';

const summaries = {
  xml: { en: 'The XML of an issued {name}, byte for byte', pt: 'O XML de uma {name} emitida, byte a byte' },
  pdf: { en: 'The PDF of an issued {name}', pt: 'O PDF de uma {name} emitida' },
} as const;

/** `fiscal invoice nfe|nfce|nfse xml|pdf`. */
export function bytesCommand(model: InvoiceModel, form: 'xml' | 'pdf') {
  const { en, pt } = summaries[form];
  const name = names[model];
  return defineCommand({
    summary: { en: en.replace('{name}', name), pt: pt.replace('{name}', name) },
    arguments: [invoiceArgument],
    options: {
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
        command: `fiscal invoice ${model} ${form} 6f1c0a2e --out nota.${form}`,
        summary: { en: 'Into a file', pt: 'Para um arquivo' },
      },
    ],
    exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.conflict],
    async run({ context, io, options: { out, timeout }, arguments: { id = '' } }) {
      const { readInvoiceBytes } = await import('./bytes.js');
      return giveBytes(
        await readInvoiceBytes(context, { model, id, form, out, timeoutMs: timeout }),
        io,
        form,
      );
    },
  });
}
