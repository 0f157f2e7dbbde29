import type { Language, Text } from '../contract/text.js';
import { terminalLine } from '../domain/terminal-text.js';

interface Ready {
  readonly url: string;
  readonly scheme: string;
}

interface Received {
  readonly id: string;
  readonly event: string;
  readonly resource: string;
  readonly receivedAt: string;
}

/** What a person sees when the listener answers. */
export function listenReadyText({ url, scheme }: Ready, language: Language): string {
  const text: Text = {
    en: `Listening for webhooks at ${url} (${scheme}). Ctrl-C stops it; stored events are kept.\n`,
    pt: `Escutando webhooks em ${url} (${scheme}). Ctrl-C encerra; os eventos guardados ficam.\n`,
  };
  return text[language];
}

/** One event as a line for a person. */
export function listenEventText({ id, event, resource, receivedAt }: Received): string {
  const words = [receivedAt, event === '' ? '-' : event, resource === '' ? '-' : resource, id];
  return `${terminalLine(words.join('  '))}\n`;
}

/**
 * The same as a line for a program. What cannot be written as JSON, because it is nested too deeply, is left out: the bytes
 * themselves are in the store.
 */
export function listenRecordLine(record: object): string {
  try {
    return `${JSON.stringify(record)}\n`;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return `${JSON.stringify({ ...record, payload: null })}\n`;
  }
}
