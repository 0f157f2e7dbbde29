import { followOptionsOf } from '../../cli/batch-options.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { MerchandiseModel } from '../../jobs/kinds/invoice-items.js';
import { followOptions, invoiceArgument, names } from './options.js';

export const statusOption = {
  exitStatus: {
    kind: 'toggle',
    summary: {
      en: 'Let the exit code tell the state: 8 while it is issued, 13 when it is refused',
      pt: 'O código de saída diz o estado: 8 durante a emissão, 13 quando recusada',
    },
  },
} as const;

export const getExitCodes = [...callExitCodes, ExitCode.pending, ExitCode.endedBadly];

/** `fiscal invoice get` and `fiscal invoice nfe|nfce get`. */
export function getCommand(model: MerchandiseModel | 'general') {
  const words = model === 'general' ? 'fiscal invoice get' : `fiscal invoice ${model} get`;
  const name = model === 'general' ? undefined : names[model];
  return defineCommand({
    summary:
      name === undefined
        ? { en: 'Show one invoice of the short way', pt: 'Mostra uma nota emitida por invoice create' }
        : { en: `Show one issued ${name}`, pt: `Mostra uma ${name} emitida` },
    arguments: [invoiceArgument],
    options: { ...followOptions, ...statusOption },
    ...(model === 'general' ? {} : { scope: ['company'] as const }),
    examples: [
      { command: `${words} 6f1c0a2e`, summary: { en: 'As it stands', pt: 'Como está' } },
      { command: `${words} 6f1c0a2e --wait`, summary: { en: 'Once it has ended', pt: 'Quando terminar' } },
    ],
    exitCodes: getExitCodes,
    idField: 'id',
    async run({ context, options, arguments: { id } }) {
      const { getInvoice } = await import('./get.js');
      const { exitStatus } = options;
      return getInvoice(context, {
        model,
        id,
        externalId: undefined,
        exitStatus,
        ...followOptionsOf(options),
      });
    },
  });
}
