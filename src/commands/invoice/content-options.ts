import type { OptionSpecs } from '../../cli/command.js';

/** The body of one invoice. */
export const contentOptions = {
  file: {
    notWith: ['sample'],
    kind: 'text',
    value: 'file',
    summary: { en: 'The invoice as JSON or YAML; - for stdin', pt: 'A nota em JSON ou YAML; - para o stdin' },
  },
  set: {
    notWith: ['sample'],
    kind: 'texts',
    value: 'path=value',
    summary: {
      en: 'A field over the file, e.g. items[0].quantity=2; JSON where it is JSON, else text; "2" in quotes is text',
      pt: 'Um campo sobre o arquivo, p. ex. items[0].quantity=2; JSON quando for JSON, senão texto; "2" entre aspas é texto',
    },
  },
  sample: {
    kind: 'toggle',
    summary: {
      en: 'Print a minimal valid body and send nothing',
      pt: 'Mostra um corpo mínimo válido e não envia nada',
    },
  },
  again: {
    notWith: ['sample'],
    kind: 'toggle',
    summary: {
      en: 'Issue another one, though this machine has issued the same content before',
      pt: 'Emite outra, mesmo que esta máquina já tenha emitido o mesmo conteúdo',
    },
  },
  unchecked: {
    notWith: ['sample'],
    kind: 'toggle',
    summary: { en: 'Send as written, without local checks', pt: 'Envia como está, sem conferência local' },
  },
} as const satisfies OptionSpecs;
