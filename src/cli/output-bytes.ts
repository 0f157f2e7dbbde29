import { text, toggle, type Work } from './define.js';
import type { Outcome } from '../domain/outcome.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { isRecord } from '../domain/record.js';
import type { Io, OpenFile } from '../io/io.js';
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
  open: toggle(
    'Open the file in the program of your desktop',
    'Abre o arquivo no programa do seu computador',
  ),
};

/** A work whose bytes go to stdout, or whose file `--open` shows. */
export function writing<What extends object>(
  form: 'xml' | 'pdf',
  read: (context: Context, given: What, io: Io) => Promise<BytesOutcome>,
): Work<What> {
  return async (context, given, io) => {
    const open = 'open' in given && given.open === true ? io.opener() : undefined;
    return await openWritten(await writeBytes(await read(context, given, io), io, form), open);
  };
}

/** Opens the file that an outcome names; a dry run has written none. */
export async function openWritten(
  { data, ...outcome }: Outcome,
  open: OpenFile | undefined,
): Promise<Outcome> {
  const path = isRecord(data) && data['type'] !== 'dry-run' ? data['path'] : undefined;
  if (open !== undefined && typeof path === 'string') await open(path);
  return { data, ...outcome };
}

/**
 * Writes a document to stdout: its bytes as they are, XML on a terminal as text without control characters. A PDF on a terminal
 * is refused: `usage.missing`.
 */
export async function writeBytes(outcome: BytesOutcome, io: Io, form: 'xml' | 'pdf'): Promise<Outcome> {
  if (!('bytes' in outcome)) return outcome;
  if (!io.stdout.isTerminal) {
    await io.stdout.writeBytes(outcome.bytes);
    return { data: undefined, written: true };
  }
  if (form === 'pdf') throw new FiscalError('usage.missing', { names: '--out <file>' });
  const { terminalText } = await import('../domain/terminal-text.js');
  await io.stdout.write(`${terminalText(new TextDecoder().decode(outcome.bytes))}\n`);
  return { data: undefined, written: true };
}
