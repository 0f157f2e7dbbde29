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

/** The text shown when the listener is ready. */
export function listenReadyText({ url, scheme }: Ready, language: Language): string {
  const text: Text = {
    en: `Listening for webhooks at ${url} (${scheme}). Ctrl-C stops it; stored events are kept.\n`,
    pt: `Escutando webhooks em ${url} (${scheme}). Ctrl-C encerra; os eventos guardados ficam.\n`,
  };
  return text[language];
}

/** One event as a line of text. */
export function listenEventText({ id, event, resource, receivedAt }: Received): string {
  const words = [receivedAt, event === '' ? '-' : event, resource === '' ? '-' : resource, id];
  return `${terminalLine(words.join('  '))}\n`;
}

/** One event as a line of JSON. A body nested too deeply for JSON is left out; its bytes are in the store. */
export function listenRecordLine(record: object): string {
  try {
    return `${JSON.stringify(record)}\n`;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return `${JSON.stringify({ ...record, payload: null })}\n`;
  }
}
