import type { ArgumentSpec, OptionSpecs } from '../../cli/command.js';
import { companyUncheckedOption, uncheckedOption } from './follow-options.js';

export const keyArgument: ArgumentSpec = {
  name: 'accessKey',
  required: true,
  summary: {
    en: 'Access key: 44 characters (NF-e) or 50 (NFS-e)',
    pt: 'Chave de acesso: 44 caracteres (NF-e) ou 50 (NFS-e)',
  },
};

/** What an event carries besides its key. */
export const contentOptions = {
  event: {
    kind: 'text',
    value: 'name',
    summary: {
      en: 'The event by name or number, e.g. confirmation, 210210, reject',
      pt: 'O evento por nome ou número, p. ex. confirmacao, 210210, rejeitar',
    },
  },
  sequence: {
    kind: 'text',
    value: 'n',
    summary: { en: 'Sequence of the event (1); 2 rectifies', pt: 'Sequência do evento (1); 2 retifica' },
  },
  justification: {
    kind: 'text',
    value: 'text',
    summary: { en: 'Why, in 15 to 255 characters', pt: 'O porquê, em 15 a 255 caracteres' },
  },
  reason: {
    kind: 'text',
    value: 'n',
    summary: {
      en: 'Reason of a rejection (NFS-e): 1, 2, 3, 4, 5 or 9',
      pt: 'Motivo da rejeição (NFS-e): 1, 2, 3, 4, 5 ou 9',
    },
  },
  detail: {
    kind: 'text',
    value: 'file|json',
    summary: {
      en: 'What the event carries, as JSON or a file; - for stdin',
      pt: 'O conteúdo do evento, em JSON ou arquivo; - para o stdin',
    },
  },
  cancels: {
    kind: 'text',
    value: 'name',
    summary: {
      en: 'The event that 110001 takes back; its protocol is looked up',
      pt: 'O evento que o 110001 cancela; o protocolo é buscado',
    },
  },
  ...uncheckedOption,
  ...companyUncheckedOption,
  legacy: {
    kind: 'toggle',
    summary: { en: 'By the replaced route (deprecated)', pt: 'Pela rota substituída (obsoleta)' },
  },
} as const satisfies OptionSpecs;
