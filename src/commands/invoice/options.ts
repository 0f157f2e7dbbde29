import { waitOptions } from '../../cli/batch-options.js';
import type { ArgumentSpec, OptionSpecs } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';

/** What a person calls an invoice of each model, with its article in Portuguese. */
export const names: Readonly<Record<InvoiceModel, string>> = { nfe: 'NF-e', nfce: 'NFC-e', nfse: 'NFS-e' };

/** The invoice that a verb is about. */
export const invoiceArgument: ArgumentSpec = {
  name: 'id',
  required: true,
  summary: { en: 'Id of the invoice at the service', pt: 'Id da nota no serviço' },
};

/** Following an invoice to its end. */
export const followOptions = {
  ...waitOptions,
  wait: {
    kind: 'toggle',
    summary: {
      en: 'Follow it until it is issued or refused; the exit code tells how it ended',
      pt: 'Acompanha até ser emitida ou recusada; o código de saída diz como terminou',
    },
  },
} as const satisfies OptionSpecs;

/** Over the body's own. */
export const environmentOption = {
  environment: {
    kind: 'choice',
    choices: ['Production', 'Test'],
    summary: {
      en: 'Environment of the authority (default: what the body or the company says)',
      pt: 'Ambiente da autoridade (padrão: o que o corpo ou a empresa diz)',
    },
  },
} as const satisfies OptionSpecs;

/** What a write of this family can end with. */
export const writeExitCodes = [
  ExitCode.partial,
  ...callExitCodes,
  ExitCode.pending,
  ExitCode.conflict,
  ExitCode.held,
  ExitCode.endedBadly,
];
