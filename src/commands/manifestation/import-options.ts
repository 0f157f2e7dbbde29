import type { OptionSpecs } from '../../cli/command.js';

/** Asked for where events of a batch deny documents: 210220, 210240, 203206. */
export const confirmOption = {
  confirm: {
    kind: 'text',
    value: 'companyId',
    summary: {
      en: 'The company, named again, for events that deny documents',
      pt: 'A empresa, indicada de novo, para eventos que negam documentos',
    },
  },
} as const satisfies OptionSpecs;
