import type { OptionSpecs } from '../../cli/command.js';
import { companiesOption } from '../../cli/company-options.js';
import { batchOptions } from '../../cli/batch-options.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';

/** What changes a whole history. */
export const sweepOptions = {
  ...companiesOption,
  confirm: {
    kind: 'text',
    value: 'a,b',
    summary: {
      en: 'Exactly the companies that are meant (of a plan: its id); needed without a terminal, beside --yes',
      pt: 'Exatamente as empresas em questão (de um plano: o id dele); necessário sem terminal, junto de --yes',
    },
  },
  ...batchOptions,
  wait: {
    kind: 'toggle',
    summary: {
      en: 'Follow it until it has settled; the exit code tells how it ended',
      pt: 'Acompanha até o fim; o código de saída diz como terminou',
    },
  },
} as const satisfies OptionSpecs;

export const sweepExitCodes = [
  ExitCode.partial,
  ...callExitCodes,
  ExitCode.pending,
  ExitCode.held,
  ExitCode.endedBadly,
  ExitCode.limitReached,
] as const;
