import { resolve } from 'node:path';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { type InputContext, openSource } from './source.js';

const maxBytes = 64 * 1024;
const maxSecrets = 100;

/** The lines of the file, without empty lines and comments (`#`). The errors never show the text. */
export async function readSecretFile(context: InputContext, path: string): Promise<readonly string[]> {
  const source = await openSource(context, path === '-' ? '-' : resolve(context.cwd, path), { again: false });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source.bytes()) {
    size += chunk.length;
    if (size > maxBytes) throw unusable(path, { en: 'it is too long', pt: 'é longo demais' });
    chunks.push(chunk);
  }
  const lines = Buffer.concat(chunks)
    .toString('utf8')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (lines.length === 0) throw unusable(path, { en: 'it is empty', pt: 'está vazio' });
  if (lines.length > maxSecrets || lines.some((line) => !/^[\x21-\x7e]{1,1024}$/.test(line))) {
    throw unusable(path, {
      en: 'one secret of printable characters per line is expected',
      pt: 'espera-se um segredo de caracteres imprimíveis por linha',
    });
  }
  return lines;
}

/** The one secret of a file, of 32 to 64 characters (public). Errors: `webhook.unusable_secret`, `input.*`. */
export async function readOneSecret(context: InputContext, file: string): Promise<string> {
  const [secret = '', ...others] = await readSecretFile(context, file);
  if (others.length > 0) throw unusable(file, { en: 'it holds several', pt: 'contém vários' });
  assertLength(secret, file);
  return secret;
}

export function assertLength(secret: string, source: string): void {
  if (secret.length >= 32 && secret.length <= 64) return;
  throw unusable(source, { en: 'it must have 32 to 64 characters', pt: 'precisa ter de 32 a 64 caracteres' });
}

export function unusable(source: string, reason: Text): FiscalError {
  return new FiscalError('webhook.unusable_secret', { source, reason }, { sent: 'no' });
}
