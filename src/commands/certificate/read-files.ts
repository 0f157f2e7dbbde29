import { FiscalError } from '../../errors/fiscal-error.js';
import { openSource, type InputContext } from '../../services/input/source.js';

/** A certificate with its chain has a few kilobytes. */
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_PASSWORD_BYTES = 4096;

/** The bytes of a certificate file. Errors: `input.not_found`, `input.unreadable`, `certificate.unusable`. */
export async function readPfxFile(context: InputContext, path: string): Promise<Uint8Array> {
  const bytes = await readUpTo(context, path, MAX_FILE_BYTES);
  if (bytes === undefined) {
    throw unusable(path, { en: 'it is larger than 1 MiB', pt: 'é maior que 1 MiB' });
  }
  if (bytes.length === 0) throw unusable(path, { en: 'it is empty', pt: 'está vazio' });
  return bytes;
}

/** The first line of a file, or of stdin for `-`; a password that is empty is one. */
export async function readPassword(context: InputContext, path: string): Promise<string> {
  const bytes = await readUpTo(context, path, MAX_PASSWORD_BYTES);
  const name = path === '-' ? 'stdin' : path;
  if (bytes === undefined) {
    throw unusable(name, { en: 'it is too long for a password', pt: 'é longo demais para uma senha' });
  }
  const [line = ''] = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  return line;
}

async function readUpTo(context: InputContext, path: string, most: number): Promise<Uint8Array | undefined> {
  const source = await openSource(context, path, { again: false });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source.bytes()) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function unusable(path: string, reason: { readonly en: string; readonly pt: string }): FiscalError {
  return new FiscalError('certificate.unusable', { path, reason }, { sent: 'no' });
}
