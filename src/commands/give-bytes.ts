import type { OptionSpecs } from '../cli/command.js';
import type { Outcome } from '../domain/outcome.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Io } from '../io/io.js';
import type { BytesOutcome } from '../services/calls/read-bytes.js';

/** Where the bytes of a document go. */
export const outOption = {
  out: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'Write the bytes to this file, whole or not at all (default: stdout)',
      pt: 'Grava os bytes neste arquivo, inteiro ou nada (padrão: stdout)',
    },
  },
} as const satisfies OptionSpecs;

/** Bytes go to stdout as they are; XML for a person's terminal as text that cannot steer it, a PDF not at all. */
export async function giveBytes(given: BytesOutcome, io: Io, form: 'xml' | 'pdf'): Promise<Outcome> {
  if (!('bytes' in given)) return given;
  if (!io.stdout.isTerminal) {
    await io.stdout.writeBytes(given.bytes);
    return { data: undefined, written: true };
  }
  if (form === 'pdf') throw new FiscalError('usage.missing', { names: '--out <file>' });
  const { terminalText } = await import('../domain/terminal-text.js');
  await io.stdout.write(`${terminalText(new TextDecoder().decode(given.bytes))}\n`);
  return { data: undefined, written: true };
}
