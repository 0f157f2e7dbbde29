import { open } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';

/** The service takes documents, not archives. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The JSON text of a file, or of stdin for `-`; checked to be JSON and sent as it is written. */
export async function readBody(context: Context, path: string): Promise<string> {
  const bytes = path === '-' ? await readStdin(context) : await readFileBytes(context.cwd, path);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw syntax(path, { en: 'it is not UTF-8', pt: 'não é UTF-8' });
  }
  try {
    JSON.parse(text);
  } catch {
    throw syntax(path, { en: 'it cannot be parsed', pt: 'não pôde ser interpretado' });
  }
  return text;
}

async function readStdin(context: Context): Promise<Uint8Array> {
  return await gather(context.stdin.read(), '-');
}

async function readFileBytes(cwd: string, path: string): Promise<Uint8Array> {
  try {
    const file = await open(isAbsolute(path) ? path : join(cwd, path), 'r');
    return await gather(file.createReadStream(), path);
  } catch (error) {
    if (error instanceof FiscalError) throw error;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'EIO';
    throw new FiscalError('input.unreadable', { path, reason }, { sent: 'no' });
  }
}

async function gather(source: AsyncIterable<Uint8Array | string>, path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    size += bytes.length;
    if (size > MAX_BYTES) throw syntax(path, { en: 'it is larger than 16 MiB', pt: 'é maior que 16 MiB' });
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function syntax(path: string, reason: { en: string; pt: string }): FiscalError {
  return new FiscalError('input.syntax', { path, format: 'JSON', reason }, { sent: 'no' });
}
