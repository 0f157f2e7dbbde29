import type { CheckedModel } from '../../domain/invoice-check.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Text } from '../../contract/text.js';

/** What a person calls an invoice of each model; `general` is the short way of the document (§4). */
export const modelNames: Readonly<Record<CheckedModel, Text>> = {
  general: { en: 'invoice', pt: 'nota fiscal' },
  nfe: { en: 'NF-e', pt: 'NF-e' },
  nfce: { en: 'NFC-e', pt: 'NFC-e' },
  nfse: { en: 'NFS-e', pt: 'NFS-e' },
};

/** The words of the commands about one model: `fiscal invoice nfe get`, `fiscal invoice get`. */
export function words(model: CheckedModel, verb: string): string {
  return model === 'general' ? `fiscal invoice ${verb}` : `fiscal invoice ${model} ${verb}`;
}

/** The command that reads one invoice; with `wait` it follows it to its end. */
export function getLine(model: CheckedModel, id: string, { wait }: { readonly wait: boolean }): string {
  const [, ...command] = words(model, 'get').split(' ');
  return fiscalLine({
    command: command.join(' '),
    positionals: [id],
    flags: wait ? [['--wait', true]] : [],
  });
}

/** `NF-e 6f1c…` as a sentence names it. */
export function invoiceText(model: CheckedModel, id: string): Text {
  const name = modelNames[model];
  return { en: `${name.en} ${id}`, pt: `${name.pt} ${id}` };
}
