import type { ArgumentSpec, OptionSpecs } from '../../cli/command.js';

export const fileArgument: ArgumentSpec = {
  name: 'file',
  required: true,
  summary: { en: 'The file; - for stdin', pt: 'O arquivo; - para o stdin' },
};

export const importOptions = {
  format: {
    kind: 'choice',
    choices: ['csv', 'ndjson', 'json'],
    summary: {
      en: 'Form of the file (default: by its extension, else by how it begins)',
      pt: 'Forma do arquivo (padrão: pela extensão, senão pelo começo)',
    },
  },
  skipInvalid: {
    kind: 'toggle',
    summary: { en: 'Leave invalid records out', pt: 'Deixa de fora os registros inválidos' },
  },
} as const satisfies OptionSpecs;

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
