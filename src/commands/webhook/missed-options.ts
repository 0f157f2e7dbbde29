import type { OptionSpecs } from '../../cli/command.js';
import { companiesOption } from '../../cli/options.js';

export const missedOptions = {
  ...companiesOption,
  since: {
    kind: 'text',
    value: 'time',
    summary: {
      en: 'Captured from this day, UTC time, or age (30d) on',
      pt: 'Capturados a partir deste dia, horário UTC ou idade (30d)',
    },
  },
  type: {
    kind: 'choice',
    choices: ['nfe', 'cte', 'nfse'],
    summary: { en: 'Only this family', pt: 'Só esta família' },
  },
  all: {
    kind: 'toggle',
    summary: { en: 'Also those that arrived here', pt: 'Também os que chegaram aqui' },
  },
  resend: {
    kind: 'toggle',
    summary: {
      en: 'Have the service deliver those that did not arrive',
      pt: 'Faz o serviço entregar os que não chegaram',
    },
  },
} as const satisfies OptionSpecs;
