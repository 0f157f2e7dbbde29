import type { OptionSpecs } from '../../cli/command.js';

/** What a webhook holds: the same words create and change it. */
export const contentOptions = {
  events: {
    kind: 'list',
    value: 'names',
    summary: {
      en: 'Events that it asks for, * for any part of a name (fiscal webhook event-types)',
      pt: 'Eventos que ele pede, * para qualquer parte do nome (fiscal webhook event-types)',
    },
  },
  status: {
    kind: 'choice',
    choices: ['active', 'inactive'],
    summary: { en: 'Whether events are sent', pt: 'Se os eventos são enviados' },
  },
  headersFile: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'Headers that every delivery carries: "Name: value" lines',
      pt: 'Cabeçalhos que toda entrega leva: linhas "Nome: valor"',
    },
  },
  insecureSsl: {
    kind: 'choice',
    choices: ['true', 'false'],
    summary: {
      en: 'true: the certificate of the address is not checked',
      pt: 'true: o certificado do endereço não é verificado',
    },
  },
  file: {
    kind: 'text',
    value: 'file',
    summary: { en: 'The webhook as JSON; flags win', pt: 'O webhook em JSON; as opções prevalecem' },
  },
  secretFile: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'File with its secret, 32 to 64 characters',
      pt: 'Arquivo com o segredo, de 32 a 64 caracteres',
    },
  },
  secretOut: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'New file that gets the secret that is made (0600)',
      pt: 'Arquivo novo que recebe o segredo criado (0600)',
    },
  },
} as const satisfies OptionSpecs;

/** The service writes its statuses with a capital letter. */
export function statusWord(choice: 'active' | 'inactive' | undefined): 'Active' | 'Inactive' | undefined {
  if (choice === undefined) return undefined;
  return choice === 'active' ? 'Active' : 'Inactive';
}
