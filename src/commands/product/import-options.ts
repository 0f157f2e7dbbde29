import type { ArgumentSpec, OptionSpecs } from '../../cli/command.js';

/** The file of many products. */
export const fileArgument: ArgumentSpec = {
  name: 'file',
  required: true,
  summary: { en: 'The file; - for stdin', pt: 'O arquivo; - para o stdin' },
};

/** How the file is read. */
export const readingOptions = {
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
  unchecked: {
    kind: 'toggle',
    summary: { en: 'Send as written, without local checks', pt: 'Envia como está, sem conferência local' },
  },
} as const satisfies OptionSpecs;
