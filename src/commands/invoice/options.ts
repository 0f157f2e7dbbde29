import { waitOptions } from '../../cli/options.js';
import { callExitCodes } from '../../cli/exit-codes.js';
import type { ArgumentSpec, OptionSpecs } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';

/** The name of each model in help. */
export const names: Readonly<Record<InvoiceModel, string>> = { nfe: 'NF-e', nfce: 'NFC-e', nfse: 'NFS-e' };

export const invoiceArgument: ArgumentSpec = {
  name: 'id',
  required: true,
  summary: { en: 'Id of the invoice at the service', pt: 'Id da nota no serviço' },
};

export const followOptions = {
  ...waitOptions,
  wait: {
    kind: 'toggle',
    summary: {
      en: 'Wait until it is issued or rejected; the exit code shows the result',
      pt: 'Espera até ser emitida ou rejeitada; o código de saída mostra o resultado',
    },
  },
} as const satisfies OptionSpecs;

/** Overrides the environment of the body. */
export const environmentOption = {
  environment: {
    kind: 'choice',
    choices: ['Production', 'Test'],
    summary: {
      en: 'Environment of the authority (default: that of the body or the company)',
      pt: 'Ambiente da autoridade (padrão: o do corpo ou da empresa)',
    },
  },
} as const satisfies OptionSpecs;

/** The exit codes of a write. */
export const writeExitCodes = [
  ExitCode.partial,
  ...callExitCodes,
  ExitCode.pending,
  ExitCode.conflict,
  ExitCode.held,
  ExitCode.endedBadly,
];
