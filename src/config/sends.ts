import type { Text } from '../contract/text.js';
import type { BodyForms } from '../domain/request-body.js';

/**
 * How the client writes what the public record describes in more than one way. Profile settings `sends.<name>`; the
 * defaults are the published forms.
 */
export interface Sends extends BodyForms {
  /** Whether `externalId` and `environment` are sent in the bodies of NF-e and NFC-e. */
  readonly externalId: boolean;
}

export type SendName = keyof Sends;

/** The words of each setting, as typed; the first one is the default. */
const sendWords: Readonly<Record<SendName, readonly [string, string]>> = {
  taxNumbers: ['integer', 'text'],
  decimals: ['number', 'text'],
  externalId: ['false', 'true'],
};

export function isSendName(name: string): name is SendName {
  return Object.hasOwn(sendWords, name);
}

export function sendNames(): readonly SendName[] {
  return Object.keys(sendWords).filter(isSendName);
}

export function defaultSend(name: SendName): string {
  return sendWords[name][0];
}

/** `undefined` for a word that the setting does not take. A profile edited by hand may have a boolean. */
export function parseSend(name: SendName, raw: unknown): string | undefined {
  const typed = typeof raw === 'boolean' ? String(raw) : raw;
  return sendWords[name].find((word) => word === typed);
}

export function sendExpected(name: SendName): Text {
  const words = sendWords[name].join(', ');
  return { en: `one of ${words} is expected`, pt: `espera-se um de ${words}` };
}

/** The settings as the client uses them, from their words. */
export function sendsOf(words: Readonly<Partial<Record<SendName, string>>>): Sends {
  return {
    taxNumbers: words.taxNumbers === 'text' ? 'text' : 'integer',
    decimals: words.decimals === 'text' ? 'text' : 'number',
    externalId: words.externalId === 'true',
  };
}
