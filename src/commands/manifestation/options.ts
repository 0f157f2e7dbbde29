import { waitOptions } from '../../cli/options.js';
import type { OptionSpecs } from '../../cli/command.js';

export const followOptions = {
  ...waitOptions,
  wait: {
    kind: 'toggle',
    summary: {
      en: 'Wait until the authority has decided; the exit code shows the decision',
      pt: 'Aguarda a decisão da autoridade; o código de saída indica o resultado',
    },
  },
} as const satisfies OptionSpecs;

export const uncheckedOption = {
  detailUnchecked: {
    rare: true,
    kind: 'toggle',
    summary: {
      en: 'Send detail and justification as written, without local checks',
      pt: 'Envia o detalhe e a justificativa como estão, sem conferência local',
    },
  },
} as const satisfies OptionSpecs;

export const companyUncheckedOption = {
  companyUnchecked: {
    rare: true,
    kind: 'toggle',
    summary: {
      en: 'Send without proof that the company captured the document',
      pt: 'Envia sem prova de que a empresa capturou a nota',
    },
  },
} as const satisfies OptionSpecs;

/** Required when events of a batch deny documents: 210220, 210240, 203206. */
export const confirmOption = {
  confirm: {
    kind: 'text',
    value: 'companyId',
    summary: {
      en: 'The company again, to confirm events that deny documents',
      pt: 'A empresa, indicada de novo, para confirmar eventos que negam documentos',
    },
  },
} as const satisfies OptionSpecs;
