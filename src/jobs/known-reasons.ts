import type { Text } from '../contract/text.js';

/** Why an item waits for a person, where no answer of the service tells it. A row keeps the English. */
export const reasons = {
  perhapsBilled: {
    en: 'nothing of it is found at the service, but the send may have been billed',
    pt: 'nada dela foi encontrado no serviço, mas o envio pode ter sido cobrado',
  },
  takenAndGone: {
    en: 'the service took it, and nothing of it is found there',
    pt: 'o serviço a recebeu, e nada dela é encontrado lá',
  },
  nameless: {
    en: 'the service took the invoice and did not say which one it is',
    pt: 'o serviço recebeu a nota e não disse qual é',
  },
  anotherInvoice: {
    en: 'the service answered with another invoice than the one asked for',
    pt: 'o serviço respondeu com outra nota, e não com a que foi pedida',
  },
  onceOnly: {
    en: 'its answer never came, and --once forbids to send it again under its key',
    pt: 'a resposta não chegou, e --once proíbe reenviar com a mesma chave',
  },
} as const satisfies Readonly<Record<string, Text>>;

/** The reason of a row in both languages, where it is one of this program's own. */
export function reasonText(message: string): string | Text {
  return Object.values(reasons).find(({ en }) => en === message) ?? message;
}
