import { text, toggle, type Work } from './define.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { isRecord } from '../domain/record.js';
import type { Io } from '../io/io.js';
import type { BytesOutcome } from '../services/calls/read-bytes.js';
import type { Context } from '../services/context.js';

/** Where the bytes of a document go. */
export const outOption = {
  out: text(
    'file',
    'Write the bytes to this file, complete or not at all (default: stdout)',
    'Grava os bytes neste arquivo, inteiro ou nada (padrão: stdout)',
  ),
};

/** Shows a file that the command has written. */
export const openOption = {
  open: toggle('Open the file in the program of your desktop', 'Abre o arquivo no programa do seu computador'),
};

/**
 * A work whose bytes go to stdout as they are, XML on a terminal as text without control characters; a PDF on a terminal is refused
 * (`usage.missing`). `--open` shows the file that it has written; a dry run has written none.
 */
export function writing<What extends object>(
  form: 'xml' | 'pdf',
  read: (context: Context, given: What, io: Io) => Promise<BytesOutcome>,
): Work<What> {
  return async (context, given, io) => {
    const open = 'open' in given && given.open === true ? io.opener() : undefined;
    const outcome = await read(context, given, io);
    if ('bytes' in outcome) {
      await print(outcome.bytes, io, form);
      return { data: undefined, written: true };
    }
    const { data } = outcome;
    const path = isRecord(data) && data['type'] !== 'dry-run' ? data['path'] : undefined;
    if (typeof path === 'string') await open?.(path);
    return outcome;
  };
}

async function print(bytes: Uint8Array, { stdout }: Io, form: 'xml' | 'pdf'): Promise<void> {
  if (!stdout.isTerminal) return await stdout.writeBytes(bytes);
  if (form === 'pdf') throw new FiscalError('usage.missing', { names: '--out <file>' });
  const { terminalText } = await import('../domain/terminal-text.js');
  await stdout.write(`${terminalText(new TextDecoder().decode(bytes))}\n`);
}
