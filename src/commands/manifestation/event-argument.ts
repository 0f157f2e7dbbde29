import type { ArgumentSpec, OptionSpecs, OptionValues } from '../../cli/command.js';
import type { NamedEvent } from './target.js';
import { contentOptions } from './submit-options.js';

/** The event that a verb is about: by its id, or by key and event. */
export const eventArgument: ArgumentSpec = {
  name: 'event',
  required: true,
  summary: {
    en: 'Id of the event; or an access key, with --event',
    pt: 'Id do evento; ou uma chave de acesso, com --event',
  },
};

export const eventOptions = {
  event: contentOptions.event,
  sequence: {
    onlyWith: ['event'],
    kind: 'count',
    value: 'n',
    min: 1,
    default: 1,
    summary: { en: 'Sequence of the event', pt: 'Sequência do evento' },
  },
  type: {
    notWith: ['event'],
    kind: 'choice',
    choices: ['nfe', 'nfse'],
    summary: {
      en: 'Whose id it is, when this machine has not seen it (nfe)',
      pt: 'De que é o id, quando esta máquina não o viu (nfe)',
    },
  },
} as const satisfies OptionSpecs;

export function namedEventOf(name: string, options: OptionValues<typeof eventOptions>): NamedEvent {
  const { event, sequence, type } = options;
  return { name, event, sequence, type };
}
