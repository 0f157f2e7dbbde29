import type { OptionSpecs } from '../../cli/command.js';
import { waitOptions } from '../../cli/batch-options.js';

export const followOptions = {
  ...waitOptions,
  wait: {
    kind: 'toggle',
    summary: {
      en: 'Follow it until the authority has decided; the exit code tells how it ended',
      pt: 'Acompanha até a decisão da autoridade; o código de saída diz como terminou',
    },
  },
} as const satisfies OptionSpecs;

export const uncheckedOption = {
  detailUnchecked: {
    kind: 'toggle',
    summary: {
      en: 'Send detail and justification as written, without local checks',
      pt: 'Envia o detalhe e a justificativa como estão, sem conferência local',
    },
  },
} as const satisfies OptionSpecs;

export const companyUncheckedOption = {
  companyUnchecked: {
    kind: 'toggle',
    summary: {
      en: 'Send without a proof that the company captured the note',
      pt: 'Envia sem prova de que a empresa capturou a nota',
    },
  },
} as const satisfies OptionSpecs;
