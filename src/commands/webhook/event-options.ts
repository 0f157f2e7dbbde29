import type { OptionSpecs } from '../../cli/command.js';

/** Which of the stored events are shown. */
export const eventOptions = {
  failed: {
    kind: 'toggle',
    summary: { en: 'Only those that were given up', pt: 'Só os que foram abandonados' },
  },
  state: {
    kind: 'choice',
    choices: ['received', 'forwarding', 'delivered', 'dead', 'kept'],
    summary: { en: 'Only in this state', pt: 'Só neste estado' },
  },
  event: {
    kind: 'text',
    value: 'name',
    summary: { en: 'Only of this name', pt: 'Só com este nome' },
  },
  resource: {
    kind: 'text',
    value: 'id',
    summary: { en: 'Only about this resource', pt: 'Só sobre este recurso' },
  },
  since: {
    kind: 'text',
    value: 'time',
    summary: {
      en: 'Received from this day, UTC time, or age (30d) on',
      pt: 'Recebidos a partir deste dia, horário UTC ou idade (30d)',
    },
  },
  limit: {
    notWith: ['all'],
    kind: 'count',
    value: 'n',
    min: 1,
    summary: { en: 'At most so many (100)', pt: 'No máximo tantos (100)' },
  },
  all: { kind: 'toggle', summary: { en: 'Without a limit', pt: 'Sem limite' } },
} as const satisfies OptionSpecs;
