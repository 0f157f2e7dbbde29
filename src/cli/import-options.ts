import type { ArgumentSpec, OptionSpecs } from './command.js';

/** The file of an import. */
export const fileArgument: ArgumentSpec = {
  name: 'file',
  required: true,
  summary: { en: 'The file; - for stdin', pt: 'O arquivo; - para o stdin' },
};

/** How the file is read, and what becomes of records that are not valid. */
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

/** For imports whose records are checked here before anything is sent. */
export const uncheckedOption = {
  unchecked: {
    kind: 'toggle',
    summary: { en: 'Send as written, without local checks', pt: 'Envia como está, sem conferência local' },
  },
} as const satisfies OptionSpecs;
